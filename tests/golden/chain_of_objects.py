"""Objects that refer to each other, made in a loop."""


class Link:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


def weighted(xs):
    chain = None
    for x in xs:
        chain = Link(x * x, chain)
    total, weight = 0.0, 1.0
    while chain is not None:
        total += weight * chain.value
        weight *= 0.5
        chain = chain.rest
    return total


args = ([1.0, 3.0, 2.0],)
argnums = 0


# ---------------------------------------- generated ----------------------------------------

from s2sad.runtime import Shadow


def init_forward(self, value, rest, self_bar, rest_bar):
    """init(), and what init_reverse() needs."""
    self.value = value                          # line 6
    self_bar.value = 0.0
    self.rest = rest                            # line 7
    replaced_bar = getattr(self_bar, "rest", None)
    self_bar.rest = rest_bar
    return replaced_bar


def init_reverse(replaced_bar, self_bar, rest_bar):
    """Reverse of init(): gives the adjoint of value, adds to rest_bar."""
    self_bar.rest = replaced_bar                # line 7: self.rest = rest
    value_bar = self_bar.value                  # line 6: self.value = value
    self_bar.value = 0.0
    return value_bar


def Link_forward(value, rest, rest_bar):
    """Link(), and what Link_reverse() needs."""
    link = object.__new__(Link)
    link_bar = Shadow()
    return link, link_bar, (link_bar, init_forward(link, value, rest, link_bar, rest_bar))


def Link_reverse(kept, result_bar, rest_bar):
    """Reverse of Link(): gives the adjoint of value, adds to rest_bar."""
    link_bar, init_kept = kept
    return init_reverse(init_kept, link_bar, rest_bar)


def weighted_adjoint(xs):
    """Gradient of weighted with respect to xs."""
    # forward sweep
    chain_bar_saved = []
    x_saved = []
    Link_kept_saved = []
    chain_bar_saved_2 = []
    weight_saved = []
    len_xs = len(xs)                            # line 12: for x in xs:
    chain = None
    chain_bar = None
    for i in range(len_xs):
        chain_bar_saved.append(chain_bar)
        x = xs[i]
        x_saved.append(x)
        chain, chain_bar, Link_kept = Link_forward(x * x, chain, chain_bar)  # line 13: chain = Link(x * x, chain)
        Link_kept_saved.append(Link_kept)
    weight = 1.0
    chain_bar_2 = chain_bar
    while chain is not None:                    # line 15
        chain_bar_saved_2.append(chain_bar_2)
        weight_saved.append(weight)
        weight *= 0.5                           # line 17
        chain = chain.rest                      # line 18
        chain_bar_2 = chain_bar_2.rest
    # reverse sweep
    xs_bar = [0.0] * len(xs)
    chain_bar_saved_2.reverse()
    weight_saved.reverse()
    for chain_bar_2, weight in zip(chain_bar_saved_2, weight_saved):  # line 15
        chain_bar_2.value += weight             # line 16: total += weight * chain.value
    for i in range(len_xs - 1, -1, -1):         # line 12
        chain_bar_2 = chain_bar_saved.pop()
        x = x_saved.pop()
        two_x_squared_bar = 2.0 * Link_reverse(Link_kept_saved.pop(), chain_bar, chain_bar_2)  # line 13
        xs_bar[i] = two_x_squared_bar * x       # line 12
        chain_bar = chain_bar_2
    return xs_bar
