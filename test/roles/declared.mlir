// RUN: %ioflor_opt --ioflor-roles %s | %filecheck %s
// What is declared as attention gets an answer, whatever it is.

// CHECK: ioflor.verdict "inconclusive" "declared as attention, but no normalised exp
ioflor.subject @copy attributes {disclosure = {kind = "exact"}, info = {name = "copy"}} {
  ioflor.symbol "n" from "1" to "2147483647"
  ioflor.buffer slow @x : 4 bytes
  ioflor.buffer slow @y : 4 bytes
  ioflor.stage @s0 threads "1" registers 40 attributes {info = {}} {
    ioflor.loop grid "bx" to "n" {
      %v0 = ioflor.load @x["bx"] instr 0
      ioflor.store %v0 to @y["bx"] instr 1
    }
  }
}
