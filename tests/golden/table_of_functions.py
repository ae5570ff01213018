"""A network whose layers name their function: which one it is, the running program finds in a table."""

import math


def squashed(x):
    return x / (1 + abs(x))


ACTIVATIONS = {"tanh": math.tanh, "squashed": squashed}


def network(x, layers):
    for weight, name in layers:
        activation = ACTIVATIONS[name]
        x = activation(weight * x)
    return x


args = (0.7, [(1.5, "tanh"), (0.5, "squashed"), (2.0, "tanh")])
argnums = 0


# ---------------------------------------- generated ----------------------------------------

import math


def squashed_reverse(x, squashed_bar):
    """Reverse of squashed(): gives the adjoint of x."""
    one_plus_abs_x = 1 + abs(x)                 # line 7: return x / (1 + abs(x))
    x_bar = squashed_bar / one_plus_abs_x
    sign_x = 1.0 if x > 0 else -1.0 if x < 0 else 0.0
    return x_bar - x_bar * (x / one_plus_abs_x) * sign_x


def network_adjoint(x, layers):
    """Gradient of network with respect to x."""
    # forward sweep
    weight_times_x_saved = []
    choice_is_0_saved = []
    for weight, name in layers:                 # line 14
        if name == "tanh":                      # line 15: activation = ACTIVATIONS[name]
            choice = 0
        else:
            if name != "squashed":
                raise KeyError(name)
            choice = 1
        weight_times_x = weight * x             # line 16: x = activation(weight * x)
        weight_times_x_saved.append(weight_times_x)
        choice_is_0 = choice == 0
        choice_is_0_saved.append(choice_is_0)
        x = math.tanh(weight_times_x) if choice_is_0 else squashed(weight_times_x)
    # reverse sweep
    x_bar = 1.0
    for item in layers[::-1]:                   # line 14
        saved_weight_times_x = weight_times_x_saved.pop()
        saved_choice_is_0 = choice_is_0_saved.pop()
        weight, _ = item
        if saved_choice_is_0:                   # line 16
            tanh = math.tanh(saved_weight_times_x)
            weight_times_x_bar = x_bar * (1.0 - tanh * tanh)
        else:
            weight_times_x_bar = squashed_reverse(saved_weight_times_x, x_bar)
        x_bar = weight_times_x_bar * weight
    return x_bar
