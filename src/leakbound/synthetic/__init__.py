"""What publishing synthetic rows of a private generator leaks."""

from leakbound.synthetic.account import account
from leakbound.synthetic.descent import NoisyGradientDescent
from leakbound.synthetic.inverse import largest_rows, smallest_noise
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.ridge import RidgeGenerator
from leakbound.synthetic.seeds import FixedSeeds, HiddenSeeds, PublicSeeds, SeedModel, worst_seed

__all__ = [
    "FixedSeeds",
    "HiddenSeeds",
    "NoisyGradientDescent",
    "PublicSeeds",
    "Publication",
    "RidgeGenerator",
    "SeedModel",
    "account",
    "largest_rows",
    "smallest_noise",
    "worst_seed",
]
