"""Small neural networks, many of one shape at a time: affine transfer with networks, and the methods it is compared with.

``perceptron`` is one network or a stack of them, ``models`` what is made of networks, ``training`` how they are trained;
``conductivity`` is the paper's experiment on lattice thermal conductivity.
"""
