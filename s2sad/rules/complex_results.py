"""Functions that give complex numbers, or compute with them inside: their derivatives are refused by name."""

from __future__ import annotations

from typing import Final

import numpy as np

from s2sad.rules.declare import not_implemented

_TRANSFORMS: Final = (
    *(np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft),
    *(np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2, np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn),
)

not_implemented(
    *_TRANSFORMS,
    reason="transforms compute with complex numbers",
    instead="the sums of cosines and sines, np.cos(angles) @ x and np.sin(angles) @ x, or np.convolve for a convolution",
)
not_implemented(np.roots, reason="roots of polynomials are complex", instead="Newton's method from a root that is known")
not_implemented(
    *(np.emath.sqrt, np.emath.log, np.emath.log2, np.emath.log10, np.emath.logn, np.emath.power),
    *(np.emath.arccos, np.emath.arcsin, np.emath.arctanh),
    reason="it gives complex numbers for some operands",
    instead="the function of the same name in numpy, of operands for which it is real",
)
