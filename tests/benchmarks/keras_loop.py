"""The published way to train one affine model of networks: a model of Keras, fitted in batches of two. Needs TensorFlow."""

import os
from importlib import import_module
from importlib.util import find_spec
from time import process_time

WARM = 2  # epochs in which Keras builds what it runs


def keras_is_there():
    """Whether TensorFlow is installed, which nothing of this project needs."""
    return find_spec("tensorflow") is not None


def keras_seconds(f, x, y, width, other, *, epochs, dropout=0.5, l2=0.01, batch=2):
    """Return seconds of processor time of a step, by ``fit`` and by a loop over a compiled function of one step."""
    for name in ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf, keras = import_module("tensorflow"), import_module("keras")

    def dense(outputs):
        return keras.layers.Dense(outputs, kernel_regularizer=keras.regularizers.l2(l2))

    def network(inputs, hidden):
        inside = keras.layers.LeakyReLU(negative_slope=0.01)(dense(hidden)(inputs))
        return dense(1)(keras.layers.Dropout(dropout)(inside))

    features, descriptors = keras.Input((f.shape[1],)), keras.Input((x.shape[1],))
    product = keras.layers.Multiply()([network(features, width), network(descriptors, other)])
    model = keras.Model([features, descriptors], keras.layers.Add()([network(features, width), product]))
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse")
    f, x, y = (part.astype("float32") for part in (f, x, y))
    model.fit([f, x], y, batch_size=batch, epochs=WARM, verbose=0)
    begun = process_time()
    model.fit([f, x], y, batch_size=batch, epochs=epochs, verbose=0)
    steps = epochs * -(-len(y) // batch)
    fitted = (process_time() - begun) / steps

    adam = keras.optimizers.Adam(1e-3)
    adam.build(model.trainable_variables)

    @tf.function
    def step(one, two, three):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model([one, two], training=True)[:, 0] - three) ** 2) + sum(model.losses)
        adam.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables, strict=True)
        )

    rows = [tf.constant(part[:batch]) for part in (f, x, y)]
    step(*rows)
    begun = process_time()
    for _ in range(steps):
        step(*rows)
    return fitted, (process_time() - begun) / steps
