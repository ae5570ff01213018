"""A scalar Kalman filter: of what a step computes, two numbers are saved."""

import math


def log_likelihood(measured, process_noise, measurement_noise):
    x, p = 0.0, 1.0
    total = 0.0
    for z in measured:
        p += process_noise
        s = p + measurement_noise
        gain = p / s
        innovation = z - x
        total -= 0.5 * (math.log(2 * math.pi * s) + innovation**2 / s)
        x += gain * innovation
        p *= 1 - gain
    return total


args = ([0.1, 0.5, 0.3], 0.1, 0.2)
argnums = (0, 1, 2)


# ---------------------------------------- generated ----------------------------------------

def log_likelihood_adjoint(measured, process_noise, measurement_noise):
    """Gradient of log_likelihood with respect to measured, process_noise and measurement_noise."""
    # forward sweep
    p_saved = []
    innovation_saved = []
    len_measured = len(measured)                                # line 9: for z in measured:
    p = 1.0
    x = 0.0
    for i in range(len_measured):
        z = measured[i]
        p += process_noise                                      # line 10
        p_saved.append(p)
        s = p + measurement_noise                               # line 11
        gain = p / s                                            # line 12
        innovation = z - x                                      # line 13
        innovation_saved.append(innovation)
        x += gain * innovation                                  # line 15
        p *= 1 - gain                                           # line 16
    # reverse sweep
    measured_bar = [0.0] * len_measured
    p_bar = 0.0
    x_bar = 0.0
    measurement_noise_bar = 0.0
    process_noise_bar = 0.0
    for i in range(len_measured - 1, -1, -1):                   # line 9
        p = p_saved.pop()
        innovation = innovation_saved.pop()
        s = p + measurement_noise                               # line 11
        gain = p / s                                            # line 12
        half_over_s = 0.5 / s  # line 14: total -= 0.5 * (math.log(2 * math.pi * s) + innovation**2 / s)
        innovation_bar = x_bar * gain - half_over_s * (2.0 * innovation)
        gain_bar_over_s = (x_bar * innovation - p_bar * p) / s  # line 12
        s_bar = 0.5 * (innovation ** 2 / s / s) - half_over_s - gain_bar_over_s * gain
        p_bar = p_bar * (1 - gain) + gain_bar_over_s + s_bar    # line 11
        measured_bar[i] = innovation_bar                        # line 9
        measurement_noise_bar += s_bar                          # line 11
        x_bar -= innovation_bar
        process_noise_bar += p_bar
    return measured_bar, process_noise_bar, measurement_noise_bar
