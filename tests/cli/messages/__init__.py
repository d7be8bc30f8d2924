"""Messages as people meet them, each with the entry of the catalogue that must be found for it."""
