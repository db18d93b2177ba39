"""The event stream. It reconnects automatically and resumes after the last event."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import cast

import httpx

from .. import types
from .._body import Messages
from .._rules import RECONNECT_PAUSES, Request, network_error, pause_seconds, retry_of
from ..errors import BrickmarkError, NetworkError
from .transport import AsyncTransport

# The server writes something every 15 seconds.
SILENCE_SECONDS_MAX = 45.0


class AsyncEventStream:
    """Market events as they are published, until you stop reading."""

    position: int | None = None
    """The position of the last event. To resume, pass it as `after` to a new stream."""

    def __init__(
        self,
        transport: AsyncTransport,
        path: str,
        on_stale: Callable[[int], None] | None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._on_stale = on_stale or self._refuse_stale

    async def __aiter__(self) -> AsyncIterator[types.MarketEvent]:
        is_first = True
        failures = 0
        while True:
            try:
                async with aclosing(self._connect()) as messages:
                    async for message in messages:
                        is_first = False
                        # Reconnecting returns the same reason as an error.
                        if message.get("event") == "error":
                            break
                        # The first message does not show that the connection lasts; an event or
                        # a heartbeat does.
                        if message.get("event") != "position" and "retry" not in message:
                            failures = 0
                        event = self._take(message)
                        if event is not None:
                            yield event
            except (BrickmarkError, NetworkError) as error:
                if is_first or not (retry_of(error) == "backoff" or _is_crowded(error)):
                    raise
            await self._transport.sleep(pause_seconds(failures, RECONNECT_PAUSES))
            failures += 1

    async def _connect(self) -> AsyncGenerator[dict[str, str], None]:
        headers = {"Accept": "text/event-stream"}
        if self.position is not None:
            headers["Last-Event-ID"] = str(self.position)
        request = Request("GET", self._path, headers=headers)
        response = await self._transport.stream(request, SILENCE_SECONDS_MAX)
        messages = Messages()
        try:
            async for chunk in response.aiter_bytes():
                for message in messages.take(chunk):
                    yield message
        except httpx.RequestError as error:
            raise network_error(self._transport.settings.base, error) from error
        finally:
            await response.aclose()

    def _take(self, message: dict[str, str]) -> types.MarketEvent | None:
        kind, position, data = (message.get(name) for name in ("event", "id", "data"))
        if kind == "stale":
            self._on_stale(int(position or 0))
        if position:
            self.position = int(position)
        if not data or kind in ("position", "stale"):
            return None
        return cast(types.MarketEvent, json.loads(data))

    def _refuse_stale(self, oldest: int) -> None:
        raise BrickmarkError(
            f"Events before position {oldest} have been deleted. To continue from there, set "
            "on_stale, and reload any data you keep a copy of.",
            code="BadRequest",
            status=400,
            budget=self._transport.budget,
        )


def _is_crowded(error: BrickmarkError | NetworkError) -> bool:
    """Whether there are too many streams: the one that was disconnected may still be counted."""
    return isinstance(error, BrickmarkError) and error.code == "TooManyStreams"
