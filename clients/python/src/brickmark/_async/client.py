"""The client: every call of both APIs, with a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import httpx

from .._rules import (
    RETRIES,
    TIMEOUT_SECONDS,
    WAIT_SECONDS,
    settings_of,
)
from ..errors import Budget
from .methods import AsyncApiLists, AsyncApiMethods, AsyncPlusLists, AsyncPlusMethods
from .transport import AsyncTransport


class AsyncBrickmark(AsyncApiMethods):
    """A client of one Brickmark server with one key. Close it with `aclose()`, or use it with
    `async with`."""

    all: AsyncApiLists
    """Complete lists; each page costs 1 call."""
    plus: AsyncBrickmarkPlus
    """The calls of the Plus API."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        retries: int = RETRIES,
        timeout: float = TIMEOUT_SECONDS,
        wait_for_reset: bool | float = WAIT_SECONDS,
        on_budget: Callable[[Budget], None] | None = None,
        cache: bool = False,
        allow_http: bool = False,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        `url`: the server address, such as `https://brickmark.example.com`.
        `key`: an API key, `bmk_` and 48 hexadecimal characters.
        `retries`: how many times to retry a call after a 500 or a lost connection.
        `timeout`: how long to wait for the server, in seconds, before a call fails.
        `wait_for_reset`: how long a call waits in total, in seconds, when the server refuses it and
        says when to try again (`Retry-After`). True: up to a day, so also for the next allowance;
        False: not at all.
        `on_budget`: called with the calls left after each response that has them.
        `cache`: keep the last 100 responses, at most 10 MB, in memory, and download only those
        that have changed. Saves bandwidth, not calls.
        `allow_http`: allow `http:` to other machines. Anyone on the network path can then read the
        key.
        `http_client`: sends requests, for example through a proxy. It is not closed.
        """
        settings = settings_of(
            url=url,
            key=key,
            retries=retries,
            timeout=timeout,
            wait_for_reset=wait_for_reset,
            on_budget=on_budget,
            cache=cache,
            allow_http=allow_http,
        )
        super().__init__(AsyncTransport(settings, http_client))
        self.all = AsyncApiLists(self)
        self.plus = AsyncBrickmarkPlus(self._transport)

    @property
    def budget(self) -> Budget | None:
        """The calls left after the last response; None before the first one."""
        return self._transport.budget

    async def aclose(self) -> None:
        """Closes the connections of the client."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncBrickmarkPlus(AsyncPlusMethods):
    """The calls of the Plus API."""

    all: AsyncPlusLists
    """Complete lists; each page costs 1 call."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.all = AsyncPlusLists(self)
