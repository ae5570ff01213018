"""The price of an option, its sensitivities, and the volatility implied by a price, found by Newton's method on the gradient."""

import math

from s2sad import grad, value_and_grad


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def call_price(spot, strike, rate, volatility, years):
    """Black and Scholes."""
    if years <= 0:
        return max(spot - strike, 0.0)
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * years) * normal_cdf(d1 - spread)


def implied_volatility(price, spot, strike, rate, years):
    price_and_vega = value_and_grad(call_price, argnums="volatility")
    volatility = 0.2
    for _ in range(100):
        value, vega = price_and_vega(spot, strike, rate, volatility, years)
        if abs(value - price) < 1e-13 * spot:
            break
        volatility -= (value - price) / vega
    return volatility


def main():
    market = {"spot": 100.0, "strike": 110.0, "rate": 0.03, "volatility": 0.25, "years": 0.5}
    delta, vega = grad(call_price, argnums=("spot", "volatility"))(*market.values())
    print(f"delta {delta:.6f}   vega {vega:.6f}")
    spread = 0.25 * math.sqrt(0.5)
    d1 = (math.log(100 / 110) + (0.03 + 0.25**2 / 2) * 0.5) / spread
    assert math.isclose(delta, normal_cdf(d1), rel_tol=1e-12)
    assert math.isclose(vega, 100 * math.exp(-d1 * d1 / 2) / math.sqrt(2 * math.pi) * math.sqrt(0.5), rel_tol=1e-12)

    price = call_price(*market.values())
    found = implied_volatility(price, 100.0, 110.0, 0.03, 0.5)
    print(f"implied volatility {found:.12f}")
    assert math.isclose(found, 0.25, rel_tol=1e-10)


if __name__ == "__main__":
    main()
