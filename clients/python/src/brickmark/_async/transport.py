"""Calls over HTTP: key, timeout, retries and errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio
import httpx

from .._rules import (
    Attempts,
    Request,
    Settings,
    batch_pieces,
    budget_of,
    data_of,
    error_of,
    joined_batches,
    network_error,
    query_text,
    request_of,
)
from ..errors import BrickmarkError, Budget, NetworkError

T = TypeVar("T")


class AsyncTransport:
    """Sends the calls of one client."""

    budget: Budget | None = None
    """From the last response."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self._http = http or httpx.AsyncClient()
        self._is_own = http is None

    async def get(self, path: str, query: Mapping[str, object]) -> Any:
        """Returns `data`, with a conditional request if the response is cached."""
        full_path = f"{path}{query_text(query)}"
        cache = self.settings.cache
        known = cache.find(full_path) if cache else None
        headers = {"If-None-Match": known.tag} if known else {}
        response = await self.call(Request("GET", full_path, headers=headers))
        tag, content = response.headers.get("ETag"), response.content
        if known and response.status_code == 304:
            tag, content = known
        data = data_of(response, content)
        if cache:
            cache.keep(full_path, tag, content)
        return data

    async def send(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        body: Mapping[str, object] | None,
        *,
        may_repeat: bool = True,
    ) -> Any:
        """Sends a body; returns `data`."""
        request = Request(method, f"{path}{query_text(query)}", body=body)
        response = await self.call(request, may_repeat=may_repeat)
        return data_of(response, response.content)

    async def send_batch(self, path: str, body: Mapping[str, Any]) -> Any:
        """Sends a batch of any size, one call after the other; a failed one fails the batch."""
        pieces = batch_pieces(body)
        return joined_batches([await self.send("POST", path, {}, piece) for piece in pieces])

    async def call(self, request: Request, *, may_repeat: bool = True) -> httpx.Response:
        """A response that has been read."""
        timeout = httpx.Timeout(self.settings.timeout)
        return await self._attempt(
            lambda: self._send_once(request, timeout, is_streamed=False), may_repeat=may_repeat
        )

    async def stream(self, request: Request, silence_seconds_max: float) -> httpx.Response:
        """A response that has yet to be read, and closed."""
        timeout = httpx.Timeout(self.settings.timeout, read=silence_seconds_max)
        return await self._attempt(lambda: self._send_once(request, timeout, is_streamed=True))

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def aclose(self) -> None:
        """Closes connections, unless they are the caller's."""
        if self._is_own:
            await self._http.aclose()

    async def _send_once(
        self, request: Request, timeout: httpx.Timeout, *, is_streamed: bool
    ) -> httpx.Response:
        """Raises if the response is an error."""
        try:
            response = await self._http.send(
                request_of(self._http, self.settings, request, timeout),
                stream=is_streamed,
                # The key must not be sent to another host.
                follow_redirects=False,
            )
            is_error = not response.is_success and response.status_code != 304
            if is_error and is_streamed:
                await response.aread()
                await response.aclose()
        except httpx.RequestError as error:
            raise network_error(self.settings.base, error) from error
        budget = budget_of(response)
        if budget:
            self.budget = budget
            if self.settings.on_budget:
                self.settings.on_budget(budget)
        if is_error:
            raise error_of(response, budget)
        return response

    async def _attempt(
        self, run: Callable[[], Awaitable[T]], *, may_repeat: bool = True
    ) -> T:
        """Tries again where that can help: after a fault, or when the server says that it will."""
        attempts = Attempts(self.settings, may_repeat=may_repeat)
        while True:
            try:
                return await run()
            except (BrickmarkError, NetworkError) as error:
                pause = attempts.pause_after(error)
                if pause is None:
                    raise
            await self.sleep(pause)
