"""Checked by mypy, not run: what programs may write, and what a type checker finds."""

from __future__ import annotations

from typing import assert_type

from brickmark import AsyncBrickmark, Brickmark, types


def read(client: Brickmark) -> None:
    found = client.get_set("75192")
    assert_type(found, types.Set)
    assert_type(found["new_value_usd"], float | None)
    round(found["new_value_usd"])  # type: ignore[arg-type]
    found["no_such_field"]  # type: ignore[typeddict-item]
    client.get_set_history("75192", condition="new")  # type: ignore[arg-type]
    client.search_sets()  # type: ignore[call-arg]
    for deal in client.plus.all.list_deals(min_tier="high"):
        assert_type(deal, types.Deal)
    for item in client.get_batch(sets=["75192"])["sets"]:
        if item["found"]:
            assert_type(item["title"], str)
    for document in client.plus.get_bulk_file("months"):
        assert_type(document, types.SetMonths)


async def read_async(client: AsyncBrickmark) -> None:
    assert_type(await client.get_set("75192"), types.Set)
    async for event in client.plus.stream_events(kinds=["retail.low"]):
        assert_type(event, types.MarketEvent)
