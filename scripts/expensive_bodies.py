"""Search for legal request bodies that cost much CPU time, and list the worst ones.

python3 scripts/dev.py run scripts/expensive_bodies.py --count 400 --out FOLDER
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from expensive.bodies import EFFORTS, Body, bodies
from expensive.measuring import Cost, cost_of
from tqdm import tqdm

from service.solver.budget import CPU_LIMITS_S


def main(arguments: Sequence[str]) -> int:
    """Print the most expensive requests; return 1 if one exceeds the limit of its effort."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="requests to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", action="append", choices=EFFORTS, help="may be repeated")
    parser.add_argument("--show", type=int, default=10, help="requests to list for each effort")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="for the listed bodies")
    options = parser.parse_args(arguments)
    efforts = tuple(options.effort or EFFORTS)
    rows: list[tuple[Body, Cost]] = []
    for body in tqdm(islice(bodies(options.seed, efforts), options.count), total=options.count):
        rows.append((body, cost_of(body)))
    rows.sort(key=lambda row: -row[1].cpu_s)
    exceeded = 0
    for effort in efforts:
        own = [row for row in rows if row[0].effort == effort]
        print(f"{effort}: limit of all searches {CPU_LIMITS_S[effort]:g} s, {len(own)} requests")
        for number, (body, cost) in enumerate(own[: options.show]):
            exceeded += cost.cpu_s > CPU_LIMITS_S[effort]
            print(f"  {cost.cpu_s:6.2f} s  {cost.outcome:12}  {body.game} {body.operation}")
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                path = options.out / f"{effort}-{number}-{body.game}-{body.operation}.json"
                path.write_text(json.dumps(body.document), encoding="utf-8")
    return int(exceeded > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
