"""Elimination with pivoting: the rows of a list of lists change places."""


def determinant(rows):
    a = [list(row) for row in rows]
    n = len(a)
    product = 1.0
    for k in range(n):
        p = k
        for r in range(k + 1, n):
            if abs(a[r][k]) > abs(a[p][k]):
                p = r
        if p != k:
            a[k], a[p] = a[p], a[k]
            product = -product
        product *= a[k][k]
        for r in range(k + 1, n):
            factor = a[r][k] / a[k][k]
            for c in range(k + 1, n):
                a[r][c] -= factor * a[k][c]
    return product


args = ([[0.1, 2.0, 0.4], [1.3, 0.2, 0.9], [0.7, 1.1, 3.0]],)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

from s2sad.runtime import zeros_like


def determinant_adjoint(rows):
    """Gradient of determinant with respect to rows."""
    # forward sweep
    list_row_bar_saved = []
    replaced_bar_saved = []
    replaced_bar_saved_2 = []
    p_saved = []
    product_saved = []
    a_k_k_saved = []
    a_k_c_saved = []
    a_k_k_saved_2 = []
    factor_saved = []
    a = []                                             # line 5: a = [list(row) for row in rows]
    a_bar = []
    len_rows = len(rows)
    for i in range(len_rows):
        row = rows[i]
        list_row = list(row)
        list_row_bar = zeros_like(list_row)
        list_row_bar_saved.append(list_row_bar)
        a.append(list_row)
        a_bar.append(list_row_bar)
    n = len(a)                                         # line 6
    product = 1.0
    for k in range(n):                                 # line 8
        k_plus_one = k + 1                             # line 10: for r in range(k + 1, n):
        p = k
        for r in range(k_plus_one, n):
            if abs(a[r][k]) > abs(a[p][k]):            # line 11
                p = r
        p_saved.append(p)                              # line 10
        if p != k:                                     # line 13
            a_p = a[p]                                 # line 14: a[k], a[p] = a[p], a[k]
            a_p_bar = a_bar[p]
            a_k = a[k]
            a_k_bar = a_bar[k]
            a[k] = a_p
            replaced_bar = a_bar[k]
            a_bar[k] = a_p_bar
            replaced_bar_saved.append(replaced_bar)
            a[p] = a_k
            replaced_bar = a_bar[p]
            a_bar[p] = a_k_bar
            replaced_bar_saved_2.append(replaced_bar)
            product = -product                         # line 15
        product_saved.append(product)                  # line 13
        a_k_k = a[k][k]                                # line 16: product *= a[k][k]
        a_k_k_saved.append(a_k_k)
        product *= a_k_k
        for r in range(k_plus_one, n):                 # line 17: for r in range(k + 1, n):
            a_r_k = a[r][k]                            # line 18: factor = a[r][k] / a[k][k]
            a_k_k = a[k][k]
            a_k_k_saved_2.append(a_k_k)
            factor = a_r_k / a_k_k
            factor_saved.append(factor)
            for c in range(k_plus_one, n):             # line 19: for c in range(k + 1, n):
                a_r = a[r]                             # line 20: a[r][c] -= factor * a[k][c]
                a_r_c = a_r[c]
                a_k_c = a[k][c]
                a_k_c_saved.append(a_k_c)
                a_r[c] = a_r_c - factor * a_k_c
    # reverse sweep
    rows_bar = zeros_like(rows)
    n_minus_one = n - 1
    product_bar = 1.0
    for k in range(n_minus_one, -1, -1):               # line 8
        p = p_saved.pop()
        product = product_saved.pop()
        saved_a_k_k = a_k_k_saved.pop()
        for r in range(n_minus_one, k, -1):            # line 17
            factor = factor_saved.pop()
            factor_bar = 0.0
            saved_a_k_k_2 = a_k_k_saved_2.pop()
            for c in range(n_minus_one, k, -1):        # line 19
                factor_times_a_k_c_bar = -a_bar[r][c]  # line 20
                a_bar[k][c] += factor_times_a_k_c_bar * factor
                factor_bar += factor_times_a_k_c_bar * a_k_c_saved.pop()
            a_r_k_bar = factor_bar / saved_a_k_k_2     # line 18
            a_bar[k][k] -= a_r_k_bar * factor
            a_bar[r][k] += a_r_k_bar
        a_k_k_bar = product_bar * product              # line 16
        product_bar *= saved_a_k_k
        a_bar[k][k] += a_k_k_bar
        if p != k:                                     # line 13
            a_bar[p] = replaced_bar_saved_2.pop()      # line 14
            a_bar[k] = replaced_bar_saved.pop()
            product_bar = -product_bar
    for i in range(len_rows - 1, -1, -1):              # line 5
        saved_list_row_bar = list_row_bar_saved.pop()
        row = rows[i]
        row_bar = rows_bar[i]
        for j in range(len(row) - 1, -1, -1):
            row_bar[j] += saved_list_row_bar.pop()
    return rows_bar
