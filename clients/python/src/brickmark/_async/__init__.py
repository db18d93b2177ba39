"""The asynchronous client. `_sync` is made from it."""
