"""An epidemic in a dict of parameters: how the height of its peak depends on each of them."""

import math

from s2sad import grad


def peak(parameters, dt=0.001):
    """The largest share of people who are ill at one time (SIR model)."""
    susceptible, ill = 1.0 - parameters["start"], parameters["start"]
    highest = ill
    while ill > 1e-4:
        infected = parameters["contact"] * susceptible * ill * dt
        recovered = parameters["recovery"] * ill * dt
        susceptible -= infected
        ill += infected - recovered
        if ill > highest:
            highest = ill
        elif susceptible < parameters["recovery"] / parameters["contact"]:
            break  # it only falls from here on
    return highest


def exact_peak(contact, recovery, start):
    ratio = recovery / contact
    return 1 - ratio + ratio * math.log(ratio / (1 - start))


def main():
    gradient = grad(peak)({"contact": 0.6, "recovery": 0.2, "start": 0.01})
    for name, slope in gradient.items():
        print(f"d peak / d {name:9} = {slope:+.4f}")
    ratio = 0.2 / 0.6
    by_ratio = math.log(ratio / 0.99)  # d exact_peak / d ratio
    assert math.isclose(gradient["contact"], -by_ratio * ratio / 0.6, rel_tol=1e-2)
    assert math.isclose(gradient["recovery"], by_ratio / 0.6, rel_tol=1e-2)
    assert math.isclose(gradient["start"], ratio / 0.99, rel_tol=1e-2)


if __name__ == "__main__":
    main()
