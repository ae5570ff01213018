"""A recurrent network: one state is saved a step."""

import numpy as np


def rnn(w, u, xs, h):
    for t in range(xs.shape[0]):
        h = np.tanh(w @ h + u @ xs[t])
    return np.sum(h * h)


args = (
    np.array([[0.5, -0.3], [0.1, 0.4]]),
    np.array([[0.7], [-0.2]]),
    np.array([[0.3], [1.0], [-0.5]]),
    np.array([0.1, -0.1]),
)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import numpy as np


def rnn_adjoint(w, u, xs, h):
    """Gradient of rnn with respect to w and u."""
    # forward sweep
    h_saved = []
    shape_0 = xs.shape[0]                       # line 7: for t in range(xs.shape[0]):
    for t in range(shape_0):
        h_saved.append(h)
        h = np.tanh(w @ h + u @ xs[t])          # line 8
    # reverse sweep
    u_bar = np.zeros_like(u)                    # line 8
    w_bar = np.zeros_like(w)
    h_bar = 2 * h
    for t in range(shape_0 - 1, -1, -1):        # line 7
        h_2 = h_saved.pop()
        scaled_h_bar = h_bar * (1 - h * h)      # line 8
        u_bar += scaled_h_bar[:, None] * xs[t]
        w_bar += scaled_h_bar[:, None] * h_2
        h = h_2
        h_bar = w.T @ scaled_h_bar
    return w_bar, u_bar
