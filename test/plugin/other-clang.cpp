// In a Clang of another version the plugin says so and fails; it used to crash.
//
// REQUIRES: other-clang
// RUN: not %other_clang -fplugin=%ioflor_plugin -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: ioflor: this plugin was built for clang 22 and cannot run in '{{.*}}clang version {{[0-9.]+}}
// CHECK-NOT: Stack dump
int main() {}
