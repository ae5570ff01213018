"""`match`."""


def area(kind, a, b):
    match kind:
        case "rectangle":
            return a * b
        case "triangle":
            return a * b / 2
        case "ellipse" | "circle":
            return 3.141592653589793 * a * b
        case _:
            return 0.0


args = ("triangle", 3.0, 2.5)
argnums = (1, 2)


# ---------------------------------------- generated ----------------------------------------

def area_adjoint(kind, a, b):
    """Gradient of area with respect to a and b."""
    # forward sweep
    kind_is_rectangle = kind == "rectangle"      # line 6: case "rectangle":
    # reverse sweep
    if kind_is_rectangle:                        # line 6
        a_bar = b
        b_bar = a
    elif kind == "triangle":                     # line 8: case "triangle":
        a_bar = 0.5 * b
        b_bar = 0.5 * a
    elif kind == "ellipse" or kind == "circle":  # line 10: case "ellipse" | "circle":
        b_bar = 3.141592653589793 * a
        a_bar = 3.141592653589793 * b
    else:
        b_bar = 0.0
        a_bar = 0.0
    return a_bar, b_bar
