"""Resources, costs, payments and bids (C4, C6)."""
