"""A method for every endpoint. Made from the contract by `npm run docs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal, overload

from .. import types as Api
from .._rules import path_of, query_text
from .bulk_file import BulkFile
from .event_stream import EventStream
from .paging import Pages, pages_by_cursor, pages_by_offset, pages_by_position
from .transport import Transport


class ApiMethods:
    """The calls of `/api/v1`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_set(self, number: str) -> Api.Set:
        """Get a set.

        `GET /api/v1/set/{number}`. Costs 1 call.
        """
        answer: Api.Set = self._transport.get(path_of("/api/v1/set/{}", number), {})
        return answer

    def get_minifig(self, number: str) -> Api.Minifig:
        """Get a minifigure.

        `GET /api/v1/minifig/{number}`. Costs 1 call.
        """
        answer: Api.Minifig = self._transport.get(path_of("/api/v1/minifig/{}", number), {})
        return answer

    def search_sets(
        self,
        *,
        q: str,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Api.SetSearchPage:
        """Search sets.

        `GET /api/v1/catalog/sets/search`. Costs 1 call.

        `q`: Words to search for; each must appear in the number or the name. At least 2 visible
        characters: spaces do not count, and an accented letter or an emoji counts as one.
        `limit`: Page size.
        `offset`: Number of elements to skip. Any whole number; past the end, the page is empty.
        """
        answer: Api.SetSearchPage = self._transport.get(
            "/api/v1/catalog/sets/search",
            {"q": q, "limit": limit, "offset": offset},
        )
        return answer

    def search_minifigs(
        self,
        *,
        q: str,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Api.MinifigSearchPage:
        """Search minifigures.

        `GET /api/v1/catalog/minifigs/search`. Costs 1 call.

        `q`: Words to search for; each must appear in the number or the name. At least 2 visible
        characters: spaces do not count, and an accented letter or an emoji counts as one.
        `limit`: Page size.
        `offset`: Number of elements to skip. Any whole number; past the end, the page is empty.
        """
        answer: Api.MinifigSearchPage = self._transport.get(
            "/api/v1/catalog/minifigs/search",
            {"q": q, "limit": limit, "offset": offset},
        )
        return answer

    def list_themes(self) -> Api.ThemeList:
        """List themes.

        `GET /api/v1/catalog/themes`. Costs 1 call.
        """
        answer: Api.ThemeList = self._transport.get("/api/v1/catalog/themes", {})
        return answer

    def get_batch(
        self,
        *,
        sets: Sequence[str] | None = None,
        minifigs: Sequence[str] | None = None,
    ) -> Api.Batch:
        """Get a batch of sets and minifigures.

        `POST /api/v1/catalog/batch`. Costs 1 call per unique item. More than 100 are sent as
        several requests, one after the other, and returned as one batch.

        `sets`: Set numbers. At most 100 unique sets and minifigures in total.
        `minifigs`: Minifigure numbers. At most 100 unique sets and minifigures in total.
        """
        answer: Api.Batch = self._transport.send_batch(
            "/api/v1/catalog/batch",
            {"sets": sets, "minifigs": minifigs},
        )
        return answer

    def get_set_history(
        self,
        number: str,
        *,
        condition: Literal["sealed", "used"] | None = None,
    ) -> Api.History:
        """Get a set's value history.

        `GET /api/v1/set/{number}/history`. Costs 1 call.

        `condition`: The condition to return values for.
        """
        answer: Api.History = self._transport.get(
            path_of("/api/v1/set/{}/history", number),
            {"condition": condition},
        )
        return answer

    def get_set_retail_prices(self, number: str) -> Api.RetailRow | None:
        """Get a set's retail prices.

        `GET /api/v1/set/{number}/retail-prices`. Costs 1 call.
        """
        answer: Api.RetailRow | None = self._transport.get(
            path_of("/api/v1/set/{}/retail-prices", number),
            {},
        )
        return answer

    def find_retail_prices(
        self,
        *,
        set: str | None = None,
        asin: str | None = None,
        upc: str | None = None,
    ) -> Api.RetailRow | None:
        """Find retail prices by set number, ASIN or barcode.

        `GET /api/v1/retail-prices`. Costs 1 call.

        `set`: A set number.
        `asin`: Retailer A's product identifier.
        `upc`: A UPC or EAN.
        """
        answer: Api.RetailRow | None = self._transport.get(
            "/api/v1/retail-prices",
            {"set": set, "asin": asin, "upc": upc},
        )
        return answer

    def list_retail_watch(
        self,
        *,
        changed_within: str | None = None,
        since: str | datetime | None = None,
        asin: str | Sequence[str] | None = None,
        upc: str | Sequence[str] | None = None,
    ) -> list[Api.RetailRow]:
        """List retail prices of your holdings.

        `GET /api/v1/brickfolio/retail-watch`. Costs 1 call.

        `changed_within`: Only sets whose price at either retailer changed within this many minutes
        (`m`), hours (`h`) or days (`d`).
        `since`: Only sets whose price at either retailer changed at or after this time.
        `asin`: Only these ASINs, separated by commas.
        `upc`: Only these UPCs or EANs, separated by commas.
        """
        answer: list[Api.RetailRow] = self._transport.get(
            "/api/v1/brickfolio/retail-watch",
            {"changed_within": changed_within, "since": since, "asin": asin, "upc": upc},
        )
        return answer

    def list_brickfolios(self) -> Api.BrickfolioList:
        """List your collections.

        `GET /api/v1/brickfolio`. Costs 1 call.
        """
        answer: Api.BrickfolioList = self._transport.get("/api/v1/brickfolio", {})
        return answer

    def get_analytics(
        self,
        *,
        period: Literal["30d", "90d", "1y"] | None = None,
    ) -> Api.Analytics:
        """Get portfolio analytics.

        `GET /api/v1/brickfolio/analytics`. Costs 1 call.

        `period`: How far back the history goes.
        """
        answer: Api.Analytics = self._transport.get(
            "/api/v1/brickfolio/analytics",
            {"period": period},
        )
        return answer

    def list_entries(
        self,
        *,
        brickfolio_id: int | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Api.HoldingPage:
        """List your holdings.

        `GET /api/v1/brickfolio/entries`. Costs 1 call.

        `brickfolio_id`: Only holdings in this collection.
        `limit`: Page size.
        `offset`: Number of elements to skip. Any whole number; past the end, the page is empty.
        """
        answer: Api.HoldingPage = self._transport.get(
            "/api/v1/brickfolio/entries",
            {"brickfolio_id": brickfolio_id, "limit": limit, "offset": offset},
        )
        return answer

    def list_sales(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Api.SalePage:
        """List your sales.

        `GET /api/v1/salesledger`. Costs 1 call.

        `limit`: Page size.
        `offset`: Number of elements to skip. Any whole number; past the end, the page is empty.
        """
        answer: Api.SalePage = self._transport.get(
            "/api/v1/salesledger",
            {"limit": limit, "offset": offset},
        )
        return answer


class ApiLists:
    """The lists of `/api/v1`, from their first element to the last."""

    def __init__(self, methods: ApiMethods) -> None:
        self._methods = methods

    def search_sets(
        self,
        *,
        q: str,
        limit: int = 250,
        offset: int = 0,
    ) -> Pages[Api.SetSearchPage, Api.SetSearchResult]:
        """All elements of `search_sets`, page by page. Each page costs 1 call."""

        def read(offset: int) -> Api.SetSearchPage:
            return self._methods.search_sets(q=q, limit=limit, offset=offset)

        return pages_by_offset(offset, read, lambda page: page["results"])

    def search_minifigs(
        self,
        *,
        q: str,
        limit: int = 250,
        offset: int = 0,
    ) -> Pages[Api.MinifigSearchPage, Api.MinifigSearchResult]:
        """All elements of `search_minifigs`, page by page. Each page costs 1 call."""

        def read(offset: int) -> Api.MinifigSearchPage:
            return self._methods.search_minifigs(q=q, limit=limit, offset=offset)

        return pages_by_offset(offset, read, lambda page: page["results"])

    def list_entries(
        self,
        *,
        brickfolio_id: int | None = None,
        limit: int = 250,
        offset: int = 0,
    ) -> Pages[Api.HoldingPage, Api.Holding]:
        """All elements of `list_entries`, page by page. Each page costs 1 call."""

        def read(offset: int) -> Api.HoldingPage:
            return self._methods.list_entries(
                brickfolio_id=brickfolio_id,
                limit=limit,
                offset=offset,
            )

        return pages_by_offset(offset, read, lambda page: page["entries"])

    def list_sales(
        self,
        *,
        limit: int = 250,
        offset: int = 0,
    ) -> Pages[Api.SalePage, Api.Sale]:
        """All elements of `list_sales`, page by page. Each page costs 1 call."""

        def read(offset: int) -> Api.SalePage:
            return self._methods.list_sales(limit=limit, offset=offset)

        return pages_by_offset(offset, read, lambda page: page["sales"])


class PlusMethods:
    """The calls of `/api/plus/v1`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_sets(
        self,
        *,
        theme: str | None = None,
        subtheme: str | None = None,
        status_id: int | None = None,
        min_year: int | None = None,
        max_year: int | None = None,
        min_pieces: int | None = None,
        max_pieces: int | None = None,
        min_tier: Literal["high", "medium", "low", "modeled"] | None = None,
        min_value_usd: float | None = None,
        max_value_usd: float | None = None,
        min_change_30d_pct: float | None = None,
        max_change_30d_pct: float | None = None,
        min_change_90d_pct: float | None = None,
        max_change_90d_pct: float | None = None,
        min_change_365d_pct: float | None = None,
        max_change_365d_pct: float | None = None,
        min_price_per_piece_usd: float | None = None,
        max_price_per_piece_usd: float | None = None,
        min_below_value_pct: float | None = None,
        min_sell_through_pct: float | None = None,
        sort: (
            Literal[
                "number",
                "-number",
                "year",
                "-year",
                "pieces",
                "-pieces",
                "value",
                "-value",
                "change_30d",
                "-change_30d",
                "change_90d",
                "-change_90d",
                "change_365d",
                "-change_365d",
                "price_per_piece",
                "-price_per_piece",
                "below_value",
                "-below_value",
                "sell_through",
                "-sell_through",
            ]
            | None
        ) = None,
        fields: str | Sequence[str] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Api.SetPage:
        """List sets.

        `GET /api/plus/v1/sets`. Costs 1 call per item with values or list prices, else 1 per page;
        a 304 costs 1.

        `theme`: Only sets of this theme, spelled exactly as in `theme` of a set.
        `subtheme`: Only sets of this subtheme, spelled exactly as in `subtheme`.
        `status_id`: Only sets with this `status_id`.
        `min_year`: Only items released in this year or later.
        `max_year`: Only items released in this year or earlier.
        `min_pieces`: Only sets with at least this many pieces.
        `max_pieces`: Only sets with at most this many pieces.
        `min_tier`: Only items with a value of this data tier or a better one.
        `min_value_usd`: Only items with at least this `new_value_usd`.
        `max_value_usd`: Only items with at most this `new_value_usd`.
        `min_change_30d_pct`: Only sets whose value rose at least this much over 30 days.
        `max_change_30d_pct`: Only sets whose value rose at most this much over 30 days.
        `min_change_90d_pct`: Only sets whose value rose at least this much over 90 days.
        `max_change_90d_pct`: Only sets whose value rose at most this much over 90 days.
        `min_change_365d_pct`: Only sets whose value rose at least this much over 365 days.
        `max_change_365d_pct`: Only sets whose value rose at most this much over 365 days.
        `min_price_per_piece_usd`: Only sets with at least this price per piece.
        `max_price_per_piece_usd`: Only sets with at most this price per piece.
        `min_below_value_pct`: Only sets that a retailer has in stock at least this many percent
        below their value.
        `min_sell_through_pct`: Only items with at least this sell-through over 90 days.
        `sort`: The order; with `-`, descending. Items without the number come last in both
        directions, and equal ones are ordered by number. Item numbers are compared as text: `10089`
        comes before `1011`.
        `fields`: The fields to return, separated by commas: set_number, title, theme, subtheme,
        pieces, year, retired, image_url, minifigs_count, minifigs, barcodes, msrp_usd,
        release_date, retire_date, status_id, data_tier, new_value_usd, used_value_usd, value_range,
        retailers, box, change_30d_pct, change_90d_pct, change_365d_pct, price_per_piece_usd,
        retail_price_usd, below_value_pct, sell_through_pct, units_per_month, sellers_90d. The
        number is always returned. If omitted, the fields of a search result.
        `after`: The `next` of the page before. If omitted, the first page.
        `limit`: Page size.
        """
        answer: Api.SetPage = self._transport.get(
            "/api/plus/v1/sets",
            {
                "theme": theme,
                "subtheme": subtheme,
                "status_id": status_id,
                "min_year": min_year,
                "max_year": max_year,
                "min_pieces": min_pieces,
                "max_pieces": max_pieces,
                "min_tier": min_tier,
                "min_value_usd": min_value_usd,
                "max_value_usd": max_value_usd,
                "min_change_30d_pct": min_change_30d_pct,
                "max_change_30d_pct": max_change_30d_pct,
                "min_change_90d_pct": min_change_90d_pct,
                "max_change_90d_pct": max_change_90d_pct,
                "min_change_365d_pct": min_change_365d_pct,
                "max_change_365d_pct": max_change_365d_pct,
                "min_price_per_piece_usd": min_price_per_piece_usd,
                "max_price_per_piece_usd": max_price_per_piece_usd,
                "min_below_value_pct": min_below_value_pct,
                "min_sell_through_pct": min_sell_through_pct,
                "sort": sort,
                "fields": fields,
                "after": after,
                "limit": limit,
            },
        )
        return answer

    def list_minifigs(
        self,
        *,
        theme: str | None = None,
        min_year: int | None = None,
        max_year: int | None = None,
        min_tier: Literal["high", "medium", "low", "modeled"] | None = None,
        min_value_usd: float | None = None,
        max_value_usd: float | None = None,
        min_sell_through_pct: float | None = None,
        sort: (
            Literal[
                "number",
                "-number",
                "year",
                "-year",
                "value",
                "-value",
                "sell_through",
                "-sell_through",
            ]
            | None
        ) = None,
        fields: str | Sequence[str] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Api.MinifigPage:
        """List minifigures.

        `GET /api/plus/v1/minifigs`. Costs 1 call per item with values or list prices, else 1 per
        page; a 304 costs 1.

        `theme`: Only minifigures of this theme, the first part of `category`.
        `min_year`: Only items released in this year or later.
        `max_year`: Only items released in this year or earlier.
        `min_tier`: Only items with a value of this data tier or a better one.
        `min_value_usd`: Only items with at least this `current_value_usd`.
        `max_value_usd`: Only items with at most this `current_value_usd`.
        `min_sell_through_pct`: Only items with at least this sell-through over 90 days.
        `sort`: The order; with `-`, descending. Items without the number come last in both
        directions, and equal ones are ordered by number. Item numbers are compared as text: `10089`
        comes before `1011`.
        `fields`: The fields to return, separated by commas: minifig_number, name, category, color,
        year_released, image_url, current_value_usd, value_range, set_count, sets, data_tier,
        sell_through_pct, units_per_month, sellers_90d. The number is always returned. If omitted,
        the fields of a search result.
        `after`: The `next` of the page before. If omitted, the first page.
        `limit`: Page size.
        """
        answer: Api.MinifigPage = self._transport.get(
            "/api/plus/v1/minifigs",
            {
                "theme": theme,
                "min_year": min_year,
                "max_year": max_year,
                "min_tier": min_tier,
                "min_value_usd": min_value_usd,
                "max_value_usd": max_value_usd,
                "min_sell_through_pct": min_sell_through_pct,
                "sort": sort,
                "fields": fields,
                "after": after,
                "limit": limit,
            },
        )
        return answer

    def get_set_daily_values(
        self,
        number: str,
        *,
        condition: Literal["sealed", "used"] | None = None,
    ) -> Api.SetDailyValues:
        """Get a set's daily values.

        `GET /api/plus/v1/set/{number}/daily-values`. Costs 1 call.

        `condition`: The condition to return values for.
        """
        answer: Api.SetDailyValues = self._transport.get(
            path_of("/api/plus/v1/set/{}/daily-values", number),
            {"condition": condition},
        )
        return answer

    def get_minifig_daily_values(
        self,
        number: str,
        *,
        condition: Literal["sealed", "used"] | None = None,
    ) -> Api.MinifigDailyValues:
        """Get a minifigure's daily values.

        `GET /api/plus/v1/minifig/{number}/daily-values`. Costs 1 call.

        `condition`: The condition to return values for.
        """
        answer: Api.MinifigDailyValues = self._transport.get(
            path_of("/api/plus/v1/minifig/{}/daily-values", number),
            {"condition": condition},
        )
        return answer

    def get_history_batch(
        self,
        *,
        sets: Sequence[str],
        condition: Literal["sealed", "used"] | None = None,
    ) -> Api.HistoryBatch:
        """Get the value histories of up to 100 sets.

        `POST /api/plus/v1/history/batch`. Costs 1 call per unique item. More than 100 are sent as
        several requests, one after the other, and returned as one batch.

        `sets`: Set numbers, at most 100 unique ones.
        `condition`: The condition to return values for. Default: `sealed`.
        """
        answer: Api.HistoryBatch = self._transport.send_batch(
            "/api/plus/v1/history/batch",
            {"sets": sets, "condition": condition},
        )
        return answer

    def get_max_buy(
        self,
        *,
        set: str | None = None,
        minifig: str | None = None,
        condition: Literal["sealed", "used"] | None = None,
        grade: str | None = None,
        share: float | None = None,
        margin_pct: float | None = None,
        channel: (
            Literal[
                "ebay",
                "bricklink",
                "brick_owl",
                "amazon",
                "walmart",
                "facebook",
                "mercari",
                "whatnot",
                "local",
                "other",
                "fba",
            ]
            | None
        ) = None,
    ) -> Api.MaxBuy:
        """Get a max buy price.

        `GET /api/plus/v1/max-buy`. Costs 1 call.

        `set`: A set number; send either this or `minifig`.
        `minifig`: A minifigure number; send either this or `set`.
        `condition`: The condition. Default: `sealed` for a set, `used` for a minifigure.
        `grade`: Grade of the unit, which lowers its prices. It belongs to a condition, which is the
        default for `condition`.
        `share`: Share of ordinary sales expected to reach the price.
        `margin_pct`: Margin on cost, in percent.
        `channel`: Only this channel; all channels if omitted.
        """
        answer: Api.MaxBuy = self._transport.get(
            "/api/plus/v1/max-buy",
            {
                "set": set,
                "minifig": minifig,
                "condition": condition,
                "grade": grade,
                "share": share,
                "margin_pct": margin_pct,
                "channel": channel,
            },
        )
        return answer

    def get_max_buy_batch(
        self,
        *,
        items: Sequence[Api.MaxBuyItem],
        channel: (
            Literal[
                "ebay",
                "bricklink",
                "brick_owl",
                "amazon",
                "walmart",
                "facebook",
                "mercari",
                "whatnot",
                "local",
                "other",
                "fba",
            ]
            | None
        ) = None,
        share: float | None = None,
        margin_pct: float | None = None,
    ) -> Api.MaxBuyBatch:
        """Get the max buy prices of up to 100 items.

        `POST /api/plus/v1/max-buy/batch`. Costs 1 call per unique item. More than 100 are sent as
        several requests, one after the other, and returned as one batch.

        `items`: Up to 100 unique items. An item in two conditions counts as two.
        `channel`: Only this channel; all channels if omitted.
        `share`: Share of ordinary sales expected to reach the price. Default: 0.8.
        `margin_pct`: Margin on cost, in percent. Default: 25.
        """
        answer: Api.MaxBuyBatch = self._transport.send_batch(
            "/api/plus/v1/max-buy/batch",
            {"items": items, "channel": channel, "share": share, "margin_pct": margin_pct},
        )
        return answer

    def get_ways_to_sell(
        self,
        number: str,
        *,
        condition: Literal["sealed", "used"] | None = None,
        price_usd: float | None = None,
    ) -> Api.WaysToSell:
        """Compare ways to sell a set.

        `GET /api/plus/v1/set/{number}/ways-to-sell`. Costs 1 call.

        `condition`: The condition of the set in hand.
        `price_usd`: Cost of the set; with it, each way has a `profit_usd`.
        """
        answer: Api.WaysToSell = self._transport.get(
            path_of("/api/plus/v1/set/{}/ways-to-sell", number),
            {"condition": condition, "price_usd": price_usd},
        )
        return answer

    def list_deals(
        self,
        *,
        retailer: Literal["retailer_a", "retailer_b"] | None = None,
        theme: str | None = None,
        status_id: int | None = None,
        min_tier: Literal["low", "medium", "high"] | None = None,
        min_profit_usd: float | None = None,
        min_roi_pct: float | None = None,
        max_price_usd: float | None = None,
        min_part_out_ratio: float | None = None,
        grade: Literal["perfect", "light_wear", "damaged_box"] | None = None,
        share: float | None = None,
        margin_pct: float | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Api.DealPage:
        """List deals.

        `GET /api/plus/v1/deals`. Costs 1 call.

        `retailer`: Only offers of this retailer.
        `theme`: Only sets of this theme, spelled exactly as in `theme` of a set.
        `status_id`: Only sets with this `status_id`.
        `min_tier`: The lowest data tier to include.
        `min_profit_usd`: Only deals with at least this profit.
        `min_roi_pct`: Only deals with at least this return on cost, in percent.
        `max_price_usd`: Only offers at or below this price.
        `min_part_out_ratio`: Only offers with at least this `part_out_ratio`.
        `grade`: Grade in which you expect to sell the sealed units, which lowers their prices.
        `share`: Share of ordinary sales expected to reach the price.
        `margin_pct`: Margin on cost, in percent.
        `limit`: Page size.
        `offset`: Number of elements to skip. Any whole number; past the end, the page is empty.
        """
        answer: Api.DealPage = self._transport.get(
            "/api/plus/v1/deals",
            {
                "retailer": retailer,
                "theme": theme,
                "status_id": status_id,
                "min_tier": min_tier,
                "min_profit_usd": min_profit_usd,
                "min_roi_pct": min_roi_pct,
                "max_price_usd": max_price_usd,
                "min_part_out_ratio": min_part_out_ratio,
                "grade": grade,
                "share": share,
                "margin_pct": margin_pct,
                "limit": limit,
                "offset": offset,
            },
        )
        return answer

    def evaluate_box(
        self,
        *,
        items: Sequence[Api.EvaluateItem],
        cost_usd: float | None = None,
        share: float | None = None,
        margin_pct: float | None = None,
    ) -> Api.Evaluation:
        """Evaluate a box.

        `POST /api/plus/v1/evaluate`. Costs 1 call per unique item, all or nothing.

        `items`: The contents of the box: up to 100 unique items and 100,000 units.
        `cost_usd`: Price of the whole box, including tax and shipping.
        `share`: Share of ordinary sales expected to reach the price. Default: 0.8.
        `margin_pct`: Margin on cost, in percent. Default: 25.
        """
        answer: Api.Evaluation = self._transport.send(
            "POST",
            "/api/plus/v1/evaluate",
            {},
            {"items": items, "cost_usd": cost_usd, "share": share, "margin_pct": margin_pct},
        )
        return answer

    def get_fees(self) -> Api.FeeSchedules:
        """Get fees and shipping.

        `GET /api/plus/v1/fees`. Free, even when the allowance is used up.
        """
        answer: Api.FeeSchedules = self._transport.get("/api/plus/v1/fees", {})
        return answer

    def list_rates(self, *, date: str | None = None) -> Api.ExchangeRates:
        """List exchange rates.

        `GET /api/plus/v1/rates`. Free, even when the allowance is used up.

        `date`: Rates of this day; today in UTC if omitted.
        """
        answer: Api.ExchangeRates = self._transport.get("/api/plus/v1/rates", {"date": date})
        return answer

    def get_set_evidence(self, number: str) -> Api.Evidence:
        """Get the evidence for a set's values.

        `GET /api/plus/v1/set/{number}/evidence`. Costs 1 call.
        """
        answer: Api.Evidence = self._transport.get(
            path_of("/api/plus/v1/set/{}/evidence", number),
            {},
        )
        return answer

    def get_minifig_evidence(self, number: str) -> Api.Evidence:
        """Get the evidence for a minifigure's value.

        `GET /api/plus/v1/minifig/{number}/evidence`. Costs 1 call.
        """
        answer: Api.Evidence = self._transport.get(
            path_of("/api/plus/v1/minifig/{}/evidence", number),
            {},
        )
        return answer

    def get_evidence_batch(
        self,
        *,
        sets: Sequence[str] | None = None,
        minifigs: Sequence[str] | None = None,
    ) -> Api.EvidenceBatch:
        """Get the evidence for the values of up to 100 items.

        `POST /api/plus/v1/evidence/batch`. Costs 1 call per unique item. More than 100 are sent as
        several requests, one after the other, and returned as one batch.

        `sets`: Set numbers. At most 100 unique sets and minifigures in total.
        `minifigs`: Minifigure numbers. At most 100 unique sets and minifigures in total.
        """
        answer: Api.EvidenceBatch = self._transport.send_batch(
            "/api/plus/v1/evidence/batch",
            {"sets": sets, "minifigs": minifigs},
        )
        return answer

    def get_retail_history(
        self,
        number: str,
        *,
        retailer: Literal["retailer_a", "retailer_b"] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Api.RetailHistory:
        """Get a set's retail history.

        `GET /api/plus/v1/set/{number}/retail-history`. Costs 1 call.

        `retailer`: Only changes at this retailer.
        `from_`: Only changes at or after this time, and for each retailer the one that was in force
        then.
        `to`: Only changes before this time.
        `after`: Only changes after this position. If omitted, the latest changes.
        `limit`: Page size.
        """
        answer: Api.RetailHistory = self._transport.get(
            path_of("/api/plus/v1/set/{}/retail-history", number),
            {"retailer": retailer, "from": from_, "to": to, "after": after, "limit": limit},
        )
        return answer

    def get_retail_history_batch(
        self,
        *,
        sets: Sequence[str],
        retailer: Literal["retailer_a", "retailer_b"] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
    ) -> Api.RetailHistoryBatch:
        """Get the retail histories of up to 100 sets.

        `POST /api/plus/v1/retail-history/batch`. Costs 1 call per unique item. More than 100 are
        sent as several requests, one after the other, and returned as one batch.

        `sets`: Set numbers, at most 100 unique ones.
        `retailer`: Only changes at this retailer.
        `from_`: Only changes at or after this time, and for each retailer the one that was in force
        then.
        `to`: Only changes before this time.
        `limit`: Maximum number of changes per set. Default: 10.
        """
        answer: Api.RetailHistoryBatch = self._transport.send_batch(
            "/api/plus/v1/retail-history/batch",
            {"sets": sets, "retailer": retailer, "from": from_, "to": to, "limit": limit},
        )
        return answer

    def get_retail_price_batch(self, *, sets: Sequence[str]) -> Api.RetailPriceBatch:
        """Get the retail prices of up to 100 sets.

        `POST /api/plus/v1/retail-prices/batch`. Costs 1 call per unique item. More than 100 are
        sent as several requests, one after the other, and returned as one batch.

        `sets`: Set numbers, at most 100 unique ones.
        """
        answer: Api.RetailPriceBatch = self._transport.send_batch(
            "/api/plus/v1/retail-prices/batch",
            {"sets": sets},
        )
        return answer

    def list_holdings(
        self,
        *,
        item_type: Literal["set", "minifig"] | None = None,
        number: str | None = None,
        condition: Literal["sealed", "used"] | None = None,
        brickfolio_id: int | None = None,
        status: Literal["owned", "listed"] | None = None,
        purchased_from: str | None = None,
        purchased_to: str | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Api.OwnHoldingPage:
        """List your sets and minifigures.

        `GET /api/plus/v1/holdings`. Costs 1 call.

        `item_type`: Only sets, or only minifigures.
        `number`: Only this set or minifigure, by any of its numbers.
        `condition`: Only units in this condition.
        `brickfolio_id`: Only holdings in this collection.
        `status`: Only holdings with this status.
        `purchased_from`: Only holdings bought on or after this day.
        `purchased_to`: Only holdings bought on or before this day.
        `after`: Only rows after this position. If omitted, the first rows.
        `limit`: Page size.
        """
        answer: Api.OwnHoldingPage = self._transport.get(
            "/api/plus/v1/holdings",
            {
                "item_type": item_type,
                "number": number,
                "condition": condition,
                "brickfolio_id": brickfolio_id,
                "status": status,
                "purchased_from": purchased_from,
                "purchased_to": purchased_to,
                "after": after,
                "limit": limit,
            },
        )
        return answer

    def get_holdings_summary(
        self,
        *,
        brickfolio_id: int | None = None,
    ) -> Api.HoldingsSummary:
        """Get the totals of your sets and minifigures.

        `GET /api/plus/v1/holdings/summary`. Costs 1 call.

        `brickfolio_id`: Only holdings in this collection.
        """
        answer: Api.HoldingsSummary = self._transport.get(
            "/api/plus/v1/holdings/summary",
            {"brickfolio_id": brickfolio_id},
        )
        return answer

    def list_recorded_sales(
        self,
        *,
        item_type: Literal["set", "minifig"] | None = None,
        number: str | None = None,
        condition: Literal["sealed", "used"] | None = None,
        platform: (
            Literal[
                "ebay",
                "bricklink",
                "brick_owl",
                "amazon",
                "walmart",
                "facebook",
                "mercari",
                "whatnot",
                "local",
                "other",
            ]
            | None
        ) = None,
        sold_from: str | None = None,
        sold_to: str | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Api.RecordedSalePage:
        """List your sales of sets and minifigures.

        `GET /api/plus/v1/sales`. Costs 1 call.

        `item_type`: Only sets, or only minifigures.
        `number`: Only this set or minifigure, by any of its numbers.
        `condition`: Only units in this condition.
        `platform`: Only sales on this platform.
        `sold_from`: Only sales on or after this day.
        `sold_to`: Only sales on or before this day.
        `after`: Only rows after this position. If omitted, the first rows.
        `limit`: Page size.
        """
        answer: Api.RecordedSalePage = self._transport.get(
            "/api/plus/v1/sales",
            {
                "item_type": item_type,
                "number": number,
                "condition": condition,
                "platform": platform,
                "sold_from": sold_from,
                "sold_to": sold_to,
                "after": after,
                "limit": limit,
            },
        )
        return answer

    def list_watchlists(self) -> Api.WatchlistList:
        """List your watchlists.

        `GET /api/plus/v1/watchlists`. Costs 1 call.
        """
        answer: Api.WatchlistList = self._transport.get("/api/plus/v1/watchlists", {})
        return answer

    def create_watchlist(self, *, name: str) -> Api.Watchlist:
        """Create a watchlist.

        `POST /api/plus/v1/watchlists`. Costs 1 call.

        `name`: Name of the watchlist.
        """
        answer: Api.Watchlist = self._transport.send(
            "POST",
            "/api/plus/v1/watchlists",
            {},
            {"name": name},
        )
        return answer

    def rename_watchlist(self, list: int, *, name: str) -> Api.Watchlist:
        """Rename a watchlist.

        `PUT /api/plus/v1/watchlists/{list}`. Costs 1 call.

        `name`: Name of the watchlist.
        """
        answer: Api.Watchlist = self._transport.send(
            "PUT",
            path_of("/api/plus/v1/watchlists/{}", list),
            {},
            {"name": name},
        )
        return answer

    def save_watched_item(
        self,
        list: int,
        item_type: Literal["set", "minifig"],
        number: str,
        *,
        target_price_usd: float | None = None,
        note: str | None = None,
    ) -> Api.WatchedItem:
        """Add or change an item of a watchlist.

        `PUT /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.

        `target_price_usd`: The price you wait for; null or omitted for none.
        `note`: Your note; null or omitted for none.
        """
        answer: Api.WatchedItem = self._transport.send(
            "PUT",
            path_of("/api/plus/v1/watchlists/{}/items/{}/{}", list, item_type, number),
            {},
            {"target_price_usd": target_price_usd, "note": note},
        )
        return answer

    def list_watched_items(
        self,
        list: int,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> Api.WatchedItemPage:
        """List the items of a watchlist.

        `GET /api/plus/v1/watchlists/{list}/items`. Costs 1 call.

        `after`: Only items after this position.
        `limit`: Page size.
        """
        answer: Api.WatchedItemPage = self._transport.get(
            path_of("/api/plus/v1/watchlists/{}/items", list),
            {"after": after, "limit": limit},
        )
        return answer

    def delete_watched_item(
        self,
        list: int,
        item_type: Literal["set", "minifig"],
        number: str,
    ) -> Api.Deletion:
        """Remove an item from a watchlist.

        `DELETE /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.
        """
        answer: Api.Deletion = self._transport.send(
            "DELETE",
            path_of("/api/plus/v1/watchlists/{}/items/{}/{}", list, item_type, number),
            {},
            None,
        )
        return answer

    def delete_watchlist(self, list: int) -> Api.Deletion:
        """Delete a watchlist.

        `DELETE /api/plus/v1/watchlists/{list}`. Costs 1 call.
        """
        answer: Api.Deletion = self._transport.send(
            "DELETE",
            path_of("/api/plus/v1/watchlists/{}", list),
            {},
            None,
        )
        return answer

    def list_events(
        self,
        *,
        after: int | None = None,
        kinds: str | Sequence[str] | None = None,
        scope: Literal["all", "holdings", "watch"] | None = None,
        limit: int | None = None,
    ) -> Api.EventPage:
        """List market events.

        `GET /api/plus/v1/events`. Costs 1 call.

        `after`: Only events after this position. If omitted, no events are returned, and `next` is
        the latest position.
        `kinds`: Only events of these kinds, separated by commas.
        `scope`: `holdings`: only events about sets and minifigures you hold. `watch`: only events
        about those on your watchlists.
        `limit`: Page size.
        """
        answer: Api.EventPage = self._transport.get(
            "/api/plus/v1/events",
            {"after": after, "kinds": kinds, "scope": scope, "limit": limit},
        )
        return answer

    def stream_events(
        self,
        *,
        after: int | None = None,
        kinds: str | Sequence[str] | None = None,
        scope: Literal["all", "holdings", "watch"] | None = None,
        limit: int | None = None,
        on_stale: Callable[[int], None] | None = None,
    ) -> EventStream:
        """Stream market events. The stream reconnects automatically and resumes after the last
        event. Costs 1 call to open, and 1 more for each further hour. `on_stale` is called with the
        oldest position if events are missing because they have been deleted; the stream then
        continues there. Without it, the stream fails.
        """
        query = query_text({"after": after, "kinds": kinds, "scope": scope, "limit": limit})
        path = f"/api/plus/v1/events/stream{query}"
        return EventStream(self._transport, path, on_stale)

    def list_webhooks(self) -> Api.WebhookList:
        """List your webhooks.

        `GET /api/plus/v1/webhooks`. Costs 1 call.
        """
        answer: Api.WebhookList = self._transport.get("/api/plus/v1/webhooks", {})
        return answer

    def create_webhook(
        self,
        *,
        name: str,
        url: str,
        kinds: (
            Sequence[
                Literal[
                    "retail.price",
                    "retail.low",
                    "retail.flip",
                    "retail.stock",
                    "retail.offer",
                    "value.move",
                    "value.tier",
                    "set.status",
                    "history.month",
                    "history.restated",
                    "deal.open",
                    "deal.close",
                ],
            ]
            | None
        ) = None,
        scope: Literal["all", "holdings", "watch"] | None = None,
        notices: Sequence[Literal["quota.reached", "key.expiring", "bulk.ready"]] | None = None,
    ) -> Api.CreatedWebhook:
        """Create a webhook.

        `POST /api/plus/v1/webhooks`. Costs 1 call.

        `name`: Name of the webhook.
        `url`: Where messages are sent: a public https address. It is stored encrypted, and shown in
        part only.
        `kinds`: The kinds of market events to send; empty for none.
        `scope`: Which events of these kinds: `all`, or only those about your `holdings` or `watch`
        lists. It is kept while there are no kinds.
        `notices`: The kinds of notices about your account to send; empty for none.
        """
        answer: Api.CreatedWebhook = self._transport.send(
            "POST",
            "/api/plus/v1/webhooks",
            {},
            {"name": name, "url": url, "kinds": kinds, "scope": scope, "notices": notices},
        )
        return answer

    def get_webhook(self, webhook: int) -> Api.Webhook:
        """Get a webhook.

        `GET /api/plus/v1/webhooks/{webhook}`. Costs 1 call.
        """
        answer: Api.Webhook = self._transport.get(
            path_of("/api/plus/v1/webhooks/{}", webhook),
            {},
        )
        return answer

    def change_webhook(
        self,
        webhook: int,
        *,
        name: str | None = None,
        url: str | None = None,
        kinds: (
            Sequence[
                Literal[
                    "retail.price",
                    "retail.low",
                    "retail.flip",
                    "retail.stock",
                    "retail.offer",
                    "value.move",
                    "value.tier",
                    "set.status",
                    "history.month",
                    "history.restated",
                    "deal.open",
                    "deal.close",
                ],
            ]
            | None
        ) = None,
        scope: Literal["all", "holdings", "watch"] | None = None,
        notices: Sequence[Literal["quota.reached", "key.expiring", "bulk.ready"]] | None = None,
        is_on: bool | None = None,
    ) -> Api.Webhook:
        """Change, pause or resume a webhook.

        `PATCH /api/plus/v1/webhooks/{webhook}`. Costs 1 call.

        `name`: Name of the webhook.
        `url`: Where messages are sent: a public https address. It is stored encrypted, and shown in
        part only.
        `kinds`: The kinds of market events to send; empty for none.
        `scope`: Which events of these kinds: `all`, or only those about your `holdings` or `watch`
        lists. It is kept while there are no kinds.
        `notices`: The kinds of notices about your account to send; empty for none.
        `is_on`: `false` pauses it, `true` resumes it: it continues where it stopped, and tries at
        once.
        """
        answer: Api.Webhook = self._transport.send(
            "PATCH",
            path_of("/api/plus/v1/webhooks/{}", webhook),
            {},
            {
                "name": name,
                "url": url,
                "kinds": kinds,
                "scope": scope,
                "notices": notices,
                "is_on": is_on,
            },
        )
        return answer

    def test_webhook(self, webhook: int) -> Api.WebhookDelivery:
        """Send a test to a webhook.

        `POST /api/plus/v1/webhooks/{webhook}/test`. Costs 1 call.
        """
        answer: Api.WebhookDelivery = self._transport.send(
            "POST",
            path_of("/api/plus/v1/webhooks/{}/test", webhook),
            {},
            None,
            may_repeat=False,
        )
        return answer

    def rotate_webhook_secret(self, webhook: int) -> Api.WebhookSecret:
        """Rotate the secret of a webhook.

        `POST /api/plus/v1/webhooks/{webhook}/secret`. Costs 1 call.
        """
        answer: Api.WebhookSecret = self._transport.send(
            "POST",
            path_of("/api/plus/v1/webhooks/{}/secret", webhook),
            {},
            None,
            may_repeat=False,
        )
        return answer

    def delete_webhook(self, webhook: int) -> Api.Deletion:
        """Delete a webhook.

        `DELETE /api/plus/v1/webhooks/{webhook}`. Costs 1 call.
        """
        answer: Api.Deletion = self._transport.send(
            "DELETE",
            path_of("/api/plus/v1/webhooks/{}", webhook),
            {},
            None,
        )
        return answer

    def list_notices(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
    ) -> Api.NoticePage:
        """List notices about your account.

        `GET /api/plus/v1/notices`. Costs 1 call.

        `after`: Only notices after this position; 0 for all that are kept.
        `limit`: Page size.
        """
        answer: Api.NoticePage = self._transport.get(
            "/api/plus/v1/notices",
            {"after": after, "limit": limit},
        )
        return answer

    def list_bulk_files(
        self,
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
    ) -> Api.BulkFileList:
        """List bulk files.

        `GET /api/plus/v1/bulk`. Costs 1 call.

        `format`: `jsonl`: gzipped JSON, one document per line; `csv`: gzipped CSV; `parquet`:
        Parquet. CSV and Parquet have the same columns, without lists.
        """
        answer: Api.BulkFileList = self._transport.get(
            "/api/plus/v1/bulk",
            {"format": format},
        )
        return answer

    @overload
    def get_bulk_file(
        self,
        type: Literal["sets"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[Api.Set]: ...

    @overload
    def get_bulk_file(
        self,
        type: Literal["minifigs"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[Api.Minifig]: ...

    @overload
    def get_bulk_file(
        self,
        type: Literal["months"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[Api.SetMonths]: ...

    @overload
    def get_bulk_file(
        self,
        type: Literal["retail"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[Api.RetailRow]: ...

    @overload
    def get_bulk_file(
        self,
        type: Literal["retail_changes"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[dict[str, object]]: ...

    def get_bulk_file(
        self,
        type: Literal["sets", "minifigs", "months", "retail", "retail_changes"],
        *,
        format: Literal["jsonl", "csv", "parquet"] | None = None,
        position: str | None = None,
    ) -> BulkFile[Any]:
        """Stream the documents of a bulk file while it downloads. Every read costs the number of
        calls set by the operator.
        """
        path = path_of("/api/plus/v1/bulk/files/{}", type)
        query = query_text({"format": format, "position": position})
        return BulkFile(self._transport, f"{path}{query}", format or "jsonl")

    def list_bulk_changes(
        self,
        *,
        after: str | None = None,
        types: str | Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Api.BulkChangePage:
        """List changes since a bulk file.

        `GET /api/plus/v1/bulk/changes`. Costs 1 call.

        `after`: Only changes after this position. If omitted, no changes are returned, and `next`
        is the latest position.
        `types`: Only documents of these types, separated by commas.
        `limit`: Maximum number of changes to return.
        """
        answer: Api.BulkChangePage = self._transport.get(
            "/api/plus/v1/bulk/changes",
            {"after": after, "types": types, "limit": limit},
        )
        return answer

    def get_usage(self) -> Api.Usage:
        """Get your key's usage.

        `GET /api/plus/v1/usage`. Free, even when the allowance is used up.
        """
        answer: Api.Usage = self._transport.get("/api/plus/v1/usage", {})
        return answer


class PlusLists:
    """The lists of `/api/plus/v1`, from their first element to the last."""

    def __init__(self, methods: PlusMethods) -> None:
        self._methods = methods

    def list_sets(
        self,
        *,
        theme: str | None = None,
        subtheme: str | None = None,
        status_id: int | None = None,
        min_year: int | None = None,
        max_year: int | None = None,
        min_pieces: int | None = None,
        max_pieces: int | None = None,
        min_tier: Literal["high", "medium", "low", "modeled"] | None = None,
        min_value_usd: float | None = None,
        max_value_usd: float | None = None,
        min_change_30d_pct: float | None = None,
        max_change_30d_pct: float | None = None,
        min_change_90d_pct: float | None = None,
        max_change_90d_pct: float | None = None,
        min_change_365d_pct: float | None = None,
        max_change_365d_pct: float | None = None,
        min_price_per_piece_usd: float | None = None,
        max_price_per_piece_usd: float | None = None,
        min_below_value_pct: float | None = None,
        min_sell_through_pct: float | None = None,
        sort: (
            Literal[
                "number",
                "-number",
                "year",
                "-year",
                "pieces",
                "-pieces",
                "value",
                "-value",
                "change_30d",
                "-change_30d",
                "change_90d",
                "-change_90d",
                "change_365d",
                "-change_365d",
                "price_per_piece",
                "-price_per_piece",
                "below_value",
                "-below_value",
                "sell_through",
                "-sell_through",
            ]
            | None
        ) = None,
        fields: str | Sequence[str] | None = None,
        after: str | None = None,
        limit: int = 250,
    ) -> Pages[Api.SetPage, Api.ListedSet]:
        """All elements of `list_sets`, page by page. Costs 1 call per item with values or list
        prices, else 1 per page; a 304 costs 1.
        """

        def read(after: str | None) -> Api.SetPage:
            return self._methods.list_sets(
                theme=theme,
                subtheme=subtheme,
                status_id=status_id,
                min_year=min_year,
                max_year=max_year,
                min_pieces=min_pieces,
                max_pieces=max_pieces,
                min_tier=min_tier,
                min_value_usd=min_value_usd,
                max_value_usd=max_value_usd,
                min_change_30d_pct=min_change_30d_pct,
                max_change_30d_pct=max_change_30d_pct,
                min_change_90d_pct=min_change_90d_pct,
                max_change_90d_pct=max_change_90d_pct,
                min_change_365d_pct=min_change_365d_pct,
                max_change_365d_pct=max_change_365d_pct,
                min_price_per_piece_usd=min_price_per_piece_usd,
                max_price_per_piece_usd=max_price_per_piece_usd,
                min_below_value_pct=min_below_value_pct,
                min_sell_through_pct=min_sell_through_pct,
                sort=sort,
                fields=fields,
                after=after,
                limit=limit,
            )

        return pages_by_cursor(after, read, lambda page: page["sets"])

    def list_minifigs(
        self,
        *,
        theme: str | None = None,
        min_year: int | None = None,
        max_year: int | None = None,
        min_tier: Literal["high", "medium", "low", "modeled"] | None = None,
        min_value_usd: float | None = None,
        max_value_usd: float | None = None,
        min_sell_through_pct: float | None = None,
        sort: (
            Literal[
                "number",
                "-number",
                "year",
                "-year",
                "value",
                "-value",
                "sell_through",
                "-sell_through",
            ]
            | None
        ) = None,
        fields: str | Sequence[str] | None = None,
        after: str | None = None,
        limit: int = 250,
    ) -> Pages[Api.MinifigPage, Api.ListedMinifig]:
        """All elements of `list_minifigs`, page by page. Costs 1 call per item with values or list
        prices, else 1 per page; a 304 costs 1.
        """

        def read(after: str | None) -> Api.MinifigPage:
            return self._methods.list_minifigs(
                theme=theme,
                min_year=min_year,
                max_year=max_year,
                min_tier=min_tier,
                min_value_usd=min_value_usd,
                max_value_usd=max_value_usd,
                min_sell_through_pct=min_sell_through_pct,
                sort=sort,
                fields=fields,
                after=after,
                limit=limit,
            )

        return pages_by_cursor(after, read, lambda page: page["minifigs"])

    def list_deals(
        self,
        *,
        retailer: Literal["retailer_a", "retailer_b"] | None = None,
        theme: str | None = None,
        status_id: int | None = None,
        min_tier: Literal["low", "medium", "high"] | None = None,
        min_profit_usd: float | None = None,
        min_roi_pct: float | None = None,
        max_price_usd: float | None = None,
        min_part_out_ratio: float | None = None,
        grade: Literal["perfect", "light_wear", "damaged_box"] | None = None,
        share: float | None = None,
        margin_pct: float | None = None,
        limit: int = 250,
        offset: int = 0,
    ) -> Pages[Api.DealPage, Api.Deal]:
        """All elements of `list_deals`, page by page. Each page costs 1 call."""

        def read(offset: int) -> Api.DealPage:
            return self._methods.list_deals(
                retailer=retailer,
                theme=theme,
                status_id=status_id,
                min_tier=min_tier,
                min_profit_usd=min_profit_usd,
                min_roi_pct=min_roi_pct,
                max_price_usd=max_price_usd,
                min_part_out_ratio=min_part_out_ratio,
                grade=grade,
                share=share,
                margin_pct=margin_pct,
                limit=limit,
                offset=offset,
            )

        return pages_by_offset(offset, read, lambda page: page["deals"])

    def list_holdings(
        self,
        *,
        item_type: Literal["set", "minifig"] | None = None,
        number: str | None = None,
        condition: Literal["sealed", "used"] | None = None,
        brickfolio_id: int | None = None,
        status: Literal["owned", "listed"] | None = None,
        purchased_from: str | None = None,
        purchased_to: str | None = None,
        after: int,
        limit: int = 250,
    ) -> Pages[Api.OwnHoldingPage, Api.OwnHolding]:
        """All elements of `list_holdings`, page by page. Each page costs 1 call."""

        def read(after: int) -> Api.OwnHoldingPage:
            return self._methods.list_holdings(
                item_type=item_type,
                number=number,
                condition=condition,
                brickfolio_id=brickfolio_id,
                status=status,
                purchased_from=purchased_from,
                purchased_to=purchased_to,
                after=after,
                limit=limit,
            )

        return pages_by_position(after, read, lambda page: page["holdings"])

    def list_recorded_sales(
        self,
        *,
        item_type: Literal["set", "minifig"] | None = None,
        number: str | None = None,
        condition: Literal["sealed", "used"] | None = None,
        platform: (
            Literal[
                "ebay",
                "bricklink",
                "brick_owl",
                "amazon",
                "walmart",
                "facebook",
                "mercari",
                "whatnot",
                "local",
                "other",
            ]
            | None
        ) = None,
        sold_from: str | None = None,
        sold_to: str | None = None,
        after: int,
        limit: int = 250,
    ) -> Pages[Api.RecordedSalePage, Api.RecordedSale]:
        """All elements of `list_recorded_sales`, page by page. Each page costs 1 call."""

        def read(after: int) -> Api.RecordedSalePage:
            return self._methods.list_recorded_sales(
                item_type=item_type,
                number=number,
                condition=condition,
                platform=platform,
                sold_from=sold_from,
                sold_to=sold_to,
                after=after,
                limit=limit,
            )

        return pages_by_position(after, read, lambda page: page["sales"])

    def list_events(
        self,
        *,
        after: int,
        kinds: str | Sequence[str] | None = None,
        scope: Literal["all", "holdings", "watch"] | None = None,
        limit: int = 250,
    ) -> Pages[Api.EventPage, Api.MarketEvent]:
        """All elements of `list_events`, page by page. Each page costs 1 call."""

        def read(after: int) -> Api.EventPage:
            return self._methods.list_events(
                after=after,
                kinds=kinds,
                scope=scope,
                limit=limit,
            )

        return pages_by_position(after, read, lambda page: page["events"])

    def list_notices(
        self,
        *,
        after: int,
        limit: int = 250,
    ) -> Pages[Api.NoticePage, Api.AccountNotice]:
        """All elements of `list_notices`, page by page. Each page costs 1 call."""

        def read(after: int) -> Api.NoticePage:
            return self._methods.list_notices(after=after, limit=limit)

        return pages_by_position(after, read, lambda page: page["notices"])

    def list_bulk_changes(
        self,
        *,
        after: str,
        types: str | Sequence[str] | None = None,
        limit: int = 1000,
    ) -> Pages[
        Api.BulkChangePage,
        Api.SetChange | Api.MinifigChange | Api.MonthsChange | Api.RetailChange,
    ]:
        """All elements of `list_bulk_changes`, page by page. Each page costs 1 call."""

        def read(after: str) -> Api.BulkChangePage:
            return self._methods.list_bulk_changes(after=after, types=types, limit=limit)

        return pages_by_position(after, read, lambda page: page["changes"])
