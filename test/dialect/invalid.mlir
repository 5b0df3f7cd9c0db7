// RUN: %ioflor_opt %s --split-input-file --verify-diagnostics

// expected-error @below {{invalid expression: expected ')'}}
ioflor.subject @s attributes {info = {}, claim_words = #ioflor.expr<"2*(N">} {}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.symbol "N"
  // expected-error @below {{invalid condition}}
  ioflor.assume "N < " source "here"
}

// -----

// expected-error @below {{'ioflor.subject' op disclosure has no kind}}
ioflor.subject @s attributes {info = {}, disclosure = {text = "x"}} {}

// -----

// expected-error @below {{kind of the disclosure must be one of exact, causal, causal_top_left, window, window_symmetric, approximate, sparse, masked_by; found 'casual'}}
ioflor.subject @s attributes {info = {}, disclosure = {kind = "casual"}} {}

// -----

// expected-error @below {{width of the disclosure must be an expression}}
ioflor.subject @s attributes {info = {}, disclosure = {kind = "window", w = 3}} {}

// -----

// expected-error @below {{'ioflor.subject' op uses 'n', which is not declared}}
ioflor.subject @s attributes {info = {}, claim_words = #ioflor.expr<"n">} {}

// -----

// A claim may speak of M, an address may not.
ioflor.subject @s attributes {info = {}, claim_words = #ioflor.expr<"M">} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op uses 'M', which is not declared}}
    %0 = ioflor.load @Q["M"] instr 0
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.symbol' op name 'a.b' is no identifier}}
  ioflor.symbol "a.b"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-note @below {{declared here first}}
  ioflor.symbol "N"
  // expected-error @below {{'ioflor.symbol' op redeclares 'N'}}
  ioflor.symbol "N"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.symbol' op uses 'N', which is not declared}}
  ioflor.symbol "W" to "N"
  ioflor.symbol "N"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.assume' op uses 'N', which is not declared}}
  ioflor.assume "N > 3" source "here"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.buffer' op in shared memory must stand in a stage}}
  ioflor.buffer shared @tile : 4 bytes
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.buffer' op in slow memory must stand in a subject}}
    ioflor.buffer slow @Q : 4 bytes
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    ioflor.loop seq "t" to "2" {
      // expected-error @below {{'ioflor.buffer' op expects parent op to be one of 'ioflor.subject, ioflor.stage'}}
      ioflor.buffer private @p : 4 bytes
    }
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.buffer' op element must have at least 1 byte}}
  ioflor.buffer slow @Q : 0 bytes
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.buffer' op scalar must be private}}
  ioflor.buffer slow @Q : 4 bytes scalar
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.buffer' op with a role must be slow}}
    ioflor.buffer shared @tile : 4 bytes role K
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.stage' op registers must not be negative}}
  ioflor.stage @k threads "1" registers -1 attributes {info = {}} {}
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-note @below {{declared here first}}
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {}
  ioflor.loop host "h" to "2" {
    // expected-error @below {{'ioflor.stage' op redeclares stage '@k'}}
    ioflor.stage @k threads "1" registers 0 attributes {info = {}} {}
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.loop' op trip count uses its own variable 't'}}
    ioflor.loop seq "t" to "t + 1" {}
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-note @below {{declared here first}}
    ioflor.loop seq "t" to "2" {}
    // expected-error @below {{'ioflor.loop' op redeclares 't'}}
    ioflor.loop seq "t" to "2" {}
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-note @below {{declared here}}
    ioflor.loop seq "t" to "2" {}
    // expected-error @below {{'ioflor.load' op uses 't', which is not in scope here}}
    %0 = ioflor.load @Q["t"] instr 0
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-note @below {{the outer loop is here}}
    ioflor.loop thread "tx" to "2" {
      // expected-error @below {{'ioflor.loop' op of kind grid must not stand in a thread loop}}
      ioflor.loop grid "bx" to "2" {}
    }
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-note @below {{the outer loop is here}}
    ioflor.loop seq "t" to "2" {
      // expected-error @below {{'ioflor.loop' op of kind thread must not stand in a seq loop}}
      ioflor.loop thread "tx" to "2" {}
    }
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.loop' op of kind seq must stand in a stage}}
  ioflor.loop seq "t" to "2" {}
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.loop' op of kind host must stand outside of stages}}
    ioflor.loop host "h" to "2" {}
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    ioflor.loop grid "bx" to "2" {
      // expected-note @below {{the loop is here}}
      ioflor.loop thread "tx" to "2" {}
      // expected-error @below {{'ioflor.barrier' op stands beside a thread loop}}
      ioflor.barrier
    }
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  // expected-error @below {{'ioflor.load' op must stand in a stage}}
  %0 = ioflor.load @Q["0"] instr 0
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op accesses '@Q', which is no buffer of its stage or subject}}
    %0 = ioflor.load @Q["0"] instr 0
  }
}

