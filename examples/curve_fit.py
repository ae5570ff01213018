"""Gradient descent on a list of parameters: a damped oscillation fitted to measurements."""

import math

from s2sad import value_and_grad


def model(parameters, time):
    amplitude, decay, frequency = parameters
    return amplitude * math.exp(-decay * time) * math.cos(frequency * time)


@value_and_grad
def misfit(parameters, times, measured):
    total = 0.0
    for time, value in zip(times, measured):
        total += (model(parameters, time) - value) ** 2
    return total / len(times)


def fit(parameters, times, measured, rate=0.2, tol=1e-16, steps=20_000):
    """The gradient comes back as the parameters do: as a list."""
    for step in range(steps):
        value, gradient = misfit(parameters, times, measured)
        if sum(g * g for g in gradient) < tol:
            break
        parameters = [p - rate * g for p, g in zip(parameters, gradient)]
    return parameters, value, step


def main():
    truth = [1.3, 0.4, 2.1]
    times = [0.1 * i for i in range(40)]
    measured = [model(truth, time) for time in times]
    parameters, value, step = fit([1.0, 0.2, 1.8], times, measured)
    print(f"after {step} steps: {', '.join(f'{p:.6f}' for p in parameters)}; misfit {value:.1e}")
    assert all(math.isclose(p, t, rel_tol=1e-5) for p, t in zip(parameters, truth))


if __name__ == "__main__":
    main()
