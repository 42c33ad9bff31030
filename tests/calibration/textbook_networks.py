"""Affine transfer with networks as a textbook writes it: one network, one array for each layer, double precision."""

import numpy as np


def textbook_affine(f, x, y, width, other, *, epochs, dropout=0.0, l2=0.01, rate=1e-3, batch=2, seed=0, start=None):
    """Return weights and biases of g1, g2, g3 after training, and the function that predicts with them."""
    rng = np.random.default_rng(seed)

    def glorot(a, b):
        reach = np.sqrt(6.0 / (a + b))
        return rng.uniform(-reach, reach, (a, b))

    nets = start or [
        [glorot(inputs.shape[1], hidden), np.zeros(hidden), glorot(hidden, 1), np.zeros(1)]
        for inputs, hidden in ((f, width), (f, width), (x, other))
    ]
    means = [[np.zeros_like(one) for one in net] for net in nets]
    squares = [[np.zeros_like(one) for one in net] for net in nets]

    def forward(net, inputs, mask):
        z = inputs @ net[0] + net[1]
        h = np.where(z > 0.0, z, 0.01 * z) * mask
        return z, h, (h @ net[2] + net[3])[:, 0]

    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(y))
        for at in range(0, len(y), batch):
            rows = order[at : at + batch]
            inputs = [f[rows], f[rows], x[rows]]
            masks = [
                (rng.random((len(rows), net[1].size)) >= dropout) / (1.0 - dropout) if dropout else 1.0 for net in nets
            ]
            passes = [forward(*one) for one in zip(nets, inputs, masks, strict=True)]
            g1, g2, g3 = (one[2] for one in passes)
            above = 2.0 * (g1 + g2 * g3 - y[rows]) / len(rows)
            step += 1
            for net, (z, h, _), own, mask, first, second, by in zip(
                nets, passes, inputs, masks, means, squares, (above, above * g3, above * g2), strict=True
            ):
                delta = by[:, None] @ net[2].T * mask * np.where(z > 0.0, 1.0, 0.01)
                gradients = [own.T @ delta, delta.sum(axis=0), h.T @ by[:, None], by.sum(keepdims=True)]
                for k, gradient in enumerate(gradients):
                    total = gradient + (2.0 * l2 * net[k] if k % 2 == 0 else 0.0)
                    first[k] = 0.9 * first[k] + 0.1 * total
                    second[k] = 0.999 * second[k] + 0.001 * total**2
                    m, v = first[k] / (1.0 - 0.9**step), second[k] / (1.0 - 0.999**step)
                    net[k] = net[k] - rate * m / (np.sqrt(v) + 1e-7)

    def predict(sources, descriptors):
        g1, g2, g3 = (forward(net, own, 1.0)[2] for net, own in zip(nets, (sources, sources, descriptors), strict=True))
        return g1 + g2 * g3

    return nets, predict
