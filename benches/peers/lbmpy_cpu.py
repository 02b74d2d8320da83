#!/usr/bin/env python3
"""Times `lbm bench` beside lbmpy's generated CPU kernels, turn by turn.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r benches/peers/requirements.txt
    cargo build --release
    /tmp/peers/bin/python benches/peers/lbmpy_cpu.py --lbm target/release/lbm

lbmpy: Bauer, Koestler, Ruede, J. Comput. Sci. 49 (2021) 101269; kernels by pystencils, compiled by the host's C++ compiler with
`-O3 -march=native -fopenmp`, vectors of AVX-512, stores past the caches where it streams to a second copy. It does not exchange its ghost
layers here, so its boxes are not periodic; ours are. Both run on as many threads. A round times ours, then theirs; the figures are the
medians of a round's turns, and of the rounds the lowest, the median and the highest ratio.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

# Ours, theirs: streaming patterns and layouts that are set beside each other.
PAIRS = [
    ("two-lattice-pull", "soa", "pull"),
    ("esoteric-pull", "soa", "esopull"),
    ("esoteric-pull", "aosoa128", "esopull"),
    ("aa", "soa", "aa"),
    ("aa", "aosoa128", "aa"),
]


class Lbmpy:
    """A box of `size` nodes at rest, BGK, streamed by `pattern`."""

    def __init__(self, stencil, size, precision, pattern, threads):
        # Read once, when OpenMP starts.
        os.environ["OMP_NUM_THREADS"] = str(threads)
        import numpy
        import pystencils
        from lbmpy import LBMConfig, LBMOptimisation, LBStencil, Method, Stencil, create_lb_update_rule
        from lbmpy.advanced_streaming import Timestep

        kind = numpy.float32 if precision == "f32" else numpy.float64
        stencil = LBStencil(Stencil[stencil])
        box = pystencils.create_data_handling(
            tuple(size[: stencil.D]), periodicity=False, default_target=pystencils.Target.CPU, default_layout="fzyx"
        )
        source = box.add_array("source", values_per_cell=stencil.Q, dtype=kind, alignment=64)
        in_place = pattern != "pull"
        target = None if in_place else box.add_array_like("target", "source")
        box.fill("source", 0.0, ghost_layers=True)
        if target is not None:
            box.fill("target", 0.0, ghost_layers=True)
        vectors = {
            "instruction_set": "avx512",
            "nontemporal": not in_place,
            "assume_aligned": True,
            "assume_inner_stride_one": True,
        }
        self.kernels, self.vectors = [], []
        for step in [Timestep.EVEN, Timestep.ODD] if in_place else [Timestep.BOTH]:
            rule = create_lb_update_rule(
                lbm_config=LBMConfig(
                    stencil=stencil, method=Method.SRT, relaxation_rate=1.6, compressible=True,
                    zero_centered=True, streaming_pattern=pattern, timestep=step,
                ),
                lbm_optimisation=LBMOptimisation(
                    symbolic_field=source, symbolic_temporary_field=target, cse_global=False
                ),
            )
            options = pystencils.CreateKernelConfig(
                data_type=kind, cpu_openmp=threads, cpu_vectorize_info=vectors, default_number_float=kind, ghost_layers=1
            )
            kernel = pystencils.create_kernel(rule, config=options)
            self.vectors.append(str(pystencils.get_code_str(kernel)).count("_mm512"))
            self.kernels.append(kernel.compile())
        self.box, self.in_place, self.nodes = box, in_place, 1
        for n in size[: stencil.D]:
            self.nodes *= n

    def two_steps(self):
        if self.in_place:
            for kernel in self.kernels:
                self.box.run_kernel(kernel)
        else:
            for _ in range(2):
                self.box.run_kernel(self.kernels[0])
                self.box.swap("source", "target")

    def turn(self, seconds):
        """MLUPS in at least so many seconds."""
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            self.two_steps()
            steps += 2
        return self.nodes * steps / spent * 1e-6


def ours(options, name, size):
    """The median of our turns, MLUPS, and what else the command says."""
    command = [options.lbm, "bench", name, "--size", ",".join(map(str, size)), "--threads", str(options.threads),
               "--turns", str(options.turns), "--json"]
    said = subprocess.run(command, capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"{' '.join(command)}: {said.stderr.strip()}")
    return json.loads(said.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", default="target/release/lbm", help="the command")
    parser.add_argument("--stencil", default="D3Q19", choices=["D2Q9", "D3Q19", "D3Q27"])
    parser.add_argument("--size", type=int, default=192, help="nodes along each axis")
    parser.add_argument("--precision", nargs="+", default=["f32", "f64"], choices=["f32", "f64"])
    parser.add_argument("--pattern", nargs="+", help="ours, e.g. esoteric-pull; all if not given")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=9, help="turns a round")
    parser.add_argument("--seconds", type=float, default=0.3, help="of one of lbmpy's turns")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between rounds")
    options = parser.parse_args()
    import lbmpy
    import pystencils

    print(f"lbmpy {lbmpy.__version__}, pystencils {pystencils.__version__}, {options.threads} threads", file=sys.stderr)
    dimension = int(options.stencil[1])
    size = [options.size] * dimension
    for precision in options.precision:
        for streaming, layout, pattern in PAIRS:
            if options.pattern and streaming not in options.pattern:
                continue
            theirs = Lbmpy(options.stencil, size, precision, pattern, options.threads)
            name = f"{options.stencil.lower()}-bgk-{precision}-{layout}-dense-{streaming}"
            rounds = []
            for number in range(options.rounds):
                if number:
                    time.sleep(options.pause)
                mine = ours(options, name, size)
                theirs.turn(options.seconds)
                other = statistics.median(theirs.turn(options.seconds) for _ in range(options.turns))
                rounds.append((mine["mlups"] / other, mine["mlups"], other))
            ratios = sorted(ratio for ratio, _, _ in rounds)
            best = max(rounds, key=lambda one: one[1])
            print(json.dumps({
                "variant": name, "lbmpy": pattern, "size": size, "threads": options.threads,
                "ours_over_theirs": {
                    "lowest": round(ratios[0], 3), "median": round(statistics.median(ratios), 3), "highest": round(ratios[-1], 3)
                },
                "mlups": {"ours": round(best[1], 1), "theirs": round(max(other for _, _, other in rounds), 1)},
                "their_avx512_intrinsics": theirs.vectors,
            }), flush=True)


if __name__ == "__main__":
    main()