// -----

// A fast buffer of another stage is out of reach.
ioflor.subject @s attributes {info = {}} {
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    ioflor.buffer shared @tile : 4 bytes
  }
  ioflor.stage @l threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.unknown' op accesses '@tile', which is no buffer of its stage or subject}}
    ioflor.unknown "asm" {reads = [@tile]}
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op width must be at least 1}}
    %0 = ioflor.load @Q["0"] width 0 instr 0
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op instr must not be negative}}
    %0 = ioflor.load @Q["0"] instr -1
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op without an address must say why in 'unknown'}}
    %0 = ioflor.load @Q[?] instr 0
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-error @below {{'ioflor.load' op has an address and says that it is unknown}}
    %0 = ioflor.load @Q["0"] instr 0 {unknown = "loaded index"}
  }
}

// -----

// A load and a store may share an instr, two loads may not; nor do stages
// disturb each other.
ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  ioflor.stage @j threads "1" registers 0 attributes {info = {}} {
    %0 = ioflor.load @Q["0"] instr 7
  }
  ioflor.stage @k threads "1" registers 0 attributes {info = {}} {
    // expected-note @below {{the other one is here}}
    %0 = ioflor.load @Q["0"] instr 7
    ioflor.store %0 to @Q["0"] instr 7
    // expected-error @below {{'ioflor.load' op has the instr 7 of another load of its stage}}
    %1 = ioflor.load @Q["1"] instr 7
  }
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  // expected-error @below {{'ioflor.count' op direction must be one of loads, stores; found 'load'}}
  ioflor.count @Q "load" "traffic" lo "0" exact
}

// -----

ioflor.subject @s attributes {info = {}} {
  ioflor.buffer slow @Q : 4 bytes
  // expected-error @below {{'ioflor.count' op exact with two different ends}}
  ioflor.count @Q "loads" "traffic" lo "0" hi "1" exact
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.count' op accesses '@Q', which is no buffer of its subject}}
  ioflor.count @Q "loads" "traffic" lo "0" exact
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.obligation' op result must be one of proved, refuted, unknown, vacuous; found 'unsat'}}
  ioflor.obligation "o" "unsat" {smt2 = "", solver = "z3"}
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.finding' op severity must be one of flag, warning, remark; found 'error'}}
  ioflor.finding "ioflor-claim" "error" "m" {notes = []}
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.finding' op notes must be strings}}
  ioflor.finding "ioflor-claim" "flag" "m" {notes = [3]}
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.verdict' op verdict must be one of certified, flagged, inconclusive, not-attention; found 'ok'}}
  ioflor.verdict "ok" "fine"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.coverage' op what must be one of q, k, v, o, pairs; found 's'}}
  ioflor.coverage "s" "proved" by "sets"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.coverage' op has a witness exactly if it is refuted}}
  ioflor.coverage "k" "refuted" by "execution"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.coverage' op is undecided without a reason}}
  ioflor.coverage "k" "undecided" by "sets"
}

// -----

ioflor.subject @s attributes {info = {}} {
  // expected-error @below {{'ioflor.coverage' op has a mask but is not about pairs}}
  ioflor.coverage "k" "proved" by "sets" mask "full"
}
