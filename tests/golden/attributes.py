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
