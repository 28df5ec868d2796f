"""Pages with the rules of the games: text in Markdown, numbers and tables from the code."""
