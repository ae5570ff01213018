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
    power = half_z ** nu
    gamma_nu_plus_one = math.gamma(nu + 1)
    s = power / gamma_nu_plus_one
    half_z_squared = half_z ** 2 if abs(s) > atol else 0.0  # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    k = 0
    while abs(s) > atol:                                    # line 10
        s_saved.append(s)
        k += 1                                              # line 11
        s *= -1 / k / (k + nu) * half_z_squared             # line 12
    # reverse sweep
    s_bar = 0.0
    z_bar = 0.0
    while k > 0:                                            # line 10
        s = s_saved.pop()
        ratio = -1 / k / (k + nu)                           # line 12
        s_bar += 1.0                                        # line 13: out += s
        k -= 1
        z_bar += half_z * (s_bar * s * ratio)               # line 12
        s_bar *= ratio * half_z_squared
    if nu >= 1:                                             # line 8
        dx = nu * half_z ** (nu - 1.0)
    elif half_z:
        dx = nu * power / half_z
    else:
        dx = math.inf if nu > 0 else 0.0
    return z_bar + 0.5 * ((s_bar + 1.0) / gamma_nu_plus_one) * dx


# stage 'prepared':
#
# def besselj(nu, z, atol):
#   t_1 = truediv(z, 2)
#   t_2 = pow(t_1, nu)
#   t_3 = add(nu, 1)
#   t_4 = gamma(t_3)
#   s_5 = truediv(t_2, t_4)
#   k_9, s_10, out_11 = while carried (k_6 = 0, s_7 = s_5, out_8 = s_5):
#     header:
#       t_12 = abs(s_7)
#       t_13 = gt(t_12, atol)
#       yield t_13
#     body:
#       k_14 = iadd(k_6, 1)
#       t_15 = truediv(-1, k_14)
#       t_16 = add(k_14, nu)
#       t_17 = truediv(t_15, t_16)
#       t_18 = truediv(z, 2)
#       t_19 = pow(t_18, 2)
#       t_20 = mul(t_17, t_19)
#       s_21 = imul(s_7, t_20)
#       out_22 = iadd(out_8, s_21)
#       yield k_14, s_21, out_22
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
#   k_29, s_bar_30, z_bar_31 = while carried (k_26 = k_14, s_bar_27 = 0.0, z_bar_28 = 0.0):
#     header:
#       t_32 = gt(k_26, 0)
#       yield t_32
#     body:
#       s_33 = call_method(s_saved_2, 'pop')
#       t_34 = truediv(-1, k_26)
#       t_35 = add(k_26, nu)
#       t_36 = truediv(t_34, t_35)
#       t_37 = mul(t_36, t_10)
#       s_bar_38 = add(s_bar_27, 1.0)
#       product_bar_39 = mul(s_bar_38, s_33)
#       s_bar_40 = mul(s_bar_38, t_37)
#       power_bar_41 = mul(product_bar_39, t_36)
#       t_42 = mul(t_3, power_bar_41)
#       z_bar_43 = add(z_bar_28, t_42)
#       k_44 = sub(k_26, 1)
#       yield k_44, s_bar_40, z_bar_43
#   s_bar_45 = add(s_bar_30, 1.0)
#   power_bar_46 = truediv(s_bar_45, t_6)
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
#   t_58 = mul(0.5, power_bar_46)
#   t_59 = mul(t_58, dx_48)
#   z_bar_60 = add(z_bar_31, t_59)
#   return z_bar_60
