import subprocess
import sys


def test_importing_does_not_load_distances():
    code = "import leakbound.numerics.kernels, sys; sys.exit('scipy.spatial' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
