"""A helper: the forward sweep calls the function itself, the reverse sweep its reverse half."""


def decay(u, k):
    return -k * u * u


def euler(u, k, dt, steps):
    for _ in range(steps):
        u = u + dt * decay(u, k)
    return u


args = (1.5, 0.7, 0.01, 20)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

def decay_reverse(u, k, decay_bar):
    """Reverse of decay(): gives the adjoints of u and k."""
    minus_k_times_u_bar = decay_bar * u         # line 5: return -k * u * u
    return -k * (2.0 * minus_k_times_u_bar), -minus_k_times_u_bar * u


def euler_adjoint(u, k, dt, steps):
    """Gradient of euler with respect to u and k."""
    # forward sweep
    u_saved = []
    for _ in range(steps):                      # line 9
        u_saved.append(u)
        u += dt * decay(u, k)                   # line 10: u = u + dt * decay(u, k)
    # reverse sweep
    u_saved.reverse()
    u_bar = 1.0
    k_bar = 0.0
    for u in u_saved:                           # line 9
        u_bar_part, k_bar_part = decay_reverse(u, k, u_bar * dt)  # line 10
        u_bar += u_bar_part
        k_bar += k_bar_part
    return u_bar, k_bar
