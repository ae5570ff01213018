"""An object whose attributes a function changes, step by step."""

import math


class Pendulum:
    def __init__(self, angle, speed):
        self.angle = angle
        self.speed = speed


def step(pendulum, dt, stiffness):
    acceleration = -stiffness * math.sin(pendulum.angle)
    pendulum.speed += dt * acceleration
    pendulum.angle += dt * pendulum.speed


def swing(angle, stiffness, steps):
    pendulum = Pendulum(angle, 0.0)
    for _ in range(steps):
        step(pendulum, 0.01, stiffness)
    return pendulum.angle * pendulum.speed


args = (0.3, 2.0, 10)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

import math
from s2sad.runtime import zeros_like


def init_reverse(self_bar):
    """Reverse of init(): gives the adjoint of angle."""
    return self_bar.angle


def Pendulum_reverse(pendulum_bar):
    """Reverse of Pendulum(): gives the adjoint of angle."""
    return init_reverse(pendulum_bar)


def step_forward(pendulum, dt, stiffness):
    """step(), and what step_reverse() needs."""
    angle = pendulum.angle                      # line 13: acceleration = -stiffness * math.sin(pendulum.angle)
    acceleration = -stiffness * math.sin(angle)
    pendulum.speed += dt * acceleration         # line 14
    pendulum.angle += dt * pendulum.speed       # line 15
    return angle


def step_reverse(dt, stiffness, angle, pendulum_bar):
    """Reverse of step(): gives the adjoint of stiffness, adds to pendulum_bar."""
    speed_bar = pendulum_bar.speed + pendulum_bar.angle * dt  # line 15: pendulum.angle += dt * pendulum.speed
    pendulum_bar.speed = speed_bar
    acceleration_bar = speed_bar * dt                         # line 14: pendulum.speed += dt * acceleration
    scaled_cos_angle = stiffness * acceleration_bar * math.cos(angle)  # line 13
    pendulum_bar.angle -= scaled_cos_angle
    return -acceleration_bar * math.sin(angle)


def swing_adjoint(angle, stiffness, steps):
    """Gradient of swing with respect to angle and stiffness."""
    # forward sweep
    step_kept_saved = []
    pendulum = Pendulum(angle, 0.0)             # line 19
    for _ in range(steps):                      # line 20
        step_kept_saved.append(step_forward(pendulum, 0.01, stiffness))  # line 21: step(pendulum, 0.01, stiffness)
    angle_2 = pendulum.angle                    # line 22: return pendulum.angle * pendulum.speed
    speed = pendulum.speed
    # reverse sweep
    pendulum_bar = zeros_like(pendulum)
    pendulum_bar.speed += angle_2               # line 22
    pendulum_bar.angle += speed
    step_kept_saved.reverse()
    stiffness_bar = 0.0
    for step_kept in step_kept_saved:           # line 20
        stiffness_bar += step_reverse(0.01, stiffness, step_kept, pendulum_bar)
    return Pendulum_reverse(pendulum_bar), stiffness_bar
