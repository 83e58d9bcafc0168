"""Draws docs/retries.svg from the counts that the test of the retries' spread leaves: ./bench --curve."""

import statistics
import sys

WIDTH, HEIGHT, LEFT, TOP = 720, 240, 56, 40


def draw(counts):
    mean, peak = statistics.mean(counts), max(counts)
    ceiling = max(3.3 * mean, peak)
    step = WIDTH / len(counts)

    def height(count):
        return count / ceiling * HEIGHT

    bars = "".join(f'<rect class="bar" x="{LEFT + second * step:.1f}" y="{TOP + HEIGHT - height(count):.1f}" '
                   f'width="{step * 0.9:.1f}" height="{height(count):.1f}"/>' for second, count in enumerate(counts))
    lines = "".join(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{TOP + HEIGHT - height(value):.1f}" '
                    f'y2="{TOP + HEIGHT - height(value):.1f}"/>'
                    f'<text x="{LEFT + WIDTH - 4}" y="{TOP + HEIGHT - height(value) - 5:.1f}" '
                    f'text-anchor="end">{words}</text>'
                    for value, words in ((mean, f"mean, {mean:.0f} a second"), (3 * mean, "3 times the mean")))
    ticks = "".join(f'<text x="{LEFT + second * step:.1f}" y="{TOP + HEIGHT + 18}">{second} s</text>'
                    for second in range(0, len(counts), 10))
    return f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {TOP + HEIGHT + 30}" role="img">
<title>When {sum(counts)} devices come back to a gateway that was down for an hour</title>
<style>
 text {{ font: 13px system-ui, sans-serif; fill: #222 }} line {{ stroke: #222; stroke-dasharray: 5 4 }} .bar {{ fill: #c2410c }}
 @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} line {{ stroke: #ddd }} }}
</style>
<text x="{LEFT}" y="20">Tries a second after the gateway is back: {sum(counts)} devices, down for an hour; peak {peak}</text>
{bars}{lines}{ticks}
</svg>
'''


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        seconds = [int(line) for line in file.read().split()]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(seconds))
