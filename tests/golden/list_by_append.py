"""A list that is built by `append`."""


def path(x, n):
    points = [x]
    for i in range(n):
        points.append(points[i] * points[i] - 0.4 * x)
    total = 0.0
    for p in points:
        total += p * p
    return total


args = (0.8, 6)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def path_adjoint(x, n):
    """Gradient of path with respect to x."""
    # forward sweep
    points_i_saved = []
    points = [x]                                # line 5
    scaled_x = 0.4 * x                          # line 7: points.append(points[i] * points[i] - 0.4 * x)
    for i in range(n):                          # line 6
        points_i = points[i]                    # line 7
        points_i_saved.append(points_i)
        points.append(points_i * points_i - scaled_x)
    len_points = len(points)                    # line 9: for p in points:
    # reverse sweep
    points_bar = [0.0] * len_points
    for i in range(len_points - 1, -1, -1):     # line 9
        p = points[i]
        points_bar[i] = 2.0 * p
    x_bar = 0.0
    for i in range(n - 1, -1, -1):              # line 6
        points_last_bar = points_bar.pop()      # line 7
        points_bar[i] += 2.0 * points_last_bar * points_i_saved.pop()
        x_bar -= 0.4 * points_last_bar
    return x_bar + points_bar[0]
