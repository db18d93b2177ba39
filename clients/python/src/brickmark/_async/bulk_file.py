"""A bulk file: its documents one by one, or its bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Generic, TypeVar

import httpx

from .._body import Gunzip, Lines
from .._rules import Request, network_error
from ..errors import NetworkError
from .transport import AsyncTransport

Document = TypeVar("Document")

SILENCE_SECONDS_MAX = 30.0


class AsyncBulkFile(Generic[Document]):
    """The documents of a bulk file. Every read downloads the file again, and is charged again."""

    def __init__(self, transport: AsyncTransport, path: str, format: str) -> None:
        self._transport = transport
        self._path = path
        self._format = format

    async def iter_bytes(self) -> AsyncGenerator[bytes, None]:
        """The file as is, in any format."""
        request = Request("GET", self._path)
        response = await self._transport.stream(request, SILENCE_SECONDS_MAX)
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.RequestError as error:
            raise network_error(self._transport.settings.base, error) from error
        finally:
            await response.aclose()

    async def __aiter__(self) -> AsyncIterator[Document]:
        if self._format != "jsonl":
            raise ValueError(f"A {self._format} file has no documents to read; use iter_bytes().")
        gunzip, lines = Gunzip(), Lines()
        async with aclosing(self.iter_bytes()) as chunks:
            async for chunk in chunks:
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
