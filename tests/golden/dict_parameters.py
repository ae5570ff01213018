"""Parameters in a dict: the gradient is a dict."""

import math


def model(params, t):
    rate = params["rate"]
    return params["scale"] * math.exp(-rate * t) + params["offset"] * rate


args = ({"rate": 0.5, "scale": 2.0, "offset": 0.3}, 1.7)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import math
from s2sad.runtime import zeros_like


def model_adjoint(params, t):
    """Gradient of model with respect to params."""
    # forward sweep
    rate = params["rate"]                       # line 7
    params_scale = params["scale"]  # line 8: return params["scale"] * math.exp(-rate * t) + params["offset"] * rate
    exp_minus_rate_times_t = math.exp(-rate * t)
    params_offset = params["offset"]
    # reverse sweep
    params_bar = zeros_like(params)
    params_bar["offset"] += rate                # line 8
    params_bar["scale"] += exp_minus_rate_times_t
    params_bar["rate"] += params_offset - params_scale * exp_minus_rate_times_t * t  # line 7
    return params_bar
