"""Running a tournament: cells, worker processes and records on disk."""
