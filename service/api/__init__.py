"""HTTP: bodies, problems and routes.  No game logic, and no other part imports Flask."""
