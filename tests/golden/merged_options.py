"""Options that override others: copied key by key, a list beside numbers."""


def model(x, options):
    own = {**options, "rate": x * 2}
    total = 0.0
    for weight in own["weights"]:
        total += weight * own["rate"]
    return total * own["scale"] ** 2


args = (1.3, {"rate": 1.0, "scale": 3.0, "weights": [0.5, 0.25]})
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

from s2sad.runtime import zeros_like


def dict_forward(first, first_bar):
    """dict(), and what dict_reverse() needs."""
    copied = {"rate": first["rate"], "scale": first["scale"], "weights": first["weights"]}
    copied_bar = {"rate": 0.0, "scale": 0.0, "weights": first_bar["weights"]}
    return copied, copied_bar, copied_bar


def copy_dict_forward(first, second, first_bar):
    """copy_dict(), and what copy_dict_reverse() needs."""
    first_scale = first["scale"]
    first_weights = first["weights"]
    copied = {"rate": second["rate"], "scale": first_scale, "weights": first_weights}
    copied_bar = {"rate": 0.0, "scale": 0.0, "weights": first_bar["weights"]}
    return copied, copied_bar, copied_bar


def model_adjoint(x, options):
    """Gradient of model with respect to x and options."""
    # forward sweep
    options_bar = zeros_like(options)                 # line 4: def model(x, options):
    dict_result, copy_dict_result_bar, dict_kept = dict_forward(options, options_bar)  # line 5
    table = {"rate": x * 2}
    own, own_bar, copy_dict_kept = copy_dict_forward(dict_result, table, copy_dict_result_bar)
    own_weights = own["weights"]                      # line 7: for weight in own["weights"]:
    own_weights_bar = own_bar["weights"]
    len_own_weights = len(own_weights)
    total = 0.0
    for i in range(len_own_weights):
        weight = own_weights[i]
        total += weight * own["rate"]                 # line 8
    own_scale = own["scale"]                          # line 9: return total * own["scale"] ** 2
    own_scale_squared = own_scale ** 2
    # reverse sweep
    table_bar = zeros_like(table)
    own_bar["scale"] += total * (2.0 * own_scale)     # line 9
    for i in range(len_own_weights - 1, -1, -1):      # line 7
        weight = own_weights[i]
        weight_bar = own_scale_squared * own["rate"]  # line 8
        own_bar["rate"] += own_scale_squared * weight
        own_weights_bar[i] += weight_bar              # line 7
    copy_dict_kept_scale = copy_dict_kept["scale"]    # line 5
    table_bar["rate"] += copy_dict_kept["rate"]
    copy_dict_result_bar["scale"] += copy_dict_kept_scale
    x_bar = 2.0 * table_bar["rate"]
    dict_kept_rate = dict_kept["rate"]
    options_bar["scale"] += dict_kept["scale"]
    options_bar["rate"] += dict_kept_rate
    return x_bar, options_bar
