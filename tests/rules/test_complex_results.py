"""Functions that compute with complex numbers are refused by name, with the line and a way out."""

import numpy as np
import pytest

from s2sad import errors, grad

X = np.array([0.5, -1.0, 2.0, 0.3])
REFUSED = {
    "fft": lambda x: np.sum(np.real(np.fft.fft(x))),
    "rfft": lambda x: np.sum(np.abs(np.fft.rfft(x)) ** 2),
    "irfft": lambda x: np.sum(np.fft.irfft(x)),
    "hfft": lambda x: np.sum(np.fft.hfft(x)),
    "irfftn": lambda x: np.sum(np.fft.irfftn(x)),
    "roots": lambda x: np.sum(np.roots(x).real),
    "emath sqrt": lambda x: np.sum(np.emath.sqrt(x).real),
    "eigvals": lambda x: np.sum(np.linalg.eigvals(np.outer(x, x))),
    "astype": lambda x: np.sum(x.astype(complex).real),
    "imaginary unit": lambda x: np.sum((1j * x).imag),
    "exponential": lambda x: np.sum(np.real(np.exp(1j * x))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    """The inverse transform of a real spectrum gave zero."""
    with pytest.raises(errors.S2sadError, match=r"line \d+\n(.*\n)*.*\^"):
        grad(REFUSED[name])(X)


def test_real_functions_of_the_kind():
    """With respect to the signal: of the sum of squares of its convolution with a kernel."""
    kernel = np.array([1.0, -0.5])
    matrix = np.array([np.convolve(row, kernel) for row in np.eye(4)]).T
    assert np.allclose(grad(lambda x: np.sum(np.convolve(x, kernel) ** 2))(X), 2 * matrix.T @ matrix @ X)
    angles = np.outer(np.arange(4), np.arange(4)) * (2 * np.pi / 4)

    def power(x):
        return np.sum((np.cos(angles) @ x) ** 2 + (np.sin(angles) @ x) ** 2)

    assert np.isclose(power(X), np.sum(np.abs(np.fft.fft(X)) ** 2))
    assert np.allclose(grad(power)(X), 8 * X)  # Parseval
