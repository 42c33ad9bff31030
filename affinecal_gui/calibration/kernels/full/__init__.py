"""AffineTL-full: its objective, the paper's block updates, and damped Newton steps."""
