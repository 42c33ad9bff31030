"""The first page: where tables are dropped, examples, recent studies."""
