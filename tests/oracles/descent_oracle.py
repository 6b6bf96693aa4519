"""Noisy gradient descent from its definition, in mpmath: one step after another, no eigenvalues, no closed sums."""

import itertools
import math

import mpmath

DIGITS = 50


def matrix(table):
    return mpmath.matrix([[mpmath.mpf(float(x)) for x in row] for row in table])


def parts(descent, inputs):
    rows = matrix(inputs)
    d = rows.cols
    sigma = rows.T * rows / descent.records + mpmath.mpf(descent.penalty) * mpmath.eye(d)
    eta = mpmath.mpf(descent.learning_rate)
    return rows, sigma, mpmath.eye(d) - 2 * eta * sigma, eta, 2 * eta * mpmath.mpf(descent.noise) ** 2


def law(descent, inputs, *label_sets):
    """Return the mean of the weights for each label set, and the covariance of a row of them."""
    with mpmath.workdps(DIGITS):
        rows, sigma, multiplier, eta, added = parts(descent, inputs)
        d = rows.cols
        pulls = [matrix(labels).T * rows / descent.records for labels in label_sets]
        if descent.steps == math.inf:
            # stationary: mean = mean M + 2 eta pull; C = M C M + added I, solved entry by entry
            system = mpmath.eye(d * d)
            for i, j, k, m in itertools.product(range(d), repeat=4):
                system[i * d + j, k * d + m] -= multiplier[i, k] * multiplier[m, j]
            solved = mpmath.lu_solve(system, mpmath.matrix([added * (i == j) for i in range(d) for j in range(d)]))
            inverse = mpmath.inverse(sigma)
            return *(pull * inverse for pull in pulls), reshaped(solved, d)
        means, spread = [mpmath.zeros(pull.rows, d) for pull in pulls], mpmath.eye(d)
        for _ in range(descent.steps):
            means = [mean * multiplier + 2 * eta * pull for mean, pull in zip(means, pulls, strict=True)]
            spread = multiplier * spread * multiplier + added * mpmath.eye(d)
        return *means, spread


def reshaped(entries, d):
    return mpmath.matrix([[entries[i * d + j] for j in range(d)] for i in range(d)])


def mus(descent, inputs, labels, other_labels, queries=()):
    """Return the mu of the model and of each query."""
    with mpmath.workdps(DIGITS):
        first, second, spread = law(descent, inputs, labels, other_labels)
        moved = first - second
        square = moved * mpmath.inverse(spread) * moved.T
        found = [mpmath.sqrt(sum(square[i, i] for i in range(square.rows)))]
        for query in queries:
            z = mpmath.matrix([mpmath.mpf(float(x)) for x in query])
            found.append(mpmath.norm(moved * z) / mpmath.sqrt((z.T * spread * z)[0]))
        return found


def pair_mu(descent, inputs, labels, other_labels):
    return mus(descent, inputs, labels, other_labels)[0]
