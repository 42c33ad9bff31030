"""The mathematics of calibration: arrays in, frozen results out. No pandas, no chemistry, no files.

``calibrate`` is the whole and ``refit`` follows a slider; ``options`` go in, ``results`` come out. The folders, from below:

* ``data``: checked arrays, their scale, training sets and folds.
* ``solvers``: fused ridge and the block relaxation of the affine calibrator, over polymers or over descriptors.
* ``calibrators``: the ``registry`` of all calibrators, how the linear ones are fitted; weights of measurements, posterior.
* ``uncertainty``: prediction intervals, bootstrap, bands of the parameters.
* ``cross_validation``: out-of-fold predictions and the search for penalties.
* ``checking``: comparisons, the range of validity, what to measure next, the protocol of the paper.
* ``kernels``: the general method with kernels, and the methods it is compared with.
"""
