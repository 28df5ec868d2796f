"""Search: best response, expectimax over rounds and turns, and lookahead."""
