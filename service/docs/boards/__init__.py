"""Pictures of positions: one SVG renderer for all pages of the documentation."""
