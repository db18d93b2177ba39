"""Reads lists page by page, on demand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar, cast

from .._rules import other_page

Page = TypeVar("Page")
Item = TypeVar("Item")
Position = TypeVar("Position")


class AsyncPages(Generic[Page, Item]):
    """A list, element by element. Pages are requested as you read them."""

    def __init__(
        self,
        read: Callable[[], AsyncIterator[Page]],
        items_of: Callable[[Page], Sequence[Item]],
    ) -> None:
        self._read = read
        self._items_of = items_of

    def pages(self) -> AsyncIterator[Page]:
        """The list page by page, with the other fields of each page."""
        return self._read()

    async def to_list(self) -> list[Item]:
        """The whole list."""
        return [item async for item in self]

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self._read():
            for item in self._items_of(page):
                yield item


def pages_by_offset(
    start: int,
    read: Callable[[int], Awaitable[Page]],
    items_of: Callable[[Page], Sequence[Item]],
) -> AsyncPages[Page, Item]:
    async def pages() -> AsyncIterator[Page]:
        offset = start
        while True:
            page = await read(offset)
            pagination = cast(Any, page)["pagination"]
            if pagination["offset"] != offset:
                raise other_page()
            yield page
            count = len(items_of(page))
            # Otherwise a page without elements would be requested forever.
            if not pagination["has_more"] or count == 0:
                return
            offset += count

    return AsyncPages(pages, items_of)


def pages_by_position(
    start: Position,
    read: Callable[[Position], Awaitable[Page]],
    items_of: Callable[[Page], Sequence[Item]],
) -> AsyncPages[Page, Item]:
    async def pages() -> AsyncIterator[Page]:
        after = start
        while True:
            page = await read(after)
            place = cast(Any, page)
            if place["has_more"] and place["next"] == after:
                raise other_page()
            yield page
            if not place["has_more"]:
                return
            after = place["next"]

    return AsyncPages(pages, items_of)


def pages_by_cursor(
    start: str | None,
    read: Callable[[str | None], Awaitable[Page]],
    items_of: Callable[[Page], Sequence[Item]],
) -> AsyncPages[Page, Item]:
    async def pages() -> AsyncIterator[Page]:
        after = start
        while True:
            page = await read(after)
            following = cast(Any, page)["next"]
            if following is not None and following == after:
                raise other_page()
            yield page
            if following is None:
                return
            after = following

    return AsyncPages(pages, items_of)
