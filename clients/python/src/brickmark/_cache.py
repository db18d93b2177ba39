"""Caches responses with their tags, so that the server need not send unchanged ones again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

ANSWERS_MAX = 100

# Of all responses together: some are megabytes long.
BYTES_MAX = 10_000_000


class CachedAnswer(NamedTuple):
    tag: str
    content: bytes


class AnswerCache:
    """The most recently used responses, by path and query."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._bytes = 0
        # A client may be used by several threads.
        self._lock = Lock()

    def find(self, path: str) -> CachedAnswer | None:
        return self._answers.get(path)

    def keep(self, path: str, tag: str | None, content: bytes) -> None:
        """Caches a response that has a tag; the least recently used are dropped."""
        with self._lock:
            self._forget(path)
            if tag is None or len(content) > BYTES_MAX:
                return
            self._answers[path] = CachedAnswer(tag, content)
            self._bytes += len(content)
            while len(self._answers) > ANSWERS_MAX or self._bytes > BYTES_MAX:
                self._forget(next(iter(self._answers)))

    def _forget(self, path: str) -> None:
        known = self._answers.pop(path, None)
        if known is not None:
            self._bytes -= len(known.content)
