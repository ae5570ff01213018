"""The same for a real order, with respect to the argument alone."""

import math


def besselj(nu, z, atol=1e-8):
    k = 0
    s = (z / 2) ** nu / math.gamma(nu + 1)
    out = s
    while abs(s) > atol:
        k += 1
        s *= (-1) / k / (k + nu) * (z / 2) ** 2
        out += s
    return out


args = (1.5, 1.0)
argnums = 1
stages = ("prepared", "simplified")


# ---------------------------------------- generated ----------------------------------------

import math


def besselj_adjoint(nu, z, atol=1e-08):
    """Gradient of besselj with respect to z."""
    # forward sweep
    s_saved = []
    half_z = z / 2                                          # line 8: s = (z / 2) ** nu / math.gamma(nu + 1)
    half_z_to_nu = half_z ** nu
    gamma_nu_plus_one = math.gamma(nu + 1)
    s = half_z_to_nu / gamma_nu_plus_one
    half_z_squared = half_z ** 2 if abs(s) > atol else 0.0  # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    k = 0
    while abs(s) > atol:                                    # line 10
        s_saved.append(s)
        k += 1                                              # line 11
        s *= -1 / k / (k + nu) * half_z_squared             # line 12
    # reverse sweep
    s_bar = 0.0
    half_z_bar = 0.0
    for s in s_saved[::-1]:                                 # line 10
        scaled_s_bar = (s_bar + 1.0) * (-1 / k / (k + nu))  # line 12
        k -= 1
        s_bar = scaled_s_bar * half_z_squared
        half_z_bar += scaled_s_bar * s
    if nu >= 1:                                             # line 8
        dx = nu * half_z ** (nu - 1.0)
    elif half_z:
        dx = nu * half_z_to_nu / half_z
    else:
        dx = math.inf if nu > 0 else 0.0
    return 0.5 * (half_z_bar * (2.0 * half_z) + (s_bar + 1.0) / gamma_nu_plus_one * dx)


# stage 'prepared':
#
# def besselj(nu: float, z: float, atol: float):
#   t_1: float = truediv(z, 2)
#   t_2: float = pow(t_1, nu)
#   t_3: float = add(nu, 1)
#   t_4: float = gamma(t_3)
#   s_5: float = truediv(t_2, t_4)
#   k_9: int, s_10: float, out_11: float = while carried (k_6: int = 0, s_7: float = s_5, out_8: float = s_5):
#     header:
#       t_12: float = abs(s_7)
#       t_13: bool = gt(t_12, atol)
#       yield t_13
#     body:
#       k_14: int = iadd(k_6, 1)
#       t_15: float = truediv(-1, k_14)
#       t_16: float = add(k_14, nu)
#       t_17: float = truediv(t_15, t_16)
#       t_18: float = pow(t_1, 2)
#       t_19: float = mul(t_17, t_18)
#       s_20: float = imul(s_7, t_19)
#       out_21: float = iadd(out_8, s_20)
#       yield k_14, s_20, out_21
#   return out_11


# stage 'simplified':
#
# def besselj_adjoint(nu, z, atol):
#   t_1 = comment('forward sweep')
#   s_saved_2 = make_list()
#   t_3 = truediv(z, 2)
#   t_4 = pow(t_3, nu)
#   t_5 = add(nu, 1)
#   t_6 = gamma(t_5)
#   s_7 = truediv(t_4, t_6)
#   t_8 = abs(s_7)
#   t_9 = gt(t_8, atol)
#   t_10 = if t_9:
#     t_11 = pow(t_3, 2)
#     yield t_11
#   else:
#     yield 0.0
#   k_14, s_15 = while carried (k_12 = 0, s_13 = s_7):
#     header:
#       t_16 = abs(s_13)
#       t_17 = gt(t_16, atol)
#       yield t_17
#     body:
#       t_18 = call_method(s_saved_2, 'append', s_13)
#       k_19 = iadd(k_12, 1)
#       t_20 = truediv(-1, k_19)
#       t_21 = add(k_19, nu)
#       t_22 = truediv(t_20, t_21)
#       t_23 = mul(t_22, t_10)
#       s_24 = imul(s_13, t_23)
#       yield k_19, s_24
#   t_25 = comment('reverse sweep')
#   t_26 = getitem(s_saved_2, slice(None, None, -1))
#   t_27 = mul(2.0, t_3)
#   k_31, s_bar_32, t_33 = for s_34 in t_26 carried (k_28 = k_14, s_bar_29 = 0.0, half_z_bar_30 = 0.0):
#     t_35 = truediv(-1, k_28)
#     t_36 = add(k_28, nu)
#     t_37 = truediv(t_35, t_36)
#     s_bar_38 = add(s_bar_29, 1.0)
#     t_39 = mul(s_bar_38, t_37)
#     s_bar_40 = mul(t_39, t_10)
#     half_z_squared_bar_41 = mul(t_39, s_34)
#     half_z_bar_42 = add(half_z_bar_30, half_z_squared_bar_41)
#     k_43 = sub(k_28, 1)
#     yield k_43, s_bar_40, half_z_bar_42
#   half_z_bar_44 = mul(t_33, t_27)
#   s_bar_45 = add(s_bar_32, 1.0)
#   half_z_to_nu_bar_46 = truediv(s_bar_45, t_6)
#   t_47 = ge(nu, 1)
#   dx_48 = if t_47:
#     t_49 = sub(nu, 1.0)
#     t_50 = pow(t_3, t_49)
#     t_51 = mul(nu, t_50)
#     yield t_51
#   else:
#     t_52 = if t_3:
#       t_53 = mul(nu, t_4)
#       t_54 = truediv(t_53, t_3)
#       yield t_54
#     else:
#       t_55 = gt(nu, 0)
#       t_56 = if t_55:
#         t_57 = getattr(math, 'inf')
#         yield t_57
#       else:
#         yield 0.0
#       yield t_56
#     yield t_52
#   t_58 = mul(half_z_to_nu_bar_46, dx_48)
#   half_z_bar_59 = add(half_z_bar_44, t_58)
#   z_bar_60 = mul(0.5, half_z_bar_59)
#   return z_bar_60
