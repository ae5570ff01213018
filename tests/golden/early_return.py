"""Early returns, one of them in a loop."""


def first_crossing(x, rate):
    if x < 0:
        return -x * rate
    level = x
    for i in range(20):
        if level > 10:
            return level / (i + 1)
        level = level + rate * level * level
    return level * rate


args = (0.9, 0.4)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def first_crossing_adjoint(x, rate):
    """Gradient of first_crossing with respect to x and rate."""
    if x < 0:                                             # line 5
        rate_bar = -x
        x_bar = -rate
    else:
        level_saved = []
        level = x
        returned = False
        for i in range(20):                               # line 8
            level_saved.append(level)
            if level > 10:                                # line 9
                returned = True
                break                                     # line 10: return level / (i + 1)
            level += rate * level * level                 # line 11: level = level + rate * level * level
        if returned:                                      # line 8
            level_bar = 1 / (i + 1)
            rate_bar = 0.0
        else:
            level_bar = rate
            rate_bar = level
        level_saved.reverse()
        is_last_trip = returned
        for level in level_saved:
            if not is_last_trip:                          # line 9
                rate_times_level_bar = level_bar * level  # line 11
                level_bar += 2.0 * rate * rate_times_level_bar
                rate_bar += rate_times_level_bar * level
            is_last_trip = False
        x_bar = level_bar
    return x_bar, rate_bar
