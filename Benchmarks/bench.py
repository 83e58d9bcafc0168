"""Measures soteriad beside what a user would pick instead, holds it to its budgets, and says both. See ./bench --help."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import types

import budgets
import measurements
import report
import scale
import standins
from contestants import Floor, Soteriad

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FULL = types.SimpleNamespace(rounds=200, cold_rounds=100, batches=12, batch=100, idle=70, tracking=20, instances=3,
                             many=1000, starts=15, queue=10_000, rows=100_000)
QUICK = types.SimpleNamespace(rounds=24, cold_rounds=16, batches=4, batch=50, idle=10, tracking=5, instances=1,
                              many=100, starts=3, queue=1000, rows=10_000)


def build(directory, binary):
    """The programs that have to be made, and the certificate."""
    floor, stripped = f"{directory}/floor", f"{directory}/soteriad"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", floor, f"{ROOT}/Benchmarks/programs/floor.c",
                    "-lcurl", "-lgps", "-lsqlite3", "-lpthread"], check=True)
    subprocess.run(["strip", floor], check=True)
    # Stripped, as it is installed.
    shutil.copy(binary, stripped)
    subprocess.run(["strip", stripped], check=True)
    certificate, own, bundle = standins.make_certificate(directory)
    return types.SimpleNamespace(soteriad=stripped, stripped=stripped, floor=floor, certificate=certificate, own=own,
                                 bundle=bundle)


def say(words):
    print(f"{time.strftime('%H:%M:%S')}  {words}", file=sys.stderr, flush=True)


def measure(tools, place, amount):
    results = {"date": report.today(), "many": amount.many, "alerts": {}, "pair": {}}
    loads = [os.getloadavg()[0]]
    for name, secure, cold, where in (
            ("HTTP warm", False, False, place), ("HTTP cold", False, True, place), ("HTTPS warm", True, False, place),
            ("HTTPS cold", True, True, place), ("HTTPS warm, store in memory", True, False, "/dev/shm")):
        say(f"alerts, {name}")
        rounds = amount.cold_rounds if cold else amount.rounds
        results["alerts"][name] = measurements.alerts(tools, where, secure, cold, rounds)
    for name, secure in (("HTTP warm", False), ("HTTPS warm", True)):
        say(f"alerts beside the C floor alone, {name}")
        results["pair"][name] = measurements.alerts(tools, place, secure, False, amount.rounds, (Soteriad, Floor))
    say("files of authorities")
    results["bundle reads"] = measurements.bundle_reads(tools, place, 10)
    say("position reports")
    results["reports"] = measurements.reports(tools, place, amount.batches, amount.batch)
    say(f"at rest, for {amount.idle} s and twice {amount.tracking} s")
    results["rest"] = measurements.rest(tools, place, amount.idle, amount.tracking)
    say("memory")
    results["memory"] = measurements.memory(tools, place, amount.instances, amount.many)
    say("starts")
    results["starts"] = measurements.starts(tools, place, amount.starts)
    results["sizes"] = measurements.sizes(tools, ROOT)
    say("scale")
    loads.append(os.getloadavg()[0])
    results["scale"] = scale.measure(tools, place, amount.queue, amount.rows)
    loads.append(os.getloadavg()[0])
    # The bench itself is one or two of it: more is what else the machine did meanwhile.
    results["machine"] = f"{report.machine()}; load {min(loads):.0f} to {max(loads):.0f} meanwhile"
    return results


def scale_text(found):
    lines = []
    for size, queue in found["queues"].items():
        lines.append(f"{size} queued: press {statistics.median(queue['presses']) / 1000:.1f} ms, drained in "
                     f"{queue['drain'] / 1000:.1f} s, at most {queue['peak'] / 1000:.0f} MB resident")
    large = found["large store"]
    lines.append(f"large store: ready after {large['ready']:.0f} ms, first press {large['first'][0] / 1000:.1f} ms, "
                 f"then {statistics.median(large['presses']) / 1000:.1f} ms; {large['alerts left']} alerts left, "
                 f"{large['bytes'] / 1e6:.1f} MB")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        prog="./bench", description=__doc__, epilog="--curve, alone: draws docs/retries.svg from the test of the retries.")
    parser.add_argument("--check", action="store_true", help="fail when a budget is missed")
    parser.add_argument("--quick", action="store_true", help="two minutes and rough figures")
    parser.add_argument("--write", action="store_true", help="write README's table and docs/ from this run")
    arguments = parser.parse_args()
    if arguments.write and arguments.quick:
        parser.error("what a quick run finds is too rough to be written down")

    output = f"{ROOT}/.build/bench"
    os.makedirs(output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="soteriad-bench-") as directory:
        tools = build(directory, os.environ["SOTERIAD_BIN"])
        # Beside the project, on a disk: /tmp is often in memory.
        results = measure(tools, output, QUICK if arguments.quick else FULL)
    verdicts = budgets.verdicts(results)
    report.write_samples(f"{output}/bench.json", results, verdicts)
    report.write_picture(f"{output}/bench.svg", results)
    print(report.text_table(results))
    print()
    print(scale_text(results["scale"]))
    print()
    print(report.budget_table(verdicts))
    print(f"\nevery sample: {output}/bench.json, picture: {output}/bench.svg")
    if arguments.write:
        report.write_documents(ROOT, results, verdicts)
    missed = [verdict for verdict in verdicts if not verdict.holds]
    for verdict in missed:
        print(verdict.explain())
    if missed and arguments.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
