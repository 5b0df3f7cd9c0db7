// RUN: %ioflor_opt %s --ioflor-traffic=mode=magic --verify-diagnostics

// expected-error @below {{invalid mode 'magic'; expected explicit or cache}}
ioflor.subject @s attributes {info = {}} {}
