"""What soteriad may cost beside the C floor. A budget that is missed is printed with everything it was judged by."""

import statistics

RATIO = 1.25
PAIR_RATIO = 1.5  # where no other program takes the caches in between
START_RATIO = 2
EXTRA_MEMORY = 512  # kB
OURS, FLOOR = "soteriad", "C floor"


class Verdict:
    def __init__(self, name, ours, floor, limit, unit):
        """`ours` and `floor` are samples; their medians are compared with `limit`, which has their unit."""
        self.name, self.samples, self.limit, self.unit = name, (ours, floor), limit, unit
        self.value = statistics.median(ours)

    @property
    def holds(self):
        return self.value <= self.limit

    def explain(self):
        ours, floor = (" ".join(f"{sample:.0f}" for sample in sorted(samples)) for samples in self.samples)
        return (f"OVER BUDGET: {self.name}: {self.value:.0f} {self.unit}, at most {self.limit:.0f}\n"
                f"  soteriad: {ours}\n  floor:    {floor or '-'}")

    def row(self):
        return {"name": self.name, "value": self.value, "limit": self.limit, "unit": self.unit, "holds": self.holds}


def beside(name, ours, floor, ratio, unit):
    return Verdict(name, ours, floor, ratio * statistics.median(floor), unit)


def verdicts(results):
    found = []
    for scenario, programs in results["alerts"].items():
        for what, words in (("latency", "trigger to request"), ("cpu", "CPU per alert")):
            found.append(beside(f"{words}, {scenario}", programs[OURS][what], programs[FLOOR][what], RATIO, "µs"))
    for scenario, programs in results["pair"].items():
        for what, words in (("latency", "trigger to request"), ("cpu to request", "CPU to the request")):
            found.append(beside(f"{words}, {scenario}, two alone", programs[OURS][what], programs[FLOOR][what],
                                PAIR_RATIO, "µs"))
    reports = results["reports"]
    found.append(beside("CPU per 1000 reports", reports[OURS], reports[FLOOR], RATIO, "µs"))
    for moment, words in (("one", "one HTTPS alert"), ("many", f"{results['many']} HTTPS alerts")):
        ours, floor = ([sample["Private_Dirty"] for sample in results["memory"][name][moment]]
                       for name in (OURS, FLOOR))
        found.append(Verdict(f"private dirty after {words}", ours, floor, statistics.median(floor) + EXTRA_MEMORY, "kB"))
    for moment, programs in results["rest"].items():
        ours, floor = programs[OURS], programs[FLOOR]
        own = max(0, ours["wake-ups"] - ours["reports"])
        found.append(Verdict(f"wake-ups of its own, {moment}", [own], [floor["wake-ups"] - floor["reports"]], 0, ""))
    idle = results["rest"]["idle"]
    found.append(Verdict("bytes written when idle", [idle[OURS]["written"]], [idle[FLOOR]["written"]], 0, ""))
    found.append(beside("start to ready", results["starts"][OURS], results["starts"][FLOOR], START_RATIO, "ms"))
    reads = results["bundle reads"]
    if reads["first"] == 0:
        raise RuntimeError("the file of authorities was never opened: the watch on it sees nothing")
    found.append(Verdict("CA bundle opened again by cold connections", [reads["later"]], [], 0, "times"))
    return found + [Verdict(*row) for row in results["scale"]["verdicts"]]
