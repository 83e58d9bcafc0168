"""What was measured, as a table, as JSON and as a picture."""

import datetime
import json
import os
import platform
import statistics
import subprocess

from contestants import EVERYONE

NAMES = [kind.name for kind in EVERYONE]
BEGIN, END = "<!-- bench: written by ./bench --write -->", "<!-- bench: end -->"


def percentile(samples, share):
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith(("model name", "Model"))), "?")
    with open("/etc/os-release", encoding="utf-8") as file:
        system = next(line.split("=")[1].strip().strip('"') for line in file if line.startswith("PRETTY_NAME"))
    kernel = platform.release().split("-")[0]
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {system}, kernel {kernel}, {swift}"


def micro(value):
    return f"{value:.0f} µs" if value < 10_000 else f"{value / 1000:.0f} ms"


def kilo(value):
    return f"{value:.0f} kB" if value < 10_000 else f"{value / 1000:.1f} MB"


def rows(results):
    """The table: (what, how it is printed, {program: value}); the value beside the floor's is the ratio."""
    def medians(samples):
        return {name: statistics.median(samples[name]) for name in NAMES if name in samples}

    table = []
    for scenario, programs in results["alerts"].items():
        table.append((f"trigger to request, {scenario}", micro, medians(pick(programs, "latency"))))
        table.append(("  99 %", micro, {name: percentile(programs[name]["latency"], 0.99) for name in programs}))
    for scenario, programs in results["alerts"].items():
        if "in memory" not in scenario:
            table.append((f"CPU to the request, {scenario}", micro,
                          {name: value for name, value in medians(pick(programs, "cpu to request")).items()
                           if name != "shell and curl"}))
            # The shell's processes are booked to 10 ms: only their sum over the rounds means something.
            table.append((f"CPU per alert, {scenario}", micro,
                          {name: (statistics.mean if name == "shell and curl" else statistics.median)(found["cpu"])
                           for name, found in programs.items()}))
    for scenario, programs in results["pair"].items():
        table.append((f"trigger to request, {scenario}, two alone", micro, medians(pick(programs, "latency"))))
        table.append((f"CPU to the request, {scenario}, two alone", micro, medians(pick(programs, "cpu to request"))))
    table.append(("CPU per 1000 reports", micro, medians(results["reports"])))
    for moment, programs in results["rest"].items():
        table.append((f"wake-ups a minute, {moment}", lambda value: f"{value:.0f}",
                      {name: found["wake-ups"] * 60 / found["seconds"] for name, found in programs.items()}))
    for key, word in (("Rss", "resident"), ("Pss", "proportional"), ("Private_Dirty", "private dirty")):
        for moment, words in (("idle", "idle"), ("one", "after one HTTPS alert"),
                              ("many", f"after {results['many']} HTTPS alerts")):
            table.append((f"{word}, {words}", kilo, {
                name: statistics.median(sample[key] for sample in results["memory"][name][moment]) for name in NAMES
                if not (name == "shell and curl" and moment == "many")}))
    table.append(("start to ready", lambda value: f"{value:.0f} ms", medians(results["starts"])))
    for what in ("program", "installed"):
        table.append((f"size, {what}", lambda value: f"{value / 1000:.0f} kB",
                      {name: sizes[what] for name, sizes in results["sizes"].items()}))
    first = next(iter(results["alerts"].values()))
    table.append(("disk writes per alert", kilo,
                  {name: statistics.mean(found["written"]) / 1000 for name, found in first.items()}))
    for moment in ("idle", "1 Hz"):
        table.append((f"disk writes an hour, {moment}", kilo,
                      {name: found["written"] * 3600 / found["seconds"] / 1000
                       for name, found in results["rest"][moment].items()}))
    return table


def pick(programs, what):
    return {name: found[what] for name, found in programs.items()}


def ratio(values):
    ours, floor = values.get("soteriad"), values.get("C floor")
    return f"{ours / floor:.2f}" if ours is not None and floor else ""


def text_table(results):
    lines = [["", *NAMES, "ratio"]]
    for what, unit, values in rows(results):
        lines.append([what, *(unit(values[name]) if name in values else "" for name in NAMES), ratio(values)])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                               for column, (cell, width) in enumerate(zip(line, widths))) for line in lines)


def budget_table(verdicts):
    width = max(len(verdict.name) for verdict in verdicts)
    return "\n".join(f"{verdict.name:{width}}  {verdict.value:>9.0f} of {verdict.limit:>9.0f} {verdict.unit:5} "
                     f"{'ok' if verdict.holds else 'OVER BUDGET'}" for verdict in verdicts)


