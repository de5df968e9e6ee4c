#!/usr/bin/env python3
"""Draws what tools/bench measured: time over the limit by size, a panel a family, a line a contender.

usage: tools/speed_plot.py JSON SVG
"""
import json
import math
import sys
from html import escape
from pathlib import Path

# Of Okabe and Ito, which people with any sight tell apart; ours last, to lie on top.
COLOURS = {"NumPy": "#e69f00", "oneDNN": "#009e73", "libtorch": "#d55e00", "optimized": "#0072b2"}
COLUMNS = 6
WIDTH, HEIGHT = 190, 130  # of a panel
LEFT, TOP, GAP_X, GAP_Y = 40, 76, 16, 40
SIZES = [(2**10, "1K"), (2**15, "32K"), (2**20, "1M"), (2**25, "32M")]


class Scale:
    """Logarithms of values onto a length."""

    def __init__(self, least, most, start, end):
        self.least, self.start = math.log(least), start
        self.step = (end - start) / (math.log(most) - self.least)

    def __call__(self, value):
        return self.start + (math.log(value) - self.least) * self.step


def points_by_family(cells):
    """{family: {contender: [(bytes, time over limit), ...] by size}}"""
    families = {}
    for cell in cells:
        family = families.setdefault(cell["family"], {name: [] for name in COLOURS})
        size = cell["bytes_read"] + cell["bytes_written"]
        for name in COLOURS:
            if name in cell["times"]:
                family[name].append((size, cell["times"][name]["ns"] / cell["limit_ns"]))
    for family in families.values():
        for points in family.values():
            points.sort()
    return families


def means(points):
    """Neighbours of about one size become one point, so that lines do not jump back and forth."""
    groups = []
    for size, ratio in points:
        if groups and size < 4 * groups[-1][0][0]:
            groups[-1].append((size, ratio))
        else:
            groups.append([(size, ratio)])
    mean = lambda values: math.exp(sum(map(math.log, values)) / len(values))
    return [(mean([size for size, _ in group]), mean([ratio for _, ratio in group])) for group in groups]


def panel(name, family, x, y, ratios):
    parts = [f'<text x="0" y="-6" class="name">{escape(name)}</text>']
    for ratio in ratios:
        kind = "limit" if ratio == 1 else "grid"
        parts.append(f'<path class="{kind}" d="M0 {y(ratio):.1f}H{WIDTH}"/>')
        parts.append(f'<text x="-4" y="{y(ratio) + 3:.1f}" text-anchor="end">{ratio:g}</text>')
    for size, text in SIZES:
        if not 0 <= x(size) <= WIDTH:
            continue
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT + 12}" text-anchor="middle">{text}</text>')
    for contender, points in family.items():
        if not points:
            continue
        colour = COLOURS[contender]
        dots = "".join(f"M{x(size):.1f} {y(ratio):.1f}h0" for size, ratio in points)
        line = "L".join(f"{x(size):.1f} {y(ratio):.1f}" for size, ratio in means(points))
        width = 2.2 if contender == "optimized" else 1.2
        parts.append(f'<path class="dots" stroke="{colour}" d="{dots}"/>')
        parts.append(f'<path fill="none" stroke="{colour}" stroke-width="{width}" d="M{line}"/>')
    return "".join(parts)


def legend(report):
    versions = report["versions"]
    machine = report["machine"]
    parts = [f'<text x="{LEFT}" y="22" class="title">Time over that of a plain copy of as many bytes, by bytes read and '
             f'written: {escape(machine["cpu"])}</text>']
    at = LEFT
    for name in reversed(COLOURS):
        version = versions["opconform"] if name == "optimized" else versions.get(name)
        if version is None:
            continue
        parts.append(f'<path d="M{at} 40h24" stroke="{COLOURS[name]}" stroke-width="3"/>')
        parts.append(f'<text x="{at + 30}" y="44" class="name">{escape(f"{name} {version}")}</text>')
        at += 150
    return "".join(parts)


def plot(report):
    families = points_by_family(report["cells"])
    ratios = [ratio for family in families.values() for points in family.values() for _, ratio in points]
    sizes = [size for family in families.values() for points in family.values() for size, _ in points]
    least, most = min(*ratios, 1.0), max(*ratios, 2.0)
    x = Scale(min(sizes) / 1.5, max(sizes) * 1.5, 0, WIDTH)
    y = Scale(least / 1.1, most * 1.1, HEIGHT, 0)
    marks = [4.0**k for k in range(-2, 8) if least <= 4.0**k <= most]
    rows = -(-len(families) // COLUMNS)
    width = LEFT + COLUMNS * (WIDTH + LEFT) + GAP_X
    height = TOP + rows * (HEIGHT + GAP_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="9">',
        "<style>.title{font-size:15px}.name{font-size:11px}.grid{stroke:#ddd}.limit{stroke:#888}"
        ".dots{stroke-width:3;stroke-linecap:round;opacity:.5}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        legend(report),
    ]
    for k, (name, family) in enumerate(families.items()):
        left = LEFT + k % COLUMNS * (WIDTH + LEFT)
        top = TOP + k // COLUMNS * (HEIGHT + GAP_Y)
        parts.append(f'<g class="family" transform="translate({left} {top})">{panel(name, family, x, y, marks)}</g>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(sys.argv[2]).write_text(plot(report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
