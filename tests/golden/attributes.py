"""Objects with attributes, one of them made inside."""


class Body:
    def __init__(self, position, speed):
        self.position = position
        self.speed = speed


class Spring:
    stiffness = 1.7

    def force(self, body):
        return -self.stiffness * body.position


def oscillate(x, v, dt, steps):
    body = Body(x, v)
    spring = Spring()
    for _ in range(steps):
        body.speed += dt * spring.force(body)
        body.position += dt * body.speed
    return body.position


args = (1.0, 0.2, 0.1, 8)
argnums = (0, 1)


# ---------------------------------------- generated ----------------------------------------

from s2sad.runtime import zeros_like


def init_reverse(self_bar):
    """Reverse of init(): gives the adjoints of position and speed."""
    return self_bar.position, self_bar.speed


def Body_reverse(body_bar):
    """Reverse of Body(): gives the adjoints of position and speed."""
    return init_reverse(body_bar)


def force_reverse(self, force_bar, body_bar):
    """Reverse of force(): adds to body_bar."""
    body_bar.position -= self.stiffness * force_bar  # line 14: return -self.stiffness * body.position


def oscillate_adjoint(x, v, dt, steps):
    """Gradient of oscillate with respect to x and v."""
    # forward sweep
    body = Body(x, v)                                        # line 18
    spring = Spring()                                        # line 19
    for _ in range(steps):                                   # line 20
        body.speed += dt * Spring.force(spring, body)        # line 21: body.speed += dt * spring.force(body)
        body.position += dt * body.speed                     # line 22
    # reverse sweep
    body_bar = zeros_like(body)
    body_bar.position += 1.0                                 # line 23: return body.position
    for _ in range(steps):                                   # line 20
        speed_bar = body_bar.speed + body_bar.position * dt  # line 22
        body_bar.speed = 0.0                                 # line 21
        force_reverse(spring, speed_bar * dt, body_bar)
        body_bar.speed += speed_bar
    return Body_reverse(body_bar)
