"""Ridge regression as it is written, and an attacker who looks for two neighbouring data sets with distant weights."""

import math

import numpy as np


def weights(rows, labels, penalty):
    """Return the minimiser of (1/m) sum |w x - y|^2 + penalty |w|^2, outputs by features, from its equation."""
    count, features = rows.shape
    return np.linalg.solve(rows.T @ rows / count + penalty * np.eye(features), rows.T @ labels / count).T


def attack(rng, *, records, penalty, row_bound, label_bound, evaluations, features=2, outputs=1, crowd=500):
    """Return the largest distance of weights found, and how many pairs were looked at.

    The records that both data sets share stand in two groups of equal ones. A crowd of pairs, drawn at random, takes
    random steps of shrinking size wherever they help, and its worse half is replaced by copies of the better one.
    """
    first = rng.integers(0, records, size=crowd)
    sizes = np.stack([first, records - 1 - first], axis=1).astype(float)
    shares_x = rng.normal(size=(crowd, 4, features))  # two groups, the record, and what replaces it
    shares_y = rng.normal(size=(crowd, 4, outputs))
    kept, looked, step = np.full(crowd, -math.inf), 0, 1.0
    while looked < evaluations:
        steps = step * rng.choice([1.0, 0.1, 0.01], size=(crowd, 1, 1)) * (looked > 0)
        new_x = _in_ball(shares_x + steps * rng.normal(size=shares_x.shape))
        new_y = _in_ball(shares_y + steps * rng.normal(size=shares_y.shape))
        found = distances(new_x * row_bound, new_y * label_bound, sizes, records, penalty)
        looked += crowd
        better = found > kept
        for old, new in ((shares_x, new_x), (shares_y, new_y), (kept, found)):
            old[better] = new[better]
        order, half = np.argsort(-kept), crowd // 2
        for array in (shares_x, shares_y, sizes, kept):
            array[order[half : 2 * half]] = array[order[:half]]
        step = max(0.9 * step, 1e-3)
    return float(kept.max()), looked


def _in_ball(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=2, keepdims=True), 1.0)


def distances(rows, labels, sizes, records, penalty):
    """Return the distances of the weights of pairs: the groups with the third record, and with the fourth."""
    share = sizes[:, :, None] / records
    matrix = np.swapaxes(rows[:, :2] * share, 1, 2) @ rows[:, :2] + penalty * np.eye(rows.shape[2])
    right = np.swapaxes(rows[:, :2] * share, 1, 2) @ labels[:, :2]
    one, other = (
        np.linalg.solve(
            matrix + rows[:, k, :, None] * rows[:, k, None, :] / records,
            right + rows[:, k, :, None] * labels[:, k, None, :] / records,
        )
        for k in (2, 3)
    )
    return np.linalg.norm(one - other, axis=(1, 2))


def leave_one_out(*, records, penalty, row_bound, label_bound, points=400, zooms=12):
    """Return the largest value of the two-variable bound on grids that close in on it: never above the true maximum.

    The bound, in s = sqrt(p) and q, is (2/m) s M_y (1 + sqrt((1 - 1/m)(q - penalty s^2))) / (1 + q/m), over
    0 <= s <= M_x / penalty and penalty s^2 <= q <= M_x s; q is written as a share, between its ends, squared.
    """
    best, centre, width = 0.0, np.array([0.5, 0.5]), np.array([0.5, 0.5])
    for _ in range(zooms):
        low, high = np.maximum(centre - width, 0.0), np.minimum(centre + width, 1.0)
        s, share = np.meshgrid(*(np.linspace(a, b, points) for a, b in zip(low, high, strict=True)), indexing="ij")
        t = s * row_bound / penalty
        free = share**2 * t * row_bound * (1 - s)  # q - penalty s^2
        q = penalty * t * t + free
        value = 2 / records * t * label_bound * (1 + np.sqrt((1 - 1 / records) * free)) / (1 + q / records)
        place = np.unravel_index(np.argmax(value), value.shape)
        best = max(best, float(value[place]))
        centre, width = np.array([s[place], share[place]]), width / 8
    return best
