"""The bounds of Pierquin, Bellet, Tommasi and Boussard (2025), section 4, as a reproduction: estimates, no guarantees.

Their constants are not known, so every one is an argument without default; the paper sets it to one. What holds stands
in `leakbound.synthetic`: `account` is exact for one output, at every number of features and rows.
"""

from leakbound.certificate.standing import Standing
from leakbound.synthetic.paper.bound import PaperBound, record_bound, rows_bound
from leakbound.synthetic.paper.characteristic import characteristic
from leakbound.synthetic.paper.closeness import product_distance, record_distance, small_features_warning
from leakbound.synthetic.paper.covariances import covariance_tradeoff
from leakbound.synthetic.paper.limits import (
    matrix_renyi,
    record_rate,
    rows_rate,
    variance_renyi,
    worst_norms,
    worst_ratio,
)
from leakbound.synthetic.paper.scales import scale_renyi, scale_tradeoff
from leakbound.synthetic.paper.transfer import record_tradeoff, rows_tradeoff, transferred
from leakbound.synthetic.paper.weighted import WeightedChiSquare

STANDING = Standing.ESTIMATE
"""What every number of this package is."""

__all__ = [
    "STANDING",
    "PaperBound",
    "WeightedChiSquare",
    "characteristic",
    "covariance_tradeoff",
    "matrix_renyi",
    "product_distance",
    "record_bound",
    "record_distance",
    "record_rate",
    "record_tradeoff",
    "rows_bound",
    "rows_rate",
    "rows_tradeoff",
    "scale_renyi",
    "scale_tradeoff",
    "small_features_warning",
    "transferred",
    "variance_renyi",
    "worst_norms",
    "worst_ratio",
]
