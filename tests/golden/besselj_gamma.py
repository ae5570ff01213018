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
    half_z = z / 2                              # line 8: s = (z / 2) ** nu / math.gamma(nu + 1)
    power = half_z ** nu
    gamma_nu_plus_one = math.gamma(nu + 1)
    s = power / gamma_nu_plus_one
    k = 0
    while abs(s) > atol:                        # line 10
        s_saved.append(s)
        k += 1                                  # line 11
        s *= -1 / k / (k + nu) * half_z ** 2    # line 12: s *= (-1) / k / (k + nu) * (z / 2) ** 2
    # reverse sweep
    s_bar = 0.0
    z_bar = 0.0
    while k > 0:                                # line 10
        s = s_saved.pop()
        ratio = -1 / k / (k + nu)               # line 12
        s_bar += 1.0                            # line 13: out += s
        k -= 1
        z_bar += half_z * (s_bar * s * ratio)   # line 12
        s_bar *= ratio * half_z ** 2
    if nu >= 1:                                 # line 8
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
#   k_10, s_11 = while carried (k_8 = 0, s_9 = s_7):
#     header:
#       t_12 = abs(s_9)
#       t_13 = gt(t_12, atol)
#       yield t_13
#     body:
#       t_14 = call_method(s_saved_2, 'append', s_9)
#       k_15 = iadd(k_8, 1)
#       t_16 = truediv(-1, k_15)
#       t_17 = add(k_15, nu)
#       t_18 = truediv(t_16, t_17)
#       t_19 = pow(t_3, 2)
#       t_20 = mul(t_18, t_19)
#       s_21 = imul(s_9, t_20)
#       yield k_15, s_21
#   t_22 = comment('reverse sweep')
#   k_26, s_bar_27, z_bar_28 = while carried (k_23 = k_10, s_bar_24 = 0.0, z_bar_25 = 0.0):
#     header:
#       t_29 = gt(k_23, 0)
#       yield t_29
#     body:
#       s_30 = call_method(s_saved_2, 'pop')
#       t_31 = truediv(-1, k_23)
#       t_32 = add(k_23, nu)
#       t_33 = truediv(t_31, t_32)
#       t_34 = pow(t_3, 2)
#       t_35 = mul(t_33, t_34)
#       s_bar_36 = add(s_bar_24, 1.0)
#       t_37 = mul(s_bar_36, s_30)
#       t_38 = mul(s_bar_36, t_35)
#       t_39 = mul(t_37, t_33)
#       t_40 = mul(t_3, t_39)
#       z_bar_41 = add(z_bar_25, t_40)
#       k_42 = sub(k_23, 1)
#       yield k_42, t_38, z_bar_41
#   s_bar_43 = add(s_bar_27, 1.0)
#   t_44 = truediv(s_bar_43, t_6)
#   t_45 = ge(nu, 1)
#   dx_46 = if t_45:
#     t_47 = sub(nu, 1.0)
#     t_48 = pow(t_3, t_47)
#     t_49 = mul(nu, t_48)
#     yield t_49
#   else:
#     t_50 = if t_3:
#       t_51 = mul(nu, t_4)
#       t_52 = truediv(t_51, t_3)
#       yield t_52
#     else:
#       t_53 = gt(nu, 0)
#       t_54 = if t_53:
#         t_55 = getattr(math, 'inf')
#         yield t_55
#       else:
#         yield 0.0
#       yield t_54
#     yield t_50
#   t_56 = mul(0.5, t_44)
#   t_57 = mul(t_56, dx_46)
#   z_bar_58 = add(z_bar_28, t_57)
#   return z_bar_58
