"""A bulk file: its documents one by one, or its bytes."""

# Made from _async/bulk_file.py by `npm run docs`.

from __future__ import annotations

import json
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Generic, TypeVar

import httpx

from .._body import Gunzip, Lines
from .._rules import Request, network_error
from ..errors import NetworkError
from .transport import Transport

Document = TypeVar("Document")

SILENCE_SECONDS_MAX = 30.0


class BulkFile(Generic[Document]):
    """The documents of a bulk file. Every read downloads the file again, and is charged again."""

    def __init__(self, transport: Transport, path: str, format: str) -> None:
        self._transport = transport
        self._path = path
        self._format = format

    def iter_bytes(self) -> Generator[bytes, None, None]:
        """The file as is, in any format."""
        request = Request("GET", self._path)
        response = self._transport.stream(request, SILENCE_SECONDS_MAX)
        try:
            for chunk in response.iter_bytes():
                yield chunk
        except httpx.RequestError as error:
            raise network_error(self._transport.settings.base, error) from error
        finally:
            response.close()

    def __iter__(self) -> Iterator[Document]:
        if self._format != "jsonl":
            raise ValueError(f"A {self._format} file has no documents to read; use iter_bytes().")
        gunzip, lines = Gunzip(), Lines()
        with closing(self.iter_bytes()) as chunks:
            for chunk in chunks:
                try:
                    text = gunzip.take(chunk)
                except zlib.error as error:
                    raise self._damaged() from error
                for line in lines.take(text):
                    yield json.loads(line)
        if not gunzip.is_complete:
            raise self._damaged()

    def _damaged(self) -> NetworkError:
        return NetworkError(f"The file from {self._transport.settings.base} is incomplete.")
