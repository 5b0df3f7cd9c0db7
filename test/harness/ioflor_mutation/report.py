# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run over mutants prints and where it ends."""
import collections
import dataclasses
import json

from . import judge

COLUMNS = [("differs", "flagged"), ("differs", "inconclusive"),
           ("differs", "certified"), ("right", "certified"), ("right", "flagged"),
           ("right", "inconclusive")]


def spread(items, limit):
    """At most `limit` of the items, evenly; all where it is 0."""
    if not limit or len(items) <= limit:
        return items
    return [items[i * len(items) // limit] for i in range(limit)]


def select(mutants, options):
    """The mutants that `options` (operator, match, limit) ask for."""
    by_operator = collections.defaultdict(list)
    for mutant in mutants:
        if ((not options.operator or mutant.operator in options.operator)
                and (not options.match or options.match in str(mutant))):
            by_operator[mutant.operator].append(mutant)
    return [mutant for name in sorted(by_operator)
            for mutant in spread(by_operator[name], options.limit)]


def add_arguments(parser):
    parser.add_argument("--config", required=True)
    parser.add_argument("--only", action="append", help="names of kernels")
    parser.add_argument("--operator", action="append")
    parser.add_argument("--match", help="only mutants whose text has this")
    parser.add_argument("--limit", type=int, default=0,
                        help="mutants an operator and kernel, spread evenly")
    parser.add_argument("--sizes", type=int, default=0,
                        help="only the first sizes of each kernel")
    parser.add_argument("--seed", type=int, default=1, help="of the data")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true",
                        help="print the mutants, run nothing")
    parser.add_argument("--quiet", action="store_true",
                        help="print complaints and totals only")
    parser.add_argument("--reasons", action="store_true",
                        help="also print why nothing was decided")
    parser.add_argument("--table", action="store_true",
                        help="print operators by outcome, in Markdown")
    parser.add_argument("--json", help="file for all outcomes")


class Report:
    def __init__(self, options):
        self.options, self.records, self.broken = options, [], 0

    def add(self, kernel, mutant, outcome):
        self.records.append({"kernel": kernel, "operator": mutant.operator,
                             "mutant": str(mutant), **dataclasses.asdict(outcome)})
        if not self.options.quiet or outcome.complaints:
            reason = (f" ({outcome.reason})" if self.options.reasons
                      and outcome.verdict == "inconclusive" else "")
            print(f"{kernel}: {mutant}: {outcome.effect}, {outcome.verdict}{reason}")
        for complaint in outcome.complaints:
            print("  ! " + complaint, flush=True)

    def _table(self):
        print("| operator | " + " | ".join(f"{a}, {b}" for a, b in COLUMNS) + " |")
        print("|---|" + "---|" * len(COLUMNS))
        for name in [*sorted({r["operator"] for r in self.records}), "all"]:
            cells = [sum(r["verdict"] == verdict and name in (r["operator"], "all")
                         and (r["effect"] in judge.DIFFERS) == (what == "differs")
                         for r in self.records) for what, verdict in COLUMNS]
            print(f"| {name} | " + " | ".join(map(str, cells)) + " |")

    def finish(self):
        """Prints totals; the exit status."""
        if self.options.json:
            with open(self.options.json, "w") as handle:
                json.dump(self.records, handle, indent=1)
        if self.options.table:
            self._table()
        for effect in judge.EFFECTS:
            verdicts = collections.Counter(
                r["verdict"] for r in self.records if r["effect"] == effect)
            if verdicts:
                print(f"{effect}: " + ", ".join(
                    f"{count} {name}" for name, count in sorted(verdicts.items())))
        bad = sum(bool(r["complaints"]) for r in self.records)
        print(f"{len(self.records)} mutants, seed {self.options.seed}, "
              f"{self.broken} more are not valid, {bad} with complaints")
        return 1 if bad else 0
