"""What a promise is: frozen values, one noun per file, with the conversions and compositions between them."""

from leakbound.guarantees import compose, convert, inverse
from leakbound.guarantees.approx import ApproxDP
from leakbound.guarantees.arrows import ARROWS, restate
from leakbound.guarantees.base import NEIGHBOURING, Guarantee
from leakbound.guarantees.concentrated import ZeroConcentratedDP
from leakbound.guarantees.curves import Curve, DPCurve, Events, GaussianCurve, LaplaceCurve, Statements
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.guarantees.kernel_renyi import KernelRenyiDP
from leakbound.guarantees.max_information import MaxInformation
from leakbound.guarantees.mutual_information import MutualInformation
from leakbound.guarantees.profile import PrivacyProfile
from leakbound.guarantees.pure import PureDP
from leakbound.guarantees.renyi import RenyiDP
from leakbound.guarantees.risk_bound import RiskBound
from leakbound.guarantees.tradeoff import TradeOff

__all__ = [
    "ARROWS",
    "NEIGHBOURING",
    "ApproxDP",
    "Curve",
    "DPCurve",
    "Events",
    "GaussianCurve",
    "GaussianDP",
    "Guarantee",
    "KernelRenyiDP",
    "LaplaceCurve",
    "MaxInformation",
    "MutualInformation",
    "PrivacyProfile",
    "PureDP",
    "RenyiDP",
    "RiskBound",
    "Statements",
    "TradeOff",
    "ZeroConcentratedDP",
    "compose",
    "convert",
    "inverse",
    "restate",
]
