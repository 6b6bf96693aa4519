"""The README's claim that importing leakbound is light: its time beside scipy.stats's, in one run."""

import subprocess
import sys
import time

OPTIONAL = ("flint", "typer", "rich", "jinja2", "plotly", "dp_accounting", "torch", "opacus", "sklearn", "dask")


def seconds(code: str) -> float:
    """Return the least time of seven runs of a fresh interpreter."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Print the ratio and the optional packages that were loaded; fail above 1.3 or if there is one."""
    ratio = seconds("import leakbound") / seconds("import scipy.stats")
    code = f"import leakbound, sys; print(*[name for name in {OPTIONAL} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    print(f"import leakbound takes {ratio:.2f} times import scipy.stats; optional packages loaded: {loaded or 'none'}")
    return 0 if ratio <= 1.3 and not loaded else 1


if __name__ == "__main__":
    sys.exit(main())
