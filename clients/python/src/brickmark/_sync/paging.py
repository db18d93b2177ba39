"""Reads lists page by page, on demand."""

# Made from _async/paging.py by `npm run docs`.

from __future__ import annotations

from collections.abc import Iterator, Callable, Sequence
from typing import Any, Generic, TypeVar, cast

from .._rules import other_page

Page = TypeVar("Page")
Item = TypeVar("Item")
Position = TypeVar("Position")


class Pages(Generic[Page, Item]):
    """A list, element by element. Pages are requested as you read them."""

    def __init__(
        self,
        read: Callable[[], Iterator[Page]],
        items_of: Callable[[Page], Sequence[Item]],
    ) -> None:
        self._read = read
        self._items_of = items_of

    def pages(self) -> Iterator[Page]:
        """The list page by page, with the other fields of each page."""
        return self._read()

    def to_list(self) -> list[Item]:
        """The whole list."""
        return [item for item in self]

    def __iter__(self) -> Iterator[Item]:
        for page in self._read():
            for item in self._items_of(page):
                yield item


def pages_by_offset(
    start: int,
    read: Callable[[int], Page],
    items_of: Callable[[Page], Sequence[Item]],
) -> Pages[Page, Item]:
    def pages() -> Iterator[Page]:
        offset = start
        while True:
            page = read(offset)
            pagination = cast(Any, page)["pagination"]
            if pagination["offset"] != offset:
                raise other_page()
            yield page
            count = len(items_of(page))
            # Otherwise a page without elements would be requested forever.
            if not pagination["has_more"] or count == 0:
                return
            offset += count

    return Pages(pages, items_of)


def pages_by_position(
    start: Position,
    read: Callable[[Position], Page],
    items_of: Callable[[Page], Sequence[Item]],
) -> Pages[Page, Item]:
    def pages() -> Iterator[Page]:
        after = start
        while True:
            page = read(after)
            place = cast(Any, page)
            if place["has_more"] and place["next"] == after:
                raise other_page()
            yield page
            if not place["has_more"]:
                return
            after = place["next"]

    return Pages(pages, items_of)


def pages_by_cursor(
    start: str | None,
    read: Callable[[str | None], Page],
    items_of: Callable[[Page], Sequence[Item]],
) -> Pages[Page, Item]:
    def pages() -> Iterator[Page]:
        after = start
        while True:
            page = read(after)
            following = cast(Any, page)["next"]
            if following is not None and following == after:
                raise other_page()
            yield page
            if following is None:
                return
            after = following

    return Pages(pages, items_of)
