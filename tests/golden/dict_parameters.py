"""Parameters in a dict: the gradient is a dict."""

import math


def model(params, t):
    rate = params["rate"]
    return params["scale"] * math.exp(-rate * t) + params["offset"] * rate


args = ({"rate": 0.5, "scale": 2.0, "offset": 0.3}, 1.7)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

from s2sad.runtime import as_gradient, zeros_like
import math


def model_adjoint(params, t):
    """Gradient of model with respect to params."""
    # forward sweep
    rate = params["rate"]                                   # line 7
    element = params["scale"]  # line 8: return params["scale"] * math.exp(-rate * t) + params["offset"] * rate
    result = math.exp(-rate * t)
    element_2 = params["offset"]
    # reverse sweep
    params_bar = zeros_like(params)
    params_bar["offset"] += rate                            # line 8
    params_bar["scale"] += result
    params_bar["rate"] += element_2 - element * result * t  # line 7
    return as_gradient(params_bar, params)
