#!/usr/bin/env python3
"""What measured speeds of kernels and links say of many devices: prints the tables of docs/scaling.md. A model, not a measurement."""

import math

# Measured on H100s of one host (BENCHMARKS.md): million updates a second of one device in a box of 512^3, values that cross at a node of a face,
# bytes of one, bytes that a checkpoint holds of a node.
ROWS = {
    "`aa` f32": (19_171, 5, 4, 76),
    "`aa` f16 storage": (39_114, 5, 2, 38),
    "moments f32": (32_602, 10, 4, 40),
}
# Shares measured there, percent: weak on 2 and 4, strong on 2 and 4; with nothing beside what crosses, and with the rim first.
MEASURED = {
    "`aa` f32": ((98.1, 97.6, 95.9, 90.2), (99.5, 99.4, 98.7, 96.5)),
    "`aa` f16 storage": ((96.0, 95.2, 92.4, 83.8), (98.1, 98.1, 96.6, 93.8)),
    "moments f32": ((97.0, 96.2, 95.8, 83.0), (99.0, 97.7, 98.4, 90.7)),
}
# What bringing it takes alone on 2 devices: 5.2 MB a device and step 94 us, 10.5 MB 113 us, 21.0 MB 152 us.
NVLINK, BEGIN = 271e9, 75e-6  # bytes/s and seconds, the line through these
ONE_HOST_MORE = 35e-6  # each further device: one thread of the host starts what all of them do
# Not measured: one process a device, a network of 400 Gb/s a device at 90 %, and what a message takes to begin.
NETWORK, NETWORK_BEGIN = 45e9, 40e-6
# Where the rim goes first: the speed of its planes, and what a second kernel, its marks and its end cost a step. The second is chosen so that populations come out as measured.
RIM, TWICE = 0.5, 40e-6

SIDE = 512


def faces(n, cuts):
    """Nodes at faces with neighbours; cuts: how many faces across x, y, z have one."""
    return cuts[0] * n[1] * n[2] + cuts[1] * n[0] * n[2] + cuts[2] * n[0] * n[1]


def share(row, n, cuts, bandwidth, begin, overlap=False):
    """Speed a device, of its speed alone."""
    mlups, values, size, _ = ROWS[row]
    alone = n[0] * n[1] * n[2] / (mlups * 1e6)
    crossing = begin + faces(n, cuts) * values * size / bandwidth
    if not overlap:
        return alone / (alone + crossing)
    rim = faces(n, cuts) / (mlups * 1e6) / RIM
    return alone / (TWICE + rim + max(alone - rim * RIM, crossing))


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def percent(x):
    return f"{100 * x:.1f} %"


head = ["", "weak, 2", "weak, 4", "weak, 8", "strong, 2", "strong, 4", "strong, 8"]
for beside, said in ((False, "nothing beside what crosses"), (True, "the rim first, and what crosses beside the rest")):
    print(f"One host, cut along z, {said}: the model beside what was measured:\n")
    rows = []
    for row in ROWS:
        cells = []
        for kind in (0, 1):
            for number, devices in enumerate((2, 4, 8)):
                n = (SIDE, SIDE, SIDE // devices if kind else SIDE)
                model = share(row, n, (0, 0, 2), NVLINK, BEGIN + ONE_HOST_MORE * (devices - 2), beside)
                measured = MEASURED[row][beside]
                cells.append(percent(model) + (f" ({measured[2 * kind + number]} %)" if number < 2 else ""))
        rows.append([row] + cells)
    table(head, rows)

print("Several hosts, 512^3 a device, as it is, and with what crosses beside the bulk:\n")
shapes = {"slabs": (0, 0, 2), "pencils": (0, 2, 2), "blocks": (2, 2, 2)}
rows = []
for row in ROWS:
    cells = [share(row, (SIDE,) * 3, cuts, NETWORK, NETWORK_BEGIN, beside) for cuts in shapes.values() for beside in (False, True)]
    rows.append([row] + [f"{percent(cells[k])}, {percent(cells[k + 1])}" for k in range(0, 6, 2)])
table([""] + list(shapes), rows)

print("In all, blocks of 512^3, as it is:\n")
rows = []
for devices in (4, 64, 1_024, 16_384):
    nodes = devices * SIDE**3
    mlups, _, _, stored = ROWS["`aa` f32"]
    cuts = (0, 0, 2) if devices <= 4 else (2, 2, 2)
    bandwidth, begin = (NVLINK, BEGIN + 2 * ONE_HOST_MORE) if devices <= 4 else (NETWORK, NETWORK_BEGIN)
    speed = devices * mlups * 1e6 * share("`aa` f32", (SIDE,) * 3, cuts, bandwidth, begin)
    checkpoint = nodes * stored
    # One failure in 50,000 hours of a device; a checkpoint at 100 GB/s; Daly's interval between two.
    between = 50_000 * 3600 / devices
    write = checkpoint / 100e9
    interval = math.sqrt(2 * write * between)
    lost = write / interval + interval / (2 * between)
    # Each rank says its own to all others, one rank after the other, twice a look.
    look = 2 * devices * (5e-6 * math.ceil(math.log2(max(devices, 2))))
    rows.append([
        f"{devices:,}", f"{nodes:.1e}", f"{speed / 1e12:.2f}", f"{checkpoint / 1e12:.2f} TB, {write:,.0f} s",
        f"{between / 3600:,.0f} h", f"{interval / 60:,.0f} min, {percent(lost)}", f"{look * 1e3:,.1f} ms", f"{nodes / 1e9:,.1f} GB",
    ])
table(["devices", "nodes", "10^12 updates a second", "checkpoint, at 100 GB/s", "a failure every", "a checkpoint every, time lost", "a look", "solids of the whole box, where asked for"], rows)
