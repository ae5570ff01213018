"""Programs on arrays whose inferred types are compared with what NumPy gives: one expression a line, of the arguments

x (2 axes), y (as x), v (the last axis of x), w (as v), s (square), k (1 axis of length 1), z (no axes), i (integers), m (booleans
as v), f (float32 as v), c (complex as v), a (a Python float), n (a Python integer).
"""

EXPRESSIONS = """
x + y
x + v
x + k
x + z
x + a
x * n
x ** 2
y ** a
v ** v
-x
abs(x)
x @ v
x @ x.T
v @ w
s @ s
x < y
x == y
v != w
x // y
x % y
f * a
f * n
f + v
f + z
i + n
i + a
i / n
i ** 2
i // 2
i[:, None] + f
m & m
~m
m + 1
c * a
c + f
z + 1
z * z
np.sin(x)
np.sin(i)
np.sin(f)
np.sin(z)
np.exp(v)
np.sqrt(abs(c))
np.maximum(x, v)
np.maximum(x, 0)
np.hypot(f, f)
np.add(x, v)
np.arctan2(v, w)
np.modf(v)
np.isnan(x)
np.logical_and(x > 0, v > 0)
np.floor(x)
divmod(v, w)
x.sum()
x.sum(axis=0)
x.sum(1)
x.sum(axis=-1, keepdims=True)
x.sum(keepdims=True)
x.sum(axis=(0, 1))
x.sum(axis=(0,))
np.sum(x)
np.sum(x, axis=1)
np.sum(m)
np.sum(i)
np.sum(f)
np.sum(f, dtype=np.float64)
np.sum([a, a])
np.sum(v * w)
x.mean()
i.mean()
np.mean(f, axis=0)
x.mean(axis=1, keepdims=True)
x.max()
x.min(axis=0)
np.max(x, axis=1)
i.max()
x.prod()
np.var(x, axis=0)
np.std(x)
np.var(x, ddof=1)
np.median(v)
z.sum(axis=0)
x[0, 0].max(0)
np.prod(v[0] * v[1], axis=-1)
np.add.reduce(z)
np.add.reduce(z, keepdims=True)
np.take(z, 0, axis=0)
np.tril(v)
np.triu(v, 1)
np.quantile(f, 0.5)
np.quantile(f, np.array([0.5]))
np.percentile(v, 25, axis=0)
np.linspace(0.0, f, 3)
np.geomspace(1.0, f + f, 3)
np.linspace(a, v, 3)
np.cov(x, dtype="float32")
np.ediff1d(v[:0])
np.linalg.svd(s, full_matrices=0, compute_uv=1)
np.linalg.svd(s, compute_uv=0)
x.argmax()
np.argmin(x, axis=1)
(x > 0).any()
np.all(x > 0, axis=1)
np.count_nonzero(x)
np.linalg.norm(v)
np.linalg.norm(x, axis=1)
np.ptp(v)
np.dot(v, w)
np.dot(x, v)
x.dot(v)
np.dot(s, s)
np.dot(x, a)
np.matmul(s, s)
np.outer(v, w)
np.inner(x, v)
np.inner(v, w)
np.vdot(v, w)
np.tensordot(x, y, axes=((0, 1), (0, 1)))
np.tensordot(s, s, 1)
np.kron(v, w)
np.trace(s)
s.trace()
np.einsum("ij,j->i", x, v)
np.einsum("ij,ij->", x, y)
np.einsum("ij", x)
np.einsum("ij->ji", x)
np.einsum("ii", s)
np.einsum("ii->i", s)
np.einsum("...j,j", x, v)
np.einsum("i,j", v, w)
np.cumsum(v)
np.cumsum(x)
np.cumsum(x, axis=1)
x.cumsum(axis=0)
np.cumprod(f)
np.cumsum(m)
np.diff(v)
np.diff(x, axis=0)
np.diff(v, 2)
np.linalg.solve(s, s)
np.linalg.solve(s, s[0])
np.linalg.inv(s)
np.linalg.det(s)
np.linalg.slogdet(s)
np.linalg.cholesky(s @ s.T + 10 * np.eye(len(s)))
np.reshape(x, -1)
x.reshape(-1)
x.reshape(x.size)
x.reshape((len(v), -1))
x.reshape(len(v), -1)
x.reshape(x.shape)
v.reshape(-1, 1)
v.reshape(1, -1)
x.ravel()
np.ravel(x)
x.flatten()
x.T
x.T.T
s.T
v.T
np.transpose(x)
np.transpose(x, (1, 0))
x.transpose()
x.transpose(1, 0)
x.transpose((0, 1))
np.swapaxes(x, 0, 1)
x.swapaxes(0, -1)
np.moveaxis(x, 0, -1)
np.rollaxis(x, 1)
np.squeeze(k)
np.squeeze(x[None])
x[None].squeeze(0)
np.expand_dims(v, 0)
np.expand_dims(v, -1)
np.expand_dims(x, 1)
np.broadcast_to(v, x.shape)
np.broadcast_to(v, (3, len(v)))
np.broadcast_to(a, 4)
np.diagonal(s)
s.diagonal()
np.diag(v)
np.diag(s)
np.atleast_1d(a)
np.atleast_2d(v)
np.atleast_3d(x)
np.split(v, [1])[0]
np.array_split(v, 2)[0]
np.concatenate([v, w])
np.concatenate((v, w))
np.concatenate((x, y), axis=1)
np.concatenate((x, y), axis=None)
np.concatenate([v[:1], v[:-1]])
np.concatenate([[a], v])
np.stack([v, w])
np.stack((v, w), axis=1)
np.stack([v, w], axis=-1)
np.stack([row * 2 for row in x])
np.vstack([v, w])
np.vstack((x, v))
np.hstack([v, w])
np.hstack((x, y))
np.hstack([v, a])
np.column_stack([v, w])
np.dstack([x, y])
np.append(v, a)
np.append(v, w)
np.where(x > 0, x, y)
np.where(m, v, 0.0)
np.where(m, f, 0.0)
np.where(m, f, v)
np.where(v > 0)
np.clip(x, 0, 1)
np.clip(v, None, a)
x.clip(0.0, 1.0)
np.clip(i, 0, 1)
np.take(v, i % len(v))
np.take(x, 0, axis=1)
np.roll(v, 1)
np.roll(x, 1, axis=0)
np.flip(v)
np.flip(x, axis=0)
np.sort(v)
np.argsort(v)
np.sort(x, axis=None)
np.tile(v, 2)
np.tile(v, (2, 1))
np.repeat(v, 2)
np.repeat(x, 2, axis=0)
np.tril(x)
np.triu(s, 1)
np.round(v, 1)
np.array([a, a])
np.array([a, n])
np.array([n, n])
np.array([v, w])
np.array([[a, a], [a, n]])
np.array(v)
np.array(a)
np.array((a, n))
np.array([x[0, 0], v[0]])
np.array([], dtype=float)
np.array(v, dtype=np.float32)
np.asarray(v)
np.asarray([a, a])
np.asarray(v, dtype=np.float32)
np.zeros(3)
np.zeros((2, 3))
np.zeros(len(v))
np.zeros(x.shape)
np.zeros(v.shape[0] + 1)
np.zeros(v.size)
np.zeros((len(x), len(v)))
np.zeros((len(v), n))
np.zeros([2, 3])
np.zeros(len(v), dtype=int)
np.zeros(v.shape, v.dtype)
np.ones(len(v) - 1)
np.ones(3, dtype="float32")
np.empty_like(x)
np.zeros_like(f)
np.ones_like(i, dtype=float)
np.zeros_like(a)
np.full(len(v), a)
np.full((2, 2), 1)
np.full_like(x, a)
np.arange(5)
np.arange(len(v))
np.arange(1, len(v))
np.arange(0, 1, 0.25)
np.arange(n)
np.arange(a)
np.linspace(0, 1, 11)
np.linspace(0, 1, len(v))
np.linspace(a, 1)
np.eye(3)
np.eye(len(v))
np.identity(len(v))
np.copy(x)
x.copy()
x.astype(np.float32)
x.astype(float)
i.astype(float)
m.astype(int)
v[0].item()
v.tolist()
x.item(0)
v[0]
v[-1]
v[n]
x[0]
x[n]
x[0, 1]
x[n, n]
x[0][1]
x[:, 0]
x[..., 0]
x[0, ...]
x[0, 0, ...]
z[()]
z[...]
x[:, None, :]
x[None]
v[None, :]
v[:, np.newaxis]
v[1:]
v[:-1]
v[1:-1]
v[1:] - v[:-1]
v[2:] - 2 * v[1:-1] + v[:-2]
v[::2]
v[::-1]
v[-2::-1]
v[:n]
v[n:]
v[-1:]
v[:1]
v[:len(v)]
v[:len(v) - 1]
v[1:len(v) - 1]
v[1:1]
v[slice(1, None)]
x[1:, :-1]
x[1:-1, 1:-1]
x[:, 1:] - x[:, :-1]
x[::2, ::-1]
x[i % len(x)]
x[i % len(x), i % len(v)]
x[:, i % len(v)]
x[i % len(x), 0]
x[[0, 1]]
x[[0, 1], [1, 0]]
x[0, [0, 1]]
x[None, :, [0, 1]]
x[[0, 1], None, [0, 1]]
x[:, m]
v[m]
v[v > 0]
x[x > 0]
x[x > 0].sum()
x[np.ix_([0, 1], [0, 1])]
x[i[:, None] % len(x), i % len(v)]
v[f > 0]
len(x)
x.shape
x.shape[0]
x.ndim
x.size
v.size - 1
x.itemsize
np.shape(x)
np.ndim(x)
np.size(x)
float(v[0])
float(z)
int(i[0])
math.sin(v[0])
math.sin(z)
np.sin(v[0])
v[0] * a
v[0] + n
f[0] * a
f[0] * v[0]
i[0] + 1
sum(v)
sum(x)
max(v)
min(v)
abs(v[0])
[e * 2 for e in v]
[row.sum() for row in x]
sum(row for row in x)
sum([row @ row for row in x])
x[0] if n > 0 else x[1]
x if n > 0 else a
x if n > 0 else v
x[0] if n > 0 else f
x if n > 0 else None
isinstance(x, np.ndarray)
isinstance(v[0], float)
np.isclose(v, w)
np.allclose(v, w)
np.array_equal(v, w)
np.searchsorted(np.sort(v), a)
np.interp(v, np.sort(w), w)
np.sinc(v)
np.nonzero(v)
np.meshgrid(v, w)[0]
np.real(c)
c.real
c.imag
v.real
c.conj()
np.conj(v)
np.angle(c)
np.nan_to_num(v)
np.polyval(v, a)
np.linalg.matrix_power(s, 2)
np.add.reduce(v)
np.random.default_rng(0).normal(size=3)
np.random.default_rng(0).normal(size=len(v))
np.random.default_rng(0).normal(0.0, 1.0, (2, 3))
np.random.default_rng(0).uniform()
np.random.default_rng(0).integers(10)
np.random.default_rng(0).standard_normal(len(v))
np.random.default_rng(0).random((2, 3))
np.random.default_rng(0).normal(0.0, 1.0, size=x.shape)
np.random.default_rng(0).normal(v, 1.0)
np.random.default_rng(0).uniform(low=0.0, high=v)
np.random.default_rng(0).permutation(3)
np.random.default_rng(0).permutation(v)
np.random.default_rng(0).permutation(len(v))
np.random.default_rng(0).integers(0, 5, size=3)
np.random.default_rng(0).poisson(3.0)
np.random.default_rng(seed=0).normal(size=3)
np.random.default_rng(0).random(3, dtype=np.float32)
np.random.default_rng(0).standard_normal((2, 3), np.float32)
np.random.default_rng(0).integers(0, 5, size=3, dtype=np.int32)
np.random.default_rng(0).integers(5, dtype=np.int32)
np.random.default_rng(0).choice(5)
np.random.default_rng(0).choice(5, 3)
np.random.default_rng(0).choice(len(v), size=(2, 3))
np.random.default_rng(0).choice(5, size=2, replace=False)
np.random.default_rng(0).choice(v)
np.random.default_rng(0).choice(v, 3)
np.random.default_rng(0).choice(x)
np.random.default_rng(0).choice(x, 3)
np.random.default_rng(0).choice(x, axis=1)
np.random.default_rng(0).choice([1.0, 2.0], 3, p=[0.5, 0.5])
np.random.default_rng(0).dirichlet(v)
np.random.default_rng(0).dirichlet([1.0, 2.0], 3)
np.random.default_rng(0).multinomial(5, [0.5, 0.5])
np.random.default_rng(0).multinomial(5, [0.5, 0.5], size=(2, 3))
np.random.default_rng(0).multivariate_normal(np.zeros(2), np.eye(2))
np.random.default_rng(0).multivariate_normal(np.zeros(2), np.eye(2), size=len(v))
np.random.choice(v, 3)
np.random.choice(5)
np.random.randn(2, len(v))
np.random.rand()
np.random.normal(size=3)
np.random.randint(5)
np.multiply.reduce(x)
np.add.reduce(x, axis=1)
np.add.reduce(x, axis=None)
np.maximum.accumulate(v)
np.maximum.reduce(x, keepdims=True)
np.subtract.outer(v, w)
np.argwhere(x > 0)
np.meshgrid(v, w[:1])
np.meshgrid(v, w[:1], indexing="ij")
np.indices((2, len(v)))
np.tril_indices(3)
np.select([v > 0, v > 1], [v, w])
np.select([v > 0], [f], 0.0)
np.convolve(v, w)
np.trapezoid(v)
np.trapezoid(x, axis=0)
np.trapezoid(f, dx=0.5)
np.trapezoid(v, w)
np.fix(v)
np.isreal(c)
np.quantile(v, 0.5)
np.percentile(x, 50, axis=0)
np.average(v, weights=w)
np.average(x, axis=0)
np.digitize(v, np.sort(w))
np.bincount(i)
np.unique(i)
np.vander(v, 3)
np.vander(v)
np.delete(v, 0)
np.insert(v, 0, 1.0)
np.gradient(v)
np.gradient(v, 0.1)
np.gradient(f)
np.ediff1d(v)
np.fft.fft(v)
np.fft.rfft(v)
np.fft.ifft(c)
np.fft.fftfreq(len(v))
np.polynomial.legendre.leggauss(3)
np.polynomial.hermite.hermgauss(len(v))[1]
np.frombuffer(v.tobytes())
np.frombuffer(v.tobytes(), np.float32)
np.loadtxt(["1 2", "3 4"])
np.loadtxt(["1 2 3"], dtype=int)
np.isin(x, [1.0, 2.0])
np.isin([1, 2, 3], v, invert=True)
np.setdiff1d(np.arange(5), [1, 2])
np.union1d(v, [1, 2])
np.intersect1d([1, 2, 3], [2, 3])
np.setxor1d(v, x)
np.fft.fftshift(v)
np.cov(x)
np.linalg.eigh(s @ s.T)
np.linalg.eigh(s @ s.T)[0]
np.linalg.eigvalsh(s @ s.T)
np.linalg.eigh(s @ s.T).eigenvalues
np.linalg.pinv(x)
np.linalg.slogdet(s).logabsdet
np.linalg.norm(x)
np.linalg.norm(x, "fro")
np.linalg.norm(x, ord=1, axis=1, keepdims=True)
np.diagflat(v)
np.linalg.svd(s)
np.linalg.svd(x)
np.linalg.svd(x, full_matrices=False)
np.linalg.svd(x).S
np.linalg.svdvals(x)
np.linalg.qr(x)
np.linalg.qr(s).R
np.linalg.cond(s)
np.ravel_multi_index((i % 2, i % 2), (2, 2))
np.sort(v).searchsorted(w)
np.isfortran(x)
np.diag(v, 1)
np.diag(s, 1)
np.trace(s, offset=1)
np.partition(v, 1)
np.take_along_axis(x, np.argsort(x, axis=1), axis=1)
np.stack((x, y), -1)
np.concatenate([x, y], axis=-1)
np.concatenate([v[None], x])
np.concatenate([f, v])
np.concatenate([f, [1.0]])
np.hstack([[1, 2], [3]])
np.array([f[0], f[0]])
np.array([f[0], a])
np.array([[f[0]], [a]])
np.array([i[0], n])
np.array([x, y])
np.array([x[0], v])
np.array([m[0], True])
np.sum([v, w], axis=0)
np.mean([a, a, n])
np.max([a, n])
np.linalg.norm([a, a])
np.dot([a, a], [a, n])
np.maximum(a, v[0])
np.add(f[0], 1)
f[0] + f[0]
f[0] ** 2
f[0] / 2
i[0] // 2
i[0] / 2
i[0] ** n
divmod(v[0], 2)
abs(c[0])
np.add(n, n)
np.isnan(a)
np.floor(a)
np.sin(n)
np.sin(f[0])
np.hypot(f[0], a)
m[0] + m[0]
i[0] ** 2
-f[0]
abs(f[0])
m[0]
m[0] & True
z.item()
z * 2.0
z + f
np.sqrt(z)
np.sum(z)
z.reshape(1)
z.copy()
v[0].sum()
v[0].mean()
v[0].copy()
v[0].reshape(1)
x.sum().max()
f[0].astype(float)
v[0].ndim
v[0].shape
v[0].size
v[0].T
v[0].dtype
np.r_[v, w]
np.r_[v, a]
np.r_[a, v, a][1:] - v[0]
np.c_[v, w]
np.c_[v, w, v]
np.mgrid[0:2, 0 : len(v)]
np.mgrid[: len(v)]
np.mgrid[0:1:4j, 0:a:0.25]
np.mgrid[2:7:3]
np.ogrid[: len(v), 0:2]
np.ogrid[0:3]
np.r_[1 : len(v), 0]
np.r_[0:3]
np.r_[0, 2:n, 5]
np.r_[np.arange(3), 0:2]
np.s_[1:]
x[np.s_[1:, ::2]]
x[np.index_exp[0]]
np.compress([True, False], x, axis=1)
np.extract(x > 0, x)
np.choose([0, 1], [v[:2], w[:2]])
np.pad(v, 1)
np.pad(x, ((1, 1), (2, 0)))
np.pad(x, (0, 1), mode="edge")
np.block([[s, s], [s, s]])
np.block([v, w])
np.fromiter((e for e in v), dtype=float)
np.linalg.multi_dot([x, s, v])
np.linalg.svd(s, compute_uv=False)
np.linalg.lstsq(x, x[:, 0], rcond=None)[0]
x.tolist()
x.tolist()[0][0]
x.sum(axis=())
np.tensordot(x, y, axes=([0, 1], [0, 1]))
tuple(x[:, :2].T[0:0])
tuple(np.zeros((2, 3)))
np.fromfunction(lambda p, q: p + q, (2, 3))
np.float64(a)
np.float32(a)
np.float64(a) * f
np.float32(a) * v
np.float32(a) * a
np.int64(3) * a
x * np.float32(2)
f * np.float64(2)
np.array(3)
np.array(a) * f
np.asarray(a)
x.real
x.imag
x.sum(axis=0).max()
(x * x).sum(1).mean()
(x @ v).T @ x[:, 0]
np.sum(x * v, axis=1, keepdims=True) * x
x - x.mean(axis=0)
x - x.mean(axis=1, keepdims=True)
(x - x.mean(axis=0)) / x.std(axis=0)
np.exp(x - x.max(axis=1, keepdims=True)) / np.exp(x).sum(axis=1)[:, None]
v[:, None] - v[None, :]
(v[:, None] - w)[..., None] * x[0]
""".strip().splitlines()

