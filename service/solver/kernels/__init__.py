"""Compiled kernels of the solver, one file for each set.

``regret_matching``: action values, epsilon, regret matching and logit response.
``linear_program``: steps of sequential linear programming.
``newton``: the equations of Newton's method.
"""
