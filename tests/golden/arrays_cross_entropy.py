"""Softmax regression with labels: one element a row, and a maximum without influence."""

import numpy as np


def loss(w, x, labels):
    scores = x @ w
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(labels)), labels])


args = (
    np.array([[0.5, -0.3, 0.2], [0.1, 0.4, -0.6]]),
    np.array([[1.0, 2.0], [0.3, -1.0], [0.5, 0.5], [-1.0, 2.0]]),
    np.array([0, 2, 1, 2]),
)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def loss_adjoint(w, x, labels):
    """Gradient of loss with respect to w."""
    # forward sweep
    scores = x @ w                                           # line 7
    scores = scores - np.max(scores, axis=1, keepdims=True)  # line 8
    exp_scores = np.exp(scores)  # line 9: log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    sum_exp_scores = np.sum(exp_scores, axis=1, keepdims=True)
    arange_len_labels = np.arange(len(labels))  # line 10: return -np.mean(log_p[np.arange(len(labels)), labels])
    # reverse sweep
    minus_over_max_size = -1.0 / max(labels.size, 1)         # line 10
    scores_bar = -minus_over_max_size / sum_exp_scores * exp_scores  # line 9
    scores_bar[arange_len_labels, labels] += minus_over_max_size  # line 10
    return x.T @ scores_bar
