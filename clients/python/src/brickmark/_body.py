"""Reads a body as it arrives: lines, messages of a stream, and compressed bytes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

GZIP = 31


class Lines:
    """Splits bytes into lines without line ends. Only a line feed ends a line: JSON may contain
    other characters that Python takes for line ends."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, chunk: bytes) -> list[str]:
        """The lines completed by a chunk."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [line.decode() for line in lines]


class Messages:
    """Joins lines into messages. A message is lines of fields, ended by an empty line."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._fields: dict[str, str] = {}

    def take(self, chunk: bytes) -> Iterator[dict[str, str]]:
        """The messages completed by a chunk."""
        for line in self._lines.take(chunk):
            if line == "":
                yield self._fields
                self._fields = {}
            elif not line.startswith(":"):
                name, _, value = line.partition(": ")
                self._fields[name] = value


class Gunzip:
    """Decompresses chunk by chunk."""

    def __init__(self) -> None:
        self._part = zlib.decompressobj(GZIP)

    @property
    def is_complete(self) -> bool:
        return self._part.eof

    def take(self, chunk: bytes) -> bytes:
        text = b""
        while chunk:
            # A file can have several parts, one after the other.
            if self._part.eof:
                self._part = zlib.decompressobj(GZIP)
            text += self._part.decompress(chunk)
            chunk = self._part.unused_data
        return text
