"""Seed models: who knows the seeds from which the published records were made, one file each."""

from leakbound.synthetic.seeds.base import Bound, SeedModel
from leakbound.synthetic.seeds.fixed import FixedSeeds, worst_seed
from leakbound.synthetic.seeds.hidden import HiddenSeeds
from leakbound.synthetic.seeds.public import PublicSeeds

__all__ = ["Bound", "FixedSeeds", "HiddenSeeds", "PublicSeeds", "SeedModel", "worst_seed"]
