"""`try` where no active value is assigned in its body."""


def lookup(table, key, x):
    try:
        scale = table[key]
    except KeyError:
        scale = 1.0
    return x * x * scale


args = ({"a": 2.0}, "b", 1.5)
argnums = 2


# ---------------------------------------- generated ----------------------------------------

def lookup_adjoint(table, key, x):
    """Gradient of lookup with respect to x."""
    # forward sweep
    try:                                        # line 5
        scale = table[key]                      # line 6
    except KeyError:
        scale = 1.0
    # reverse sweep
    return 2.0 * scale * x
