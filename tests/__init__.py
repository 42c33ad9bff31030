"""The tests, one package: what several of them need is imported from where it lies."""
