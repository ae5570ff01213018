"""A table of lists, filled row by row."""


def romberg(p, n):
    table = [[0.0] * (n + 1) for _ in range(n + 1)]
    h = 1.0
    table[0][0] = 0.5 / (1.0 + p) + 0.5
    for i in range(1, n + 1):
        h /= 2
        s = 0.0
        for k in range(1, 2**i, 2):
            s += 1.0 / (1.0 + p * (k * h) ** 2)
        table[i][0] = 0.5 * table[i - 1][0] + s * h
        for j in range(1, i + 1):
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (4**j - 1)
    return table[n][n]


args = (0.8, 5)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

def romberg_adjoint(p, n):
    """Gradient of romberg with respect to p."""
    # forward sweep
    h_saved = []
    n_plus_one = n + 1                               # line 5: table = [[0.0] * (n + 1) for _ in range(n + 1)]
    table = []
    table_bar = []
    for _ in range(n_plus_one):
        zeros = [0.0] * n_plus_one
        table.append([0.0] * n_plus_one)
        table_bar.append(zeros)
    one_plus_p = 1.0 + p                             # line 7: table[0][0] = 0.5 / (1.0 + p) + 0.5
    half_over_one_plus_p = 0.5 / one_plus_p
    table_0_bar = table_bar[0]
    table[0][0] = half_over_one_plus_p + 0.5
    h = 1.0
    for i in range(1, n_plus_one):                   # line 8: for i in range(1, n + 1):
        h /= 2                                       # line 9
        h_saved.append(h)
        s = 0.0
        for k in range(1, 2 ** i, 2):                # line 11: for k in range(1, 2**i, 2):
            s += 1.0 / (1.0 + p * (k * h) ** 2)      # line 12
        table[i][0] = 0.5 * table[i - 1][0] + s * h  # line 13
        for j in range(1, i + 1):                    # line 14
            table_i_j_minus_one = table[i][j - 1]    # line 15
            difference = table[i][j - 1] - table[i - 1][j - 1]
            table[i][j] = table_i_j_minus_one + difference / (4 ** j - 1)
    table_n_bar = table_bar[n]                       # line 16: return table[n][n]
    # reverse sweep
    table_n_bar[n] += 1.0                            # line 16
    p_bar = 0.0
    for i in range(n, 0, -1):                        # line 8
        h = h_saved.pop()
        two_to_i = 2 ** i                            # line 11
        for j in range(i, 0, -1):                    # line 14
            table_i_bar = table_bar[i]               # line 15
            table_i_j_bar = table_i_bar[j]
            table_i_bar[j] = 0.0
            difference_bar = table_i_j_bar / (4 ** j - 1)
            table_bar[i - 1][j - 1] -= difference_bar
            table_i_bar[j - 1] += difference_bar + table_i_j_bar
        table_i_bar = table_bar[i]                   # line 13
        table_i_0_bar = table_i_bar[0]
        table_i_bar[0] = 0.0
        s_bar = table_i_0_bar * h
        table_bar[i - 1][0] += 0.5 * table_i_0_bar
        for k in range(1, two_to_i, 2)[::-1]:        # line 11
            k_times_h_squared = (k * h) ** 2         # line 12
            total = 1.0 + p * k_times_h_squared
            p_bar += s_bar * (-1.0 / total / total) * k_times_h_squared
    table_0_0_bar = table_0_bar[0]                   # line 7
    table_0_bar[0] = 0.0
    return p_bar - half_over_one_plus_p / one_plus_p * table_0_0_bar