# What a reader of the README wants to know; the rest is in docs/PERFORMANCE.md.
SHORT = ("trigger to request, HTTPS warm", "trigger to request, HTTPS cold", "CPU per alert, HTTPS warm",
         "CPU per 1000 reports", "wake-ups a minute, idle", "private dirty, after one HTTPS alert", "start to ready",
         "disk writes per alert")


def markdown(results, chosen=None):
    names = NAMES if chosen is None else [name for name in NAMES if name != "C, durable"]
    lines = ["| | " + " | ".join(names) + " | ratio |", "|---" * (len(names) + 2) + "|"]
    for what, unit, values in rows(results):
        if chosen is None or what in chosen:
            cells = [unit(values[name]) if name in values else "" for name in names]
            lines.append(f"| {what.strip()} | " + " | ".join(cells) + f" | {ratio(values)} |")
    return "\n".join(lines)


def between_markers(path, text):
    """Puts `text` between the markers in the file at `path`."""
    with open(path, encoding="utf-8") as file:
        before, _, rest = file.read().partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise RuntimeError(f"{path} has no place for the table: {BEGIN} and {END}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{text}\n{END}{after}")


def write_documents(root, results, verdicts):
    date, where = results["date"], results["machine"]
    missed = [verdict for verdict in verdicts if not verdict.holds]
    state = "Every budget is kept." if not missed else (
        "Missed: " + "; ".join(f"{verdict.name} ({verdict.value:.0f} {verdict.unit}, at most {verdict.limit:.0f})"
                               for verdict in missed) + ".")
    between_markers(f"{root}/README.md",
                    f"Measured by `./bench` on {date} ({where}); ratio: soteriad to the C program.\n\n"
                    f"{markdown(results, SHORT)}\n\n![The same as a picture](docs/performance.svg)")
    budgets = "\n".join(f"| {verdict.name} | {verdict.value:.0f} {verdict.unit} | {verdict.limit:.0f} {verdict.unit} | "
                        f"{'kept' if verdict.holds else '**missed**'} |" for verdict in verdicts)
    between_markers(f"{root}/docs/PERFORMANCE.md",
                    f"{date}, {where}.\n\n{markdown(results)}\n\n{state}\n\n"
                    f"| budget | soteriad | at most | |\n|---|---|---|---|\n{budgets}")
    write_json(f"{root}/docs/performance.json", results, verdicts)
    write_picture(f"{root}/docs/performance.svg", results)


def write_json(path, results, verdicts):
    """The medians and the budgets; every sample is in the file that a run leaves behind."""
    summary = {"date": results["date"], "machine": results["machine"],
               "table": [{"what": what.strip(), **values} for what, _, values in rows(results)],
               "budgets": [verdict.row() for verdict in verdicts]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(summary, file, indent=1, ensure_ascii=False)
        file.write("\n")


def write_samples(path, results, verdicts):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**results, "budgets": [verdict.row() for verdict in verdicts]}, file, ensure_ascii=False)


STYLE = """<style>
 text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-weight: 600 } .ours { fill: #c2410c }
 .other { fill: #94a3b8 } @media (prefers-color-scheme: dark) { text { fill: #ddd } .other { fill: #64748b } }
</style>"""


def write_picture(path, results):
    """Bars by program, one panel for each of four things; each panel has a scale of its own."""
    wanted = ("trigger to request, HTTPS warm", "CPU per alert, HTTPS warm", "CPU per 1000 reports",
              "private dirty, after one HTTPS alert")
    names = [name for name in NAMES if name != "C, durable"]
    panel, step, left, bar = 40 + 24 * len(names), 24, 130, 250
    parts = []
    chosen = [row for row in rows(results) if row[0] in wanted]
    for number, (what, unit, values) in enumerate(chosen):
        x, y = (number % 2) * 480, (number // 2) * panel
        parts.append(f'<text class="title" x="{x}" y="{y + 16}">{what}</text>')
        most = max(values.values())
        for line, name in enumerate(names):
            if name not in values:
                continue
            top = y + 26 + line * step
            length = max(1, values[name] / most * bar)
            kind = "ours" if name == "soteriad" else "other"
            parts.append(f'<text x="{x}" y="{top + 13}">{name}</text>'
                         f'<rect class="{kind}" x="{x + left}" y="{top}" width="{length:.1f}" height="17"/>'
                         f'<text x="{x + left + length + 6:.1f}" y="{top + 13}">{unit(values[name])}</text>')
    height = (len(chosen) + 1) // 2 * panel
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {height}" role="img">\n'
                   f"<title>soteriad beside a C program and three scripts, {results['date']}</title>\n{STYLE}\n"
                   + "\n".join(parts) + "\n</svg>\n")


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%d %b %Y")
