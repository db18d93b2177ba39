"""The asynchronous client. `_sync` is made from it."""

# Made from _async/__init__.py by `npm run docs`.
