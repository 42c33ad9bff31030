"""Networks: gradients, training, the affine combination, and that company does not matter."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from affinecal_gui.calibration.networks.models import Affine, Alone, predict, sigmoid
from affinecal_gui.calibration.networks.perceptron import LEAK, Perceptron
from affinecal_gui.calibration.networks.starting import Adapting, adaptable, pruned
from affinecal_gui.calibration.networks.training import Adagrad, Adam, Recipe, train
from tests.calibration.textbook_networks import textbook_affine

SHAPES = [
    pytest.param(Alone(Perceptron((3,))), id="linear"),
    pytest.param(Alone(Perceptron((3, 4))), id="one hidden layer"),
    pytest.param(Alone(Perceptron((3, 4, 3, 2))), id="three hidden layers"),
    pytest.param(Alone(Perceptron((3, 4), outputs=2)), id="two outputs"),
    pytest.param(Affine(Perceptron((2, 3), heads=2), Perceptron((3, 4))), id="affine"),
    pytest.param(Affine(Perceptron((2, 3), heads=2), Perceptron((3,))), id="affine, g3 linear"),
    pytest.param(Affine(Perceptron((2, 3), heads=2), Perceptron((3, 2)), "positive"), id="affine, g2 positive"),
]


def inputs_of(model, rng, r=2, n=5):
    x = rng.standard_normal((r, n, 3))
    return (x,) if isinstance(model, Alone) else (rng.standard_normal((r, n, 2)), x)


@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize("model", SHAPES)
def test_the_way_back_gives_the_gradient_that_differences_give(model, dropout):
    rng = np.random.default_rng(1)
    inputs = inputs_of(model, rng)
    target = rng.standard_normal(predict(model, model.start(rng, 2), inputs).shape)
    learned = model.start(rng, 2) + 0.1 * rng.standard_normal((2, model.size))
    masks = model.masks(rng, dropout, 5)

    def loss(flat):
        given = flat.reshape(learned.shape)
        outputs, _ = model.bind(given, np.empty_like(given))(inputs, masks)
        return np.sum((outputs - target) ** 2)

    gradient = np.empty_like(learned)
    outputs, back = model.bind(learned, gradient)(inputs, masks)
    back(2.0 * (outputs - target))
    differences = approx_fprime(learned.ravel(), loss, 1e-7)
    np.testing.assert_allclose(gradient.ravel(), differences, rtol=1e-4, atol=1e-5)


def test_the_affine_model_is_made_of_its_three_functions():
    rng = np.random.default_rng(2)
    model = Affine(Perceptron((2, 3), heads=2), Perceptron((3, 4)), "positive")
    inputs, learned = inputs_of(model, rng), model.start(rng, 2)
    g1, g2, g3 = model.terms(learned, inputs)
    assert np.all((g2 > 0.0) & (g2 < 1.0))
    np.testing.assert_allclose(predict(model, learned, inputs), g1 + g2 * g3)
    # By hand, one head at a time: leaky rectifier of the hidden layer, then the line.
    sources, _ = model.split(learned)
    (W, b), (V, a) = model.source.parts(sources)
    for head, expected in ((0, g1), (1, np.log(g2 / (1.0 - g2)))):
        z = inputs[0][1] @ W[1, head] + b[1, head]
        h = np.where(z > 0.0, z, LEAK * z)
        np.testing.assert_allclose((h @ V[1, head] + a[1, head])[:, 0], expected[1], atol=1e-12)


def test_the_logistic_function_bears_large_arguments():
    np.testing.assert_array_equal(sigmoid(np.array([-1e4, 0.0, 1e4])), [0.0, 0.5, 1.0])


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_adam_is_the_published_algorithm(precision):
    rng = np.random.default_rng(0)
    learned = rng.standard_normal((2, 6)).astype(precision)
    w, m, v = learned.astype(float), 0.0, 0.0
    adam = Adam(learned, Recipe(rate=1e-2))
    for t in range(1, 400):
        gradient = (w - 1.0) * np.linspace(0.1, 3.0, 6) + 0.1 * rng.standard_normal((2, 6))
        adam.step((gradient * adam.unit).astype(precision))
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
        w = w - 1e-2 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-7)
    np.testing.assert_allclose(learned, w, atol=2e-5 if precision is np.float32 else 2e-6)


def test_adam_goes_on_when_its_units_have_grown_large():
    learned, plain = np.ones((1, 3)), np.ones((1, 3))
    quick, usual = Adam(learned, Recipe(decay=(0.9, 0.9))), Adam(plain, Recipe(decay=(0.9, 0.9)))
    for step in range(400):  # 0.9 ** -200 is 1.4e9, well beyond where the units are taken back
        gradient = np.array([[1.0, -2.0, np.sin(step)]])
        quick.step(gradient * quick.unit)
        usual.step(gradient * usual.unit)
    assert quick.unit < 1e5
    np.testing.assert_allclose(learned[0, :2], [0.6, 1.4], atol=1e-9)  # 400 steps of 1e-3, downhill


def test_a_linear_network_trained_to_the_end_is_ridge_regression():
    rng = np.random.default_rng(3)
    x, l2 = rng.standard_normal((1, 40, 4)), 0.1
    y = x[0] @ np.array([1.0, -2.0, 0.5, 0.0]) + 3.0 + 0.1 * rng.standard_normal(40)
    model = Alone(Perceptron((4,)))
    learned = model.start(rng)
    for rate in (0.1, 0.01, 0.001):
        steps = train(model, learned, (x,), y[None], Recipe(rate=rate, batch=40, l2=l2), np.random.default_rng(0))
        next(epoch for epoch in steps if epoch == 300)
    # (1/n) Σ r² + l2 w'w: the penalty of the textbook is n l2, the intercept has none.
    xc = x[0] - x[0].mean(axis=0)
    w = np.linalg.solve(xc.T @ xc + 40 * l2 * np.eye(4), xc.T @ (y - y.mean()))
    np.testing.assert_allclose(learned[0], [*w, y.mean() - x[0].mean(axis=0) @ w], atol=1e-4)


def test_penalised_absolute_values_end_at_the_lasso_with_exact_zeros():
    rng = np.random.default_rng(4)
    columns = rng.standard_normal((60, 5))
    x = np.linalg.qr(columns - columns.mean(axis=0))[0][None] * np.sqrt(60)
    y = (x[0] @ np.array([2.0, 0.0, -1.0, 0.05, 0.0]))[None]
    model = Alone(Perceptron((5,)))
    learned = model.start(rng)
    for rate in (0.1, 0.01, 0.001):
        recipe = Recipe(rate=rate, batch=60, l2=0.0, l1=0.4)
        next(
            epoch
            for epoch in train(model, learned, (x,), y, recipe, np.random.default_rng(0), sparse=slice(0, 5))
            if epoch == 300
        )
    # Orthogonal columns without a mean: soft thresholds at l1 / 2.
    np.testing.assert_allclose(learned[0], [1.8, 0.0, -0.8, 0.0, 0.0, 0.0], atol=1e-3)
    assert np.count_nonzero(learned[0, :5]) == 2


def test_what_becomes_of_a_model_does_not_depend_on_the_others_of_its_stack():
    rng = np.random.default_rng(5)
    model = Affine(Perceptron((2, 3), heads=2), Perceptron((3, 4)))
    inputs, y, learned = inputs_of(model, rng, r=3, n=8), rng.standard_normal((3, 8)), model.start(rng, 3)
    recipe = Recipe(dropout=0.5)

    def trained(which):
        own = learned[which].copy()
        steps = train(model, own, [x[which] for x in inputs], y[which], recipe, np.random.default_rng(9))
        next(epoch for epoch in steps if epoch == 5)
        return own

    np.testing.assert_allclose(trained([0, 1, 2])[1:2], trained([1]), rtol=1e-12)


def test_anchored_and_frozen_numbers_stay():
    rng = np.random.default_rng(6)
    model = Alone(Perceptron((3, 4)))
    (x,), y, start = inputs_of(model, rng, r=1, n=8), rng.standard_normal((1, 8)), model.start(rng)
    free = (np.arange(model.size) % 2).astype(float)[None]
    learned = start.copy()
    steps = train(model, learned, (x,), y, Recipe(), np.random.default_rng(0), free=free)
    next(steps)
    assert np.all((learned != start) == (free > 0))
    gaps = []
    for l2 in (0.0, 100.0):
        learned = start.copy()
        steps = train(model, learned, (x,), y, Recipe(l2=l2), np.random.default_rng(0), towards=start)
        next(epoch for epoch in steps if epoch == 100)
        gaps.append(np.abs(learned - start).max())
    assert gaps[1] < 0.1 * gaps[0]


def source_network(rng):
    x = rng.standard_normal((30, 3))
    model = Alone(Perceptron((3, 6)))
    return model, model.start(rng), x, x[:, 0] - x[:, 1]


def test_pac_net_gives_the_weights_nearest_zero_to_the_target_and_trains_only_the_others_on_the_source():
    model, learned, x, y = source_network(np.random.default_rng(7))
    start = pruned(model, learned, x, y, Recipe(), 2, 0)
    given = start.free[0] == 1.0
    assert given.sum() == int(0.1 * 24)
    assert np.all(model.is_weight[given])
    assert np.abs(learned[0, given]).max() <= np.abs(learned[0, model.is_weight & ~given]).min()
    assert np.all(start.learned[0, given] == 0.0)
    others = model.is_weight & ~given
    assert np.all(start.learned[0, others] != learned[0, others])


def test_maml_to_first_order_moves_along_the_gradient_by_the_adapted_weights():
    model, learned, x, y = source_network(np.random.default_rng(8))
    # All rows of one task: half of them to adapt to, half to judge by; one step of each.
    how = Adapting(rounds=1, tasks=1, support=15, query=15, steps=1, inner_rate=0.1, rate=1e-3)
    found = adaptable(model, learned, x, y, how, 0)
    rows = np.random.default_rng(0).permutation(30)

    def gradient(at, chosen):
        def loss(flat):
            return np.mean((predict(model, flat[None], (x[chosen][None],))[0] - y[chosen]) ** 2)

        return approx_fprime(at, loss, 1e-7)

    adapted = learned[0] - 0.1 * gradient(learned[0], rows[:15])
    # The first step of Adam has the size of its rate, against the sign of the gradient.
    expected = learned[0] - 1e-3 * np.sign(gradient(adapted, rows[15:]))
    np.testing.assert_allclose(found[0], expected, atol=1e-5)


def test_a_stack_is_trained_as_a_textbook_trains_one_network_after_the_other():
    rng = np.random.default_rng(9)
    f, x, y = rng.standard_normal((12, 2)), rng.standard_normal((12, 3)), rng.standard_normal((2, 12))
    model = Affine(Perceptron((2, 3), heads=2), Perceptron((3, 4)))
    learned = model.start(rng, 2)
    starts = []
    for row in learned.copy():
        (W, b), (V, a) = model.source.parts(row[None, : model.source.size])
        (U, c), (T, d) = model.target.parts(row[None, model.source.size :])
        heads = [[W[0, k], b[0, k, 0], V[0, k], a[0, k, 0]] for k in range(2)]
        starts.append([*heads, [U[0, 0], c[0, 0, 0], T[0, 0], d[0, 0, 0]]])
    steps = train(model, learned, (f[None], x[None]), y, Recipe(), np.random.default_rng(3))
    next(epoch for epoch in steps if epoch == 5)
    for k in range(2):
        _, says = textbook_affine(f, x, y[k], 3, 4, epochs=5, seed=3, start=starts[k])
        np.testing.assert_allclose(predict(model, learned[k : k + 1], (f[None], x[None]))[0], says(f, x), atol=1e-6)


def test_adagrad_is_the_published_algorithm():
    rng = np.random.default_rng(10)
    learned = rng.standard_normal((1, 4))
    w, squares = learned.copy(), 1e-7
    optimiser = Adagrad(learned, Recipe(rate=0.1))
    for _ in range(50):
        gradient = w - 1.0 + 0.1 * rng.standard_normal((1, 4))
        optimiser.step(gradient.copy())
        squares = squares + gradient**2
        w = w - 0.1 * gradient / np.sqrt(squares)
    np.testing.assert_allclose(learned, w, rtol=1e-12)