#: Whose type is not known.
NOT_KNOWN = """
""".strip().splitlines()

#: Programs of several statements.
UPDATES = """
v[0] = a; return v
v.flat = a; return v
x.T.flat = v; return x
f = x.sum; return f(axis=0)
q = x.transpose(*(1, 0)); q[0] = a; return q
q = x.reshape(*x.shape[::-1]); q[0] = a; return x
t = 0.0; h = [t + b * k[0] for (k, b) in np.ndenumerate(x)]; return sum(h)
v[:] = w; return v
v[1:-1] = v[2:] + v[:-2]; return v
x[0, :] = v; return x
x[0][1] = a; return x
x[m[:len(x)] if False else 0] = v; return x
v[m] = 0.0; return v
v += w; return v
v += 1; return v
v *= a; return v
x -= v; return x
x /= 2; return x
y **= 2; return y
q = v; q += w; return q
q = v[1:]; q += 1; return v
q = x.T; q[0] = 1; return x
q = x.reshape(-1); q[0] = 1; return q
q = x.ravel(); q *= 2; return q
q = np.asarray(v); q[0] = 2; return q
q = v.copy(); q[0] = 2; return q
q = v + 0; q[0] = 2; return q
q = a; q += v; return q
q = a; q *= a; return q
q = v[0]; q += 1; return q
q = v[0]; q += v; return q
np.add(v, w, out=v); return v
np.add(v, w, v); return v
np.sin(v, out=v); return v
np.add(v, 1, out=v, where=m); return v
np.copyto(v, w); return v
np.put(v, [0], 1.0); return v
np.place(v, m, 1.0); return v
np.putmask(v, m, 1.0); return v
np.fill_diagonal(s, 0.0); return s
np.add.at(v, [0, 0], 1.0); return v
np.subtract.at(v, [0, 0], 1.0); return v
np.sum(x, axis=0, out=v); return v
np.dot(s, w, out=v); return v
np.matmul(s, w, out=v); return v
np.cumsum(w, out=v); return v
np.clip(v, 0.0, 1.0, out=v); return v
np.take(w, [0] * len(v), out=v); return v
v.fill(0.0); return v
v.sort(); return v
v.partition(1); return v
v.put([0], 2.0); return v
x.sum(axis=0, out=v); return v
q = np.zeros(len(v)); q[1:] = v[1:] * 2; return q
q = np.zeros_like(v); q[:] = v; return q + v
q = np.empty((len(v), len(v))); q[...] = v; return q @ v
d = len(v); q = np.zeros(d - 2); q[:] = v[1:-1]; return q + v[2:]
r, d = x.shape; q = np.zeros((r, d)); q += x; return q + x
r, d = x.shape; q = np.zeros((d, r)); return q + x.T
r = x.shape[0]; q = np.zeros(r + 2); q[1:-1] = x[:, 0]; return q[1:-1] + x[:, 0]
t = x.shape; q = np.zeros(t); return q * x
t = x.shape[:1]; return np.zeros(t)
t = x.shape + (2,); return np.zeros(t)
t = (slice(1, None), 0); return x[t]
t = slice(1, -1); return v[t]
d = len(v); d = d - 1; return v[:d] + v[1:]
d = v.size; return np.arange(d) * v
q = np.zeros(n + 1); r = np.ones(n); q[1:] = r; return q[1:] + r
q = np.linspace(0.0, 1.0, n + 3); return q[1:-1] + q[2:]
q = np.zeros((n, n + 1)); return q @ np.ones(n + 1)
q = np.zeros(COUNT); r = np.ones(COUNT); q[1:] = r[1:]; return q + r
q = np.zeros(COUNT - 1); return np.zeros(COUNT)[1:] + q
d = n; d = d + 1 if a > 0 else d; return np.zeros(d)
d = n; d = d + 1 if a > 0 else d; return np.zeros(d) * np.ones((3, 1))
q = zeros_of(n); return q + 1
q = zeros_of(COUNT); return q + np.zeros(COUNT)
q = zeros_of(n); return q, zeros_of(n + 1), np.zeros(n + 1)
q = np.zeros(n)[:n]; return q
q = np.zeros(n); return q[:n - 1] - q[1:n]
np.random.default_rng(0).shuffle(v); return v
np.random.shuffle(v); return v
np.multiply.at(x, (0, 1), 3.0); return x
np.add.reduce(x, axis=0, out=v); return v
np.add.accumulate(w, out=v); return v
q = [v, w]; q[0][0] = 1; return q[0] + v
q = [np.zeros(3)]; q[0][0] = 1; return q[0]
q = np.concatenate([v, w]); q[0] = 1; return q
q = np.stack([v, w]); q[0] = v; return q
q = [v, w]; q.append(v); return np.stack(q)
q = []; [q.append(row) for row in x]; return np.stack(q)
t = 0.0; t = t + x; return t
t = [x]; return t[0] if n else None
d = {"k": v}; d["k"][0] = 2; return v
d = {"k": v}; d["k"] = d["k"] + 1; return d["k"]
q = s; q = q @ s; return q
v @= s; return v
i //= 2; return i
m |= True; return m
q, r = v, w; q, r = r, q; q[0] = 1; return r
q = np.broadcast_to(a, x.shape); return q * x
q = v if n else w; q[0] = 1; return q
(q, r) = x[:2]; q[0] = 1; return r
q, *r = x; return r[0]
q = x[0]; q[0] = 5; return q
q = np.diagonal(s); return q * v
q = s.ravel(); q[::len(s) + 1] = v; return s
q = np.squeeze(x[None]); q[0] = v; return q
q = np.atleast_2d(x); q[0] = v; return q
q = np.split(v, 2 if len(v) % 2 == 0 else 1); q[0][0] = 1; return v
q = np.moveaxis(x, 0, 1); q[0] = 1; return q
q = np.expand_dims(v, 0); q[0] = 1; return q
q = np.flip(v); q[0] = 1; return q
q = c.real; q[0] = 1; return c
q = np.asarray(f, dtype=np.float32); q[0] = 1; return f
q = np.array(v, copy=False) if n > 1 else v; q[0] = 1; return v
q = v.astype(float, copy=False); q[0] = 1; return q
q = np.rot90(s); q[0] = 1; return q
q = np.einsum("ij->ji", x); q[0] = 1; return q
q = np.einsum("ii->i", s); q[0] = 1; return q
q = np.diag(s); return q * 2
q = v[:, None]; q[0, 0] = 1; return q
q = x[..., 0]; q[0] = 1; return q
q = v[i % len(v)]; q[0] = 1; return q
q = v[m]; q[0] = 1; return q
q = x[0:1, [0]]; q[0] = 1; return q
t = 0.0; return [t for row in x]
""".strip().splitlines()
