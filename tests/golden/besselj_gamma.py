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
    half_z = z / 2                                  # line 8: s = (z / 2) ** nu / math.gamma(nu + 1)
    half_z_to_nu = half_z ** nu
    gamma_nu_plus_one = math.gamma(nu + 1)
    s = half_z_to_nu / gamma_nu_plus_one
    half_z_squared = half_z ** 2                    # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    k = 0
    while abs(s) > atol:                            # line 10
        s_saved.append(s)
        k += 1                                      # line 11
        s *= -1 / k / (k + nu) * half_z_squared     # line 12
    # reverse sweep
    s_saved.reverse()
    s_bar = 1.0
    half_z_bar_sum = 0.0
    for s in s_saved:                               # line 10
        scaled_s_bar = s_bar * (-1 / k / (k + nu))  # line 12
        k -= 1
        s_bar = scaled_s_bar * half_z_squared + 1.0
        half_z_bar_sum += scaled_s_bar * s
    if nu >= 1:                                     # line 8
        dx = nu * half_z ** (nu - 1.0)
    elif half_z:
        dx = nu * half_z_to_nu / half_z
    else:
        dx = math.inf if nu > 0 else 0.0
    return 0.5 * (half_z_bar_sum * (2.0 * half_z) + s_bar / gamma_nu_plus_one * dx)


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
#   t_8 = pow(t_3, 2)
#   k_11, s_12 = while carried (k_9 = 0, s_10 = s_7):
#     header:
#       t_13 = abs(s_10)
#       t_14 = gt(t_13, atol)
#       yield t_14
#     body:
#       t_15 = call_method(s_saved_2, 'append', s_10)
#       k_16 = iadd(k_9, 1)
#       t_17 = truediv(-1, k_16)
#       t_18 = add(k_16, nu)
#       t_19 = truediv(t_17, t_18)
#       t_20 = mul(t_19, t_8)
#       s_21 = imul(s_10, t_20)
#       yield k_16, s_21
#   t_22 = comment('reverse sweep')
#   t_23 = call_method(s_saved_2, 'reverse')
#   t_24 = mul(2.0, t_3)
#   k_28, s_bar_29, half_z_bar_sum_30 = for s_31 in s_saved_2 carried (k_25 = k_11, s_bar_26 = 1.0, half_z_bar_sum_27 = 0.0):
#     t_32 = truediv(-1, k_25)
#     t_33 = add(k_25, nu)
#     t_34 = truediv(t_32, t_33)
#     t_35 = mul(s_bar_26, t_34)
#     s_bar_36 = mul(t_35, t_8)
#     half_z_squared_bar_37 = mul(t_35, s_31)
#     half_z_bar_sum_38 = add(half_z_bar_sum_27, half_z_squared_bar_37)
#     k_39 = sub(k_25, 1)
#     s_bar_40 = add(s_bar_36, 1.0)
#     yield k_39, s_bar_40, half_z_bar_sum_38
#   half_z_bar_41 = mul(half_z_bar_sum_30, t_24)
#   half_z_to_nu_bar_42 = truediv(s_bar_29, t_6)
#   t_43 = ge(nu, 1)
#   dx_44 = if t_43:
#     t_45 = sub(nu, 1.0)
#     t_46 = pow(t_3, t_45)
#     t_47 = mul(nu, t_46)
#     yield t_47
#   else:
#     t_48 = if t_3:
#       t_49 = mul(nu, t_4)
#       t_50 = truediv(t_49, t_3)
#       yield t_50
#     else:
#       t_51 = gt(nu, 0)
#       t_52 = if t_51:
#         t_53 = getattr(math, 'inf')
#         yield t_53
#       else:
#         yield 0.0
#       yield t_52
#     yield t_48
#   t_54 = mul(half_z_to_nu_bar_42, dx_44)
#   half_z_bar_55 = add(half_z_bar_41, t_54)
#   z_bar_56 = mul(0.5, half_z_bar_55)
#   return z_bar_56
