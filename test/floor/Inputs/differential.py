# Part of ioflor, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floors and reference traffic, computed a second time and compared.

Usage: differential.py TOOL PROBLEMS [SEED]

The formulas of docs/floors.md in fractions, pairs by going through the rows,
schedules by going through their tiles; on random problems, M near every
threshold. Prints each difference; exit status 1 if there is one.
"""
import json
import random
import subprocess
import sys
from fractions import Fraction as F
from math import isqrt


def up(q, r=F(0)):
    """ceil(sqrt(r) + q), exactly."""
    scale = 10**60
    near = F(isqrt(int(r * scale * scale)), scale) + q
    t = -(-near.numerator // near.denominator)

    def reaches(n):
        return n >= q and (n - q) ** 2 >= r

    while reaches(t - 1):
        t -= 1
    while not reaches(t):
        t += 1
    return t


def ceildiv(a, b):
    return -(-a // b)


# ---------------------------------------------------------------------------
# One device


def keys_of(mask, w, i, nq, nk):
    """The keys [lo, hi) that row i sees."""
    at = i + nk - nq
    return {
        "exact": (0, nk),
        "causal": (0, at + 1),
        "causal_top_left": (0, min(nk, i + 1)),
        "window": (max(0, at - w + 1), at + 1),
        "window_symmetric": (max(0, at - w), min(nk, at + w + 1)),
    }[mask]


def required(mask, w, nq, nk):
    """Pairs, rows and columns of one head."""
    pairs = columns = end = 0
    for i in range(nq):
        lo, hi = keys_of(mask, w, i, nq, nk)
        pairs += hi - lo
        columns += max(0, hi - max(lo, end))
        end = max(end, hi)
    return pairs, nq, columns


def floors(work, d, dv, M, p):
    """(name, what it bounds, q, r) for each floor q + sqrt(r) that applies."""
    E, q, k, v, o, required_o = work
    D = d * d
    out = []

    def add(name, bounds, value, root=F(0)):
        out.append((name, bounds, F(value), root))

    if p["backward"]:
        stores = q + k + v
        add("scan", "total", 2 * stores + required_o)
        if not p["alias"]:
            add("sharp", "total", E * min(F((d + dv) ** 2, M), F(1, 2)) + stores)
            if d == dv:
                add("tight", "total", E * min(F(12 * D, M), F(1, 2)))
        return out
    for name, words in (("q", q), ("k", k), ("v", v), ("o", o)):
        if words:
            add("scan-" + name, name, words)
    add("scan", "loads", q + k + v)
    if p["approximate"]:
        return out
    if not p["standard"]:
        m = max(M, D)
        if E * D != 4 * m * m:  # a floor of 0 is not told
            add("fmm", "qk", F(E * D, 4 * m) - m)
        return out
    if M >= D:
        add("saha-ye", "qk", F(E * D, 2 * M))
    add("sharp", "qk", E * min(F(D, M), F(1, 2)))
    add("small-cache U", "qk", -M, E * E * D / (M + F(M * M, D)))
    if M <= 4 * D:
        add("small-cache R", "qk", -E - 2 * M, F(4 * E * E * D, M))
    if M <= 2 * D:
        add("small-cache R, tangent", "qk", F(E * (2 * D - M), D) - 2 * M)
        add("small-cache D", "qk", F(E, 2))
    if p["alias"]:
        add("tight aliased", "total", E * min(F(d * (d + dv), M), F(1, 2)))
        return out
    if M <= 4 * D:
        add("tight R'", "total", -E, F(4 * E * E * (d + dv) ** 2, M))
    if dv >= d:
        words, b, c = 4 * E * d * dv, F(128 * D, 27), 4 * D
    else:
        words, c = E * (d + dv) ** 2, 2 * d * (d + dv)
        b = min(F(8 * (d + dv) ** 4, 27 * dv * dv), F(2 * (d + dv) ** 2))
    add("tight B", "total", F(words) / max(M, ceildiv(b.numerator, b.denominator)))
    add("tight C", "total", F(words) / max(M + 1, c))
    return out


def strongest(work, d, dv, M, p):
    _, _, _, v, o, required_o = work
    best = 0
    for name, bounds, q, r in floors(work, d, dv, M, p):
        if p["loads"]:
            if name == "tight B":
                q -= required_o
            elif bounds == "qk" and name not in ("fmm", "small-cache U"):
                q += v
            elif bounds != "loads":
                continue
        elif bounds == "loads":
            q += o
        elif bounds == "qk":
            q += 0 if name == "fmm" else v + o
        elif bounds != "total":
            continue
        best = max(best, up(q, r))
    return best


def schedules(nq, nk, d, dv, M, batch, heads, kv, mask, w, rows, columns, p):
    q, k, both = batch * heads, batch * kv, d + dv
    strips, tiles = ceildiv(nq, rows), ceildiv(nk, columns)
    t = {}
    if p["backward"]:
        if heads == kv:
            for name, a in ((", dQ by reduction", 1), ("", 2)):
                t["FlashAttention-2 backward" + name] = q * (
                    2 * nq * dv + nq + 3 * nq * d + 2 * nk * both
                    + tiles * nq * ((1 + a) * d + dv + 2)
                )
        return t
    t["FlashAttention, as the seed pins it"] = up(F(q * nq * nk * d * d, M))
    if M >= d + min(d, dv) + 7:
        words, left = 0, dv
        while left:
            wide = min(d, left)
            words += nq * (d + wide)
            words += ceildiv(nq, max(1, (M - 4) // (d + wide + 3))) * nk * (d + wide)
            left -= wide
        t["FlashAttention-2, largest tile"] = q * words
    keys = 0
    for i in range(strips):
        lo = keys_of(mask, w, i * rows, nq, nk)[0]
        hi = keys_of(mask, w, min(nq, (i + 1) * rows) - 1, nq, nk)[1]
        for j in range(tiles):
            if j * columns < hi and (j + 1) * columns > lo:
                keys += min(nk, (j + 1) * columns) - j * columns
    name = "FlashAttention-2" + ("" if mask == "exact" else ", " + mask)
    t[name] = q * (nq * both + keys * both)
    if heads != kv:
        packed = ceildiv(heads // kv * nq, rows) * nk * both
        t["FlashAttention-2, query heads packed"] = q * nq * both + k * packed
    t["FlashAttention-1"] = q * (
        nk * both + tiles * nq * (d + 2 * dv + 4) + nq * (dv + 2)
    )
    if tiles >= 2:
        t["split-K"] = q * (2 * nq * d + nk * both + 4 * nq * (dv + 1) + nq * dv)
    t["naive, as the seed pins it"] = q * nq * (2 * nk + d) + k * nk * both
    t["naive, three kernels with ideal reuse"] = (
        q * nq * (4 * nk + both) + k * nk * both
    )
    t["naive, three kernels"] = q * (
        tiles * nq * d + strips * nk * d + (3 + ceildiv(dv, columns)) * nq * nk
        + strips * nk * dv + nq * dv
    )
    return t


def rows_of(table, backward):
    """The largest of each kind of floor; B and C below their thresholds, too."""
    out = {}
    for row in table:
        if not row["applies"]:
            continue
        name, regime = row["kind"], row["regime"]
        if name == "small-cache":
            name += " " + regime
        elif name == "tight" and not backward:
            name += " " + regime.split(",")[0].split()[0]
        key = (name, row["bounds"])
        out[key] = max(out.get(key, row["words"]), row["words"])
    return out


class Test:
    def __init__(self, tool, seed):
        self.tool, self.random, self.bad = tool, random.Random(seed), 0

    def fail(self, args, what):
        self.bad += 1
        print("ioflor-floor", " ".join(args), "::", what)

    def ask(self, args):
        done = subprocess.run(
            [self.tool, *args, "--format", "json"],
            capture_output=True, text=True, check=False,
        )
        if done.returncode:
            self.fail(args, f"exit status {done.returncode}: {done.stderr}")
            return None
        return json.loads(done.stdout, parse_float=F)[0]

    def size(self, most):
        r = self.random
        return r.randint(1, r.choice([8, 64, most]))

    def device(self):
        r = self.random
        d = r.choice([1, 2, 3, 8, 16, 40, 64, 128, self.size(200)])
        dv = r.choice([d, d, self.size(200), max(1, d // 2), 2 * d])
        nq = self.size(600)
        nk = r.choice([nq, nq, self.size(900)])
        mask = r.choice(["exact", "causal", "causal_top_left", "window",
                         "window_symmetric", "lengths", "blocks"])
        if mask in ("causal", "window", "window_symmetric"):
            nq, nk = min(nq, nk), max(nq, nk)
        w = self.size(1000)
        kv = r.choice([1, 1, 2, 3])
        heads, batch = kv * r.choice([1, 1, 2, 4]), r.choice([1, 1, 2])
        near = r.choice([
            d * d, 2 * d * d, 4 * d * d, 128 * d * d // 27, 24 * d * d,
            2 * (d + dv) ** 2, 2 * d * (d + dv), 8 * (d + dv) ** 4 // (27 * dv * dv),
            d * d // r.randint(1, 64), self.size(10**6),
        ])
        M = max(1, near + r.randint(-2, 2))
        p = {"alias": dv <= d and r.random() < 0.15, "backward": False,
             "approximate": False, "standard": True, "loads": False}
        p.update(r.choice([{}, {}, {}, {"backward": True}, {"approximate": True},
                           {"standard": False}]))
        p["loads"] = not p["backward"] and r.random() < 0.3
        args = ["tables", "--d", d, "--dv", dv, "--m", M, "--batch", batch,
                "--heads", heads, "--kv-heads", kv]
        args += ["--shared-kv"] * p["alias"] + ["--backward"] * p["backward"]
        args += ["--approximate"] * p["approximate"]
        args += ["--algorithm", "any"] * (not p["standard"])
        args += ["--count", "loads"] * p["loads"]
        shapes, tiles = [], None
        if mask == "lengths":
            lengths = [self.size(300) for _ in range(r.randint(1, 5))]
            args += ["--lengths", ",".join(map(str, lengths))]
            shapes = [(n, n * n, n, n) for n in lengths]
        elif mask == "blocks":
            high, wide = r.randint(1, 40), r.randint(1, 40)
            blocks = [(r.randrange(ceildiv(nq, high)), r.randrange(ceildiv(nk, wide)))
                      for _ in range(r.randint(1, 9))]
            args += ["--n", nq, "--nk", nk, "--block-rows", high, "--block-columns",
                     wide, "--blocks", ",".join(f"{i}:{j}" for i, j in blocks)]
            cells = {(x, y) for i, j in blocks
                     for x in range(i * high, min(nq, (i + 1) * high))
                     for y in range(j * wide, min(nk, (j + 1) * wide))}
            shapes = [(nq, len(cells), len({x for x, _ in cells}),
                       len({y for _, y in cells}))]
        else:
            args += ["--n", nq, "--nk", nk, "--mask", mask]
            args += ["--window", w] * mask.startswith("window")
            shapes = [(nq, *required(mask, w, nq, nk))]
            if not p["approximate"]:
                tiles = r.randint(1, 200), r.randint(1, 100)
                args += ["--tile-rows", tiles[0], "--tile-columns", tiles[1]]
        args = [str(a) for a in args]
        got = self.ask(args)
        if not got:
            return
        q, k = batch * heads, batch * kv
        parts = [(q * E, q * rows * d, k * columns * d,
                  0 if p["alias"] else k * columns * dv, q * n * dv, q * rows * dv)
                 for n, E, rows, columns in shapes]
        work = tuple(map(sum, zip(*parts)))
        if got["pairs"] != work[0]:
            self.fail(args, f"pairs {got['pairs']}, not {work[0]}")
        best = max(strongest(work, d, dv, M, p),
                   sum(strongest(part, d, dv, M, p) for part in parts))
        if got["strongest_words"] != best:
            self.fail(args, f"strongest {got['strongest_words']}, not {best}")
        ours = {}
        for name, bounds, x, root in floors(work, d, dv, M, p):
            ours[name, bounds] = up(x, root)
        theirs = rows_of(got["floors"], p["backward"])
        theirs.pop(("fmm", "qk"), None) if ("fmm", "qk") not in ours else None
        if ours != theirs:
            self.fail(args, sorted(set(ours.items()) ^ set(theirs.items())))
        if not tiles:
            return
        ours = schedules(nq, nk, d, dv, M, batch, heads, kv, mask, w, *tiles, p)
        theirs = {row["schedule"]: row["words"] for row in got["traffic"]}
        if ours != theirs:
            self.fail(args, sorted(set(ours.items()) ^ set(theirs.items())))
        for row in got["traffic"]:
            # Those of any algorithm and of loads are lower still.
            real = row["fits_M"] and not row["note"] and not p["alias"]
            if real and row["words"] < best:
                self.fail(args, f"{row['schedule']} is below the floor {best}")

    def network(self):
        r = self.random
        p = r.choice([1, 2, 3, 4, 9, 16, r.randint(1, 64), r.randint(1, 2000)])
        n = p * r.choice([1, 2, r.randint(1, 30), r.randint(1, 10**6)])
        d = r.choice([1, 64, 128, r.randint(1, 10**4)])
        h = r.choice([1, p, 2 * p, isqrt(p), r.randint(1, 64)])
        low = r.randint(1, 50)
        alpha = F(r.randint(low, low * p), low)
        seed = r.random() < 0.3
        M = r.randint(d * d, 10 * d * d)
        args = ["network", "--n", n, "--d", d, "--p", p, "--heads", h, "--alpha",
                f"{alpha.numerator}/{alpha.denominator}", "--m", M]
        args = [str(a) for a in args] + ["--seed-compat"] * seed
        got = self.ask(args)
        if not got:
            return
        x = F(2 * d * n * h)
        want = {"network": (-x / p, x * x * (p * p - p + 1) / (p * p))}
        if not seed:
            want["network-covering"] = (x * (1 - F(1, p)), F(0))
            want["network-balanced"] = (-x, x * x * p)
            pairs = ceildiv(n * n, p)
            sums = []
            for a in range(max(1, n // p, isqrt(pairs) - 200),
                           min(n, isqrt(pairs) + 200) + 1):
                b = max(ceildiv(pairs, a), n // p)
                sums += [a + b] * (b <= n)
            want["network-balanced, whole rows"] = (
                F((p * min(sums) - 2 * n) * d * h), F(0))
            if p > 1:
                c = x * (p * p - p) / (alpha * p - 1)
                want["network-capped"] = (-c / p, c * c * alpha / p)
        for row in got["floors"]:
            if row["at_least"] is None and p == 1:
                continue
            q, root = want.pop(row["kind"])
            if row["at_least"] != up(q, root):
                self.fail(args, f"{row['kind']} {row['at_least']}, not {up(q, root)}")
        if want:
            self.fail(args, f"missing: {sorted(want)}")
        row = got["composition"][0]
        if seed and abs(row["single_device_words"] / F(h * n * n * d * d, 2 * M) - 1) > (
                F(1, 10**15)):
            self.fail(args, f"composition {row}")
        larger = row["network_words"] > row["single_device_words"]
        if row["larger"] != ("network" if larger else "single_device_io"):
            self.fail(args, f"composition {row}")
        if seed:
            return
        s, one = isqrt(p), n * h * d
        want = {"ring, K only": (p - 1) * one, "ring": 2 * (p - 1) * one}
        if h % p == 0:
            want["Ulysses, Q and K only"] = 2 * one * (1 - F(1, p))
            want["Ulysses"] = 4 * one * (1 - F(1, p))
        if s * s == p:
            want["2-D grid, Q and K only"] = 2 * one * (s - 1)
            want["2-D grid"] = (4 * one + 2 * n * h) * (s - 1)
            if h % s == 0:
                want["USP"] = 4 * one * (1 - F(1, s)) + 2 * one * (s - 1)
        theirs = {row["schedule"]: row["words"] for row in got["schedules"]}
        if want != theirs:
            self.fail(args, f"{want}, not {theirs}")
        if any(words < 2 * one * (1 - F(1, p)) for words in want.values()):
            self.fail(args, "a schedule is below the covering minimum")


def main():
    test = Test(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    count = int(sys.argv[2])
    for i in range(count):
        test.network() if i % 3 == 0 else test.device()
    print(f"{count} problems, {test.bad} differences")
    return test.bad != 0


if __name__ == "__main__":
    sys.exit(main())
