"""Compiled kernels of the solver, one file for each set.

``action_values``: layouts of payoffs, action values and epsilon.
``logit``: logit responses, and iterations towards them.
``regret_matching``: regret matching.
``linear_program``: steps of sequential linear programming.
``newton``: the equations of Newton's method.
"""
