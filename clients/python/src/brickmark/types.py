"""The records and error codes of both APIs. Made from the contract by `npm run docs`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

ErrorCode = Literal[
    "BadRequest",
    "MissingApiKey",
    "InvalidApiKey",
    "TierRequired",
    "ScopeRequired",
    "NotFound",
    "MethodNotAllowed",
    "QuotaExceeded",
    "InternalError",
    "Conflict",
    "TooManyRequests",
    "TooManyStreams",
]
# Unique sets and minifigures in one call, together.
BATCH_ITEMS_MAX = 100
# When to try again after an error, by its status; otherwise never.
RETRY_RULES: dict[int, Literal["after", "backoff"]] = {429: "after", 500: "backoff"}


class AccountNotice(TypedDict):
    """A notice about your account."""

    position: int
    """Position of the notice. Increases with every notice, with gaps."""
    at: str
    """When it was noticed."""
    kind: Literal["quota.reached", "key.expiring", "bulk.ready"]
    """`quota.reached`: 80 % or 100 % of the daily allowance of a key is used. `key.expiring`: a key
    expires within 14 days, or within a day. `bulk.ready`: there are new bulk files.
    """
    details: NoticeDetails
    """The fields that apply to this kind of notice; all others are omitted."""


class AgedRate(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    from_day: int
    """Days in storage from which it is charged."""
    usd: float
    """Per cubic foot and month."""
    minimum_usd: float
    """The least per unit."""


class Analytics(TypedDict):
    """Value and cost of your holdings over time."""

    period: Literal["30d", "90d", "1y"]
    """The requested period."""
    summary: AnalyticsSummary
    """Your holdings today."""
    value_history: list[ValuePoint]
    """Daily for 30d and 90d, weekly for 1y. The last point is today."""


class AnalyticsSummary(TypedDict):
    """Your holdings today."""

    total_sets: int
    """Number of different sets held."""
    total_items: int
    """Number of units held."""
    total_cost_basis_usd: float
    """Cost of all units held."""
    total_current_value_usd: float
    """Current value of all units held."""
    unrealized_gain_loss_usd: float
    """Value minus cost."""
    unrealized_gain_loss_pct: float
    """Gain or loss as a percentage of cost; 0 when the cost is 0."""
    top_gainer: TopGainer | None
    """The set with the largest gain; null when there is none."""
    top_loser: TopLoser | None
    """The set with the largest loss; null when there is none."""


class Barcodes(TypedDict):
    """Barcodes on the box."""

    upc: str | None
    """12-digit UPC; null when unknown."""
    ean: str | None
    """13-digit EAN; null when unknown."""


class Batch(TypedDict):
    """Up to 100 sets and minifigures at once."""

    sets: list[FoundSet | MissingSet]
    """One element per unique set, in the order of the request."""
    minifigs: list[FoundMinifig | MissingMinifig]
    """One element per unique minifigure, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class BatchSummary(TypedDict):
    """Counts of requested and found items."""

    requested: int
    """Number of unique items requested."""
    found: int
    """Number of items found."""


class Box(TypedDict):
    """Size and weight of the sealed box."""

    width_in: float | None
    """Width in inches; null when unknown."""
    height_in: float | None
    """Height in inches; null when unknown."""
    depth_in: float | None
    """Depth in inches; null when unknown."""
    weight_lbs: float | None
    """Weight in pounds; null when unknown."""


class Brickfolio(TypedDict):
    """A collection and its totals."""

    id: int
    """ID of the collection."""
    name: str
    """Name of the collection."""
    description: str | None
    """Description; null when there is none."""
    is_default: bool
    """Whether new holdings go here by default."""
    owned_set_count: int
    """Number of different sets held."""
    owned_item_count: int
    """Number of units held."""
    total_cost_basis_usd: float
    """Cost of all units held."""
    total_current_value_usd: float
    """Current value of all units held."""
    unrealized_gain_loss_usd: float
    """Value minus cost."""
    created_at: str
    """When the collection was created."""


class BrickfolioList(TypedDict):
    """Your collections with their totals."""

    brickfolios: list[Brickfolio]
    """Default first, then by name."""
    monthly_periods: list[MonthlyPeriod]
    """Months of purchase, oldest first."""


class BulkChangePage(TypedDict):
    """Documents changed or deleted after a position."""

    changes: list[SetChange | MinifigChange | MonthsChange | RetailChange]
    """In order of publication."""
    next: str
    """Send this as `after` to `GET /bulk/changes`. Not an event position."""
    has_more: bool
    """Whether there are more changes after `next`."""


class BulkFile(TypedDict):
    """One file."""

    type: Literal["sets", "minifigs", "months", "retail", "retail_changes"]
    """Type of the documents."""
    format: Literal["jsonl", "csv", "parquet"]
    """Format of the file."""
    url: str
    """Path on this server to download it from, with the same key."""
    bytes: int
    """Size of the file in bytes."""
    sha256: str
    """SHA-256 of the file, in hexadecimal."""
    position: str
    """Send this as `after` to `GET /bulk/changes`. Not an event position."""
    created_at: str
    """When the file was finished."""


class BulkFileList(TypedDict):
    """Daily files with all sets, minifigures, months and retail prices."""

    files: list[BulkFile]
    """One file per type; empty until the first files are made."""


class BuyingCosts(TypedDict):
    """The buying settings of your account."""

    sales_tax_percent: float
    """Sales tax on what you buy."""
    cashback_percent: float
    """Cashback on the price, rounded down to cents."""
    inbound_usd: float
    """Cost of getting a unit, or a box, home."""
    cost_of_capital_percent: float
    """Cost of capital per year, on your cost until the sale."""


class ChannelLiquidity(TypedDict):
    """Sell-through in one channel."""

    channel: Literal["fixed", "auction", "bricklink", "amazon", "other"]
    """The sales channel."""
    sold: int
    """Units sold in 90 days."""
    stock: int
    """Units for sale."""
    sell_through_pct: float | None
    """`sold` as a percentage of `sold` and `stock`; null when both are 0."""


class ChannelQueue(TypedDict):
    """What the time to sell in the channel depends on; null when the sales rate is unknown."""

    sales_share: float
    """The channel's share of the item's sales, from 0 to 1."""
    rivals: int | None
    """Units of other sellers in the last 30 days; null when unknown."""
    supply_months: float
    """Used if `rivals` is null: how many months of sales there the units for sale are."""
    cheapest: bool
    """Whether the usual price there is at or below the lowest asking price."""
    assumed: bool
    """Whether `sales_share` or the rivals are assumed."""


class ChannelQuote(TypedDict):
    """The result in one channel."""

    channel: Literal[
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
    """The channel; `fba` is Amazon with fulfillment by Amazon."""
    assumed: bool
    """Whether its prices are assumed from other channels."""
    price_usd: float
    """Price that `share` of ordinary sales reach, including shipping, before tax."""
    fees_usd: float
    """Platform, payment, fulfillment and storage fees."""
    not_included: list[Literal["selling_plan", "inbound_placement"]]
    """Fees that depend on how you sell and are not in `fees_usd`: Amazon's `selling_plan` ($39.99 a
    month, or $0.99 per item) and `inbound_placement`; may be empty.
    """
    postage_usd: float
    """Shipping and packaging; 0 for `fba` and `local`."""
    net_usd: float
    """Price minus fees and shipping."""
    max_buy_usd: float | None
    """The most you can pay and keep `margin_pct`; null if no price does."""
    wait_days: float | None
    """Median days until your unit sells at the usual price; null when unknown."""
    rivals: int | None
    """Units of other sellers in the last 30 days; null when unknown."""
    cheapest: bool
    """Whether the usual price is at or below the lowest one that others ask."""
    wait_assumed: bool
    """Whether `wait_days` rests on assumed rivals or on sales elsewhere."""


class ChannelSales(TypedDict):
    """Sales in one channel."""

    channel: Literal["fixed", "auction", "bricklink", "amazon", "other", "unknown"]
    """The sales channel."""
    sales: int
    """Sales that count."""
    offset_pct: float
    """How far prices are above fixed-price sales, in percent; negative when below."""


class ChannelTerms(TypedDict):
    """Prices and sales in one channel."""

    channel: Literal[
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
    """The channel, as in `max-buy`."""
    offset: float
    """Prices there relative to the value, as a difference of logarithms."""
    assumed: bool
    """Whether the offset is assumed."""
    price_max_usd: float | None
    """Amazon's own price, above which nothing sells there; null if there is none."""
    queue: ChannelQueue | None
    """What the time to sell in the channel depends on; null when the sales rate is unknown."""


class ConditionEvidence(TypedDict):
    """The value in one condition and the sales behind it."""

    value_usd: float | None
    """Value in this condition; null when there is none."""
    range: EvidenceRange | None
    """Expected range of the next ordinary sale; null without a value."""
    sales: SalesByWindow | None
    """Sales that count, by age; null without a value."""
    rows: OutcomeCounts
    """Sales in this condition, by outcome."""
    reasons: list[ReasonCount]
    """The same counts with reasons, sorted by outcome."""
    liquidity: Liquidity | None
    """How fast the item sells in this condition; null without a value."""
    terms: PriceTerms | None
    """What prices, max buy prices and box bids are computed from; null without a value."""


class DailyValue(TypedDict):
    """One day."""

    date: str
    """The day, in UTC."""
    value_usd: float | None
    """Value published at the end of the day, or now if it is today; null if none was."""


class Deal(TypedDict):
    """One set at one retailer."""

    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    theme: str
    """Theme of the set."""
    retailer: Literal["retailer_a", "retailer_b"]
    """The retailer."""
    price_usd: float
    """Current price at the retailer."""
    max_buy_usd: float
    """Max buy price; never below `price_usd`."""
    best_channel: Literal[
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
    """Best channel to sell it in."""
    net_usd: float
    """Median net in the best channel."""
    profit_usd: float
    """Net minus cost."""
    roi_pct: float
    """Profit as a percentage of cost."""
    wait_days: float | None
    """Median days until it sells there; null when unknown."""
    profit_per_month_usd: float | None
    """Profit divided by months until it sells, at least one; null if `wait_days` is."""
    part_out_ratio: float | None
    """Estimated revenue from its parts, as a multiple of `price_usd`; null when no source has a
    recent value for them.
    """
    warnings: list[
        Literal[
            "stale_price",
            "unknown_stock",
            "third_party_seller",
            "unknown_seller",
            "high_roi",
            "cheaper_recently",
            "often_discounted",
            "low_tier",
            "recent_jump",
            "guessed_postage",
        ],
    ]
    """What to check before you buy; may be empty."""
    observed_at: str
    """When the price was observed."""
    product_url: str | None
    """URL of the product page; null when unknown."""


class DealPage(TypedDict):
    """Retailer offers at or below your max buy price."""

    deals: list[Deal]
    """Highest profit per month first."""
    pagination: Pagination
    """Position of this page in the list."""
    grade: NotRequired[str]
    """The grade that was sent."""
    grade_value_pct: NotRequired[float]
    """Value in this grade, as a percentage of that of the condition."""
    grade_effect_is: NotRequired[Literal["learned", "assumed", "none"]]
    """`learned` from sales, `assumed`, or `none` where there is no effect."""


class Deletion(TypedDict):
    """Removes an item from a watchlist."""

    deleted: bool
    """Always true: what does not exist returns 404."""


class EvaluateItem(TypedDict):
    """Units of one item in one condition and grade."""

    set: NotRequired[str]
    """A set number; send either this or `minifig`."""
    minifig: NotRequired[str]
    """A minifigure number; send either this or `set`."""
    condition: NotRequired[Literal["sealed", "used"]]
    """The condition. Default: `sealed` for a set, `used` for a minifigure."""
    grade: NotRequired[str]
    """Grade of the unit, which lowers its prices. It belongs to a condition, which is the default
    for `condition`.
    """
    quantity: NotRequired[int]
    """Number of units. Default: 1. Repeated items are added up."""


class EvaluatedItem(TypedDict):
    """One item in one condition and grade."""

    item_type: Literal["set", "minifig"]
    """Type of the item."""
    number: str
    """The canonical number, or the number as sent if there is no such item."""
    title: str | None
    """Name of the item; null if there is no such item."""
    condition: Literal["sealed", "used"]
    """The condition of the units."""
    quantity: int
    """Number of units."""
    found: bool
    """Whether the item exists. Items that do not exist cost a call too."""
    unit_value_usd: float | None
    """Value of one unit; null when there is none."""
    total_value_usd: float | None
    """Value of all units; null when there is none."""
    data_tier: Literal["high", "medium", "low", "modeled"] | None
    """How well sales support the value; null if there is none."""
    cost_usd: float | None
    """Its share of the cost, by value; null when no cost was sent or the item does not exist."""
    grade: NotRequired[str]
    """The grade that was sent."""
    grade_value_pct: NotRequired[float]
    """Value in this grade, as a percentage of that of the condition."""
    grade_effect_is: NotRequired[Literal["learned", "assumed", "none"]]
    """`learned` from sales, `assumed`, or `none` where there is no effect."""


class Evaluation(TypedDict):
    """Value, max bid and profit of a box of up to 100 sets and minifigures."""

    items: list[EvaluatedItem]
    """One element per item, condition and grade, in the order of the request."""
    summary: EvaluationSummary
    """The box as a whole."""


class EvaluationSummary(TypedDict):
    """The box as a whole."""

    units: int
    """Units in the box."""
    units_valued: int
    """Units that have a value."""
    sum_of_values_usd: float
    """Sum of the values of all units."""
    low_usd: float | None
    """90% of such boxes sell for more; null when nothing has a value."""
    median_usd: float | None
    """50% of such boxes sell for more; of one unit, its price on eBay at a `share` of 0.5; null
    when nothing has a value.
    """
    high_usd: float | None
    """10% of such boxes sell for more; null when nothing has a value."""
    max_bid_usd: float | None
    """The most you can pay and keep `margin_pct`; null if no price does."""
    best_channel: (
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
    )
    """Best channel to sell the box in; null when there is no max bid."""
    profit_usd: float | None
    """Median net in the best channel, minus the cost; null without a cost or a max bid."""


class EventDetails(TypedDict):
    """The fields that apply to this kind of event; all others are omitted."""

    price_usd: NotRequired[float]
    """Price at the retailer; the last known price when there is no offer."""
    has_offer: NotRequired[bool]
    """Whether there is an offer; without one, the price is the last known."""
    change_pct: NotRequired[float]
    """Price change in percent."""
    at_lowest: NotRequired[bool]
    """Whether the price is the lowest ever seen."""
    lowest_usd: NotRequired[float]
    """The lowest price ever seen."""
    below_value_pct: NotRequired[float]
    """How far the price is below the new value, in percent; negative when above."""
    seller_type: NotRequired[Literal["retailer", "third_party"]]
    """Who sells it; in `retail.flip`, once confirmed."""
    in_stock: NotRequired[bool]
    """Whether it is in stock."""
    new_value_usd: NotRequired[float]
    """Value of a new set."""
    used_value_usd: NotRequired[float]
    """Value of a used set."""
    current_value_usd: NotRequired[float]
    """Value of a minifigure."""
    data_tier: NotRequired[Literal["high", "medium", "low", "modeled"]]
    """How well sales support the value."""
    status_id: NotRequired[int]
    """1 announced, 2 available, 3 retiring soon, 4 retired."""
    month: NotRequired[str]
    """The month, as YYYY-MM; for a restatement, the first restated month."""
    new_sales_count: NotRequired[int]
    """Sales of new sets in the month that support the value."""
    used_sales_count: NotRequired[int]
    """Sales of used sets in the month that support the value."""
    reason: NotRequired[str]
    """Why history was restated, or why the deal ended."""
    max_buy_usd: NotRequired[float]
    """Max buy price at default terms."""
    best_channel: NotRequired[
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
        ],
    ]
    """Best channel to sell it in."""
    net_usd: NotRequired[float]
    """Median net in the best channel."""
    profit_usd: NotRequired[float]
    """Net minus cost."""
    roi_pct: NotRequired[float]
    """Profit as a percentage of cost."""
    wait_days: NotRequired[float | None]
    """Median days until it sells there; null when unknown."""
    warnings: NotRequired[
        list[
            Literal[
                "stale_price",
                "unknown_stock",
                "third_party_seller",
                "unknown_seller",
                "high_roi",
                "cheaper_recently",
                "often_discounted",
                "low_tier",
                "recent_jump",
                "guessed_postage",
            ],
        ],
    ]
    """What to check before you buy."""


class EventPage(TypedDict):
    """Market events after a position: prices, stock, values, months, deals."""

    events: list[MarketEvent]
    """In order of position."""
    next: int
    """Send this as `after` in the next call."""
    has_more: bool
    """Whether there are more events after `next`."""


class Evidence(TypedDict):
    """Counts, reasons and terms behind a set's values."""

    item_type: Literal["set", "minifig"]
    """Type of the item."""
    number: str
    """The canonical number."""
    title: str
    """Name of the item."""
    data_tier: Literal["high", "medium", "low", "modeled"]
    """How well sales support the values."""
    tier_reasons: list[str]
    """Why the item has this tier."""
    sealed: ConditionEvidence
    """The value in one condition and the sales behind it."""
    used: ConditionEvidence
    """The value in one condition and the sales behind it."""
    channels: list[ChannelSales]
    """Sales that count in both conditions, by channel."""
    season: list[float] | None
    """How busy each month of the year is, January first; null if not learned."""
    engine: str | None
    """Version of the engine that computed the values; null if there are none yet."""
    parameters: str | None
    """Version of the learned parameters it used; null if there are none yet."""
    input_hash: str | None
    """Hash of the inputs of the values; null if there are none yet."""
    calculated_at: str | None
    """When the values were computed; null if there are none yet."""


class EvidenceBatch(TypedDict):
    """Counts and reasons behind the values of up to 100 sets and minifigures."""

    sets: list[FoundEvidence | MissingSet]
    """One element per unique item, in the order of the request."""
    minifigs: list[FoundEvidence | MissingMinifig]
    """One element per unique item, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class EvidenceRange(TypedDict):
    """Expected range of the next ordinary sale; null without a value."""

    low: float
    """Lower end of the range."""
    high: float
    """Upper end of the range."""


class ExchangeRate(TypedDict):
    """The rate of one currency."""

    currency: str
    """ISO 4217 code."""
    date: str
    """Day of the rate: the requested one, or the latest before it."""
    usd_per_unit: float
    """US dollars per unit of the currency."""


class ExchangeRates(TypedDict):
    """Stored exchange rates of a day."""

    date: str
    """The requested day."""
    rates: list[ExchangeRate]
    """By currency, without US dollars; may be empty."""


class FbaPeakRow(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    up_to_oz: float | None
    """Up to this weight in ounces; null for no limit."""
    usd: float
    """Additional fee in the peak season."""


class FbaRow(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    up_to_oz: float | None
    """Up to this weight in ounces; null for no limit."""
    low_price_usd: float
    """Fee below the middle prices."""
    middle_price_usd: float
    """Fee at middle prices."""
    high_price_usd: float
    """Fee above them."""


FbaSchedule = TypedDict(
    "FbaSchedule",
    {
        # In effect from this day, until the next one; the first also before it.
        "from": 'str',
        # The price list it is taken from.
        "source": 'str',
        # Referral fee in percent of the price.
        "referral_percent": 'float',
        # The least referral fee.
        "referral_minimum_usd": 'float',
        # The lowest middle price.
        "middle_price_from_usd": 'float',
        # The highest middle price.
        "middle_price_to_usd": 'float',
        # Added to the fulfillment fee, without the peak fee.
        "surcharge_percent": 'float',
        # Volume that counts as a pound.
        "cubic_inches_per_pound": 'float',
        # First day of the peak season, as MM-DD.
        "peak_from": 'str',
        # Its last day, as MM-DD.
        "peak_to": 'str',
        # From small to large.
        "sizes": 'list[FbaSize]',
    },
)
"""Amazon's fees for selling and fulfillment from a day on."""


class FbaSize(TypedDict):
    """A box belongs to the first size that it fits and that has a row for its weight."""

    size: str
    """Name of the size tier."""
    standard_size: bool
    """Whether storage is charged as standard size."""
    longest_in: float | None
    """Limit of the longest side in inches; null for none."""
    median_in: float | None
    """Limit of the median side; null for none."""
    shortest_in: float | None
    """Limit of the shortest side; null for none."""
    length_and_girth_in: float | None
    """Limit of the longest side plus twice the two others; null for none."""
    volume_side_min_in: float | None
    """The two shorter sides count as at least this much for dimensional weight; null if only the
    actual weight counts.
    """
    rows: list[FbaRow]
    """By increasing weight. Heavier boxes belong to a later size."""
    step: FbaStep | None
    """An additional fee by weight; null for none."""
    peak: list[FbaPeakRow]
    """By increasing weight."""


class FbaStep(TypedDict):
    """An additional fee by weight; null for none."""

    above_oz: float
    """Weight above which it is charged."""
    every_oz: float
    """Size of a step."""
    usd: float
    """Fee for each step begun."""


FbaStorage = TypedDict(
    "FbaStorage",
    {
        # In effect from this day, until the next one; the first also before it.
        "from": 'str',
        # The price list it is taken from.
        "source": 'str',
        # In the first nine months.
        "january_to_september": 'StorageRates',
        # In the last three months.
        "october_to_december": 'StorageRates',
        # Surcharges by age on the 15th of a month; only the last that applies.
        "aged": 'list[AgedRate]',
    },
)
"""Amazon's fees for storage from a day on."""


class FeeSchedules(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    date: str
    """Today in UTC, for which max buy prices are computed."""
    sales_tax_percent: float
    """Assumed sales tax of buyers, for fees with the base `with_tax`."""
    platforms: list[PlatformFees]
    """By date. Your own rates replace all rows of their platforms."""
    postage: list[PostageTable]
    """By date."""
    fba: list[FbaSchedule]
    """By date."""
    fba_storage: list[FbaStorage]
    """By date."""
    buying_costs: BuyingCosts
    """The buying settings of your account."""


class FeeStep(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    up_to_usd: float | None
    """Up to this amount; null for no limit."""
    percent: float
    """Percentage of this part."""


class FoundRetailPrices(TypedDict):
    """The retail prices of a set."""

    set_number: str
    """The set number."""
    retail: RetailRow | None
    """Its retail prices; null if no retailer was ever observed."""
    found: Literal[True]
    """Always true: the item exists."""


class History(TypedDict):
    """Finalized monthly values of a set, `sealed` or `used`."""

    set_number: str
    """The set number."""
    condition: Literal["sealed", "used"]
    """Condition of the values."""
    history: list[HistoryPoint]
    """Finalized months, oldest first."""


class HistoryBatch(TypedDict):
    """Finalized monthly values of up to 100 sets."""

    sets: list[FoundHistory | MissingSet]
    """One element per unique item, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class HistoryPoint(TypedDict):
    """One finalized month."""

    month: str
    """The month, as YYYY-MM."""
    value_usd: float | None
    """Value at the end of the month; null before the first sale."""
    range_low: float | None
    """Lower end of the range; null before the first sale."""
    range_high: float | None
    """Upper end of the range; null before the first sale."""
    sales_count: int | None
    """Sales in the month that support the value; null when not counted."""
    event: Literal["released", "retired", "price_jump_up", "price_jump_down"] | None
    """What happened in the month; null when nothing did."""


class Holding(TypedDict):
    """Units of one set, bought together."""

    brickfolio_id: int
    """ID of its collection."""
    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    theme: str
    """Theme of the set."""
    quantity: int
    """Units left."""
    condition: Literal["sealed", "used"]
    """Condition of the units."""
    purchase_price_usd: float
    """Purchase price per unit."""
    purchase_date: str
    """Date of purchase."""
    status: Literal["owned", "listed"]
    """`listed` when offered for sale, otherwise `owned`."""
    current_value_usd: float
    """Current value per unit; the purchase price if the value is unknown."""
    total_current_value_usd: float
    """Current value of all units."""
    unrealized_gain_loss_usd: float
    """Value minus cost."""
    unrealized_gain_loss_pct: float
    """Gain or loss as a percentage of cost; 0 when the cost is 0."""


class HoldingPage(TypedDict):
    """Your holdings."""

    entries: list[Holding]
    """Newest purchase first."""
    pagination: Pagination
    """Position of this page in the list."""


class HoldingsSummary(TypedDict):
    """Totals of your holdings, of sets and of minifigures."""

    all: HoldingsTotals
    """Totals of holdings."""
    sets: HoldingsTotals
    """Totals of holdings."""
    minifigs: HoldingsTotals
    """Totals of holdings."""


class HoldingsTotals(TypedDict):
    """Totals of holdings."""

    distinct_count: int
    """Number of different sets or minifigures held."""
    item_count: int
    """Number of units held."""
    total_cost_basis_usd: float
    """Cost of all units held."""
    total_current_value_usd: float
    """Current value of all units held; those without one at cost."""
    unrealized_gain_loss_usd: float
    """Value minus cost."""
    unrealized_gain_loss_pct: float
    """Gain or loss as a percentage of cost; 0 when the cost is 0."""


class Liquidity(TypedDict):
    """How fast the item sells in this condition; null without a value."""

    sold_90d: int
    """Units sold in 90 days, in all channels."""
    units_per_month: float
    """The same per month."""
    sellers_90d: int | None
    """Sellers of these units, as far as sources name them; null when none does."""
    sell_through_pct: float | None
    """Sell-through of all `channels` together; null when `channels` is empty."""
    channels: list[ChannelLiquidity]
    """The channels in which the units for sale were counted in the last 30 days."""


class ListedMinifig(TypedDict):
    """A minifigure, with the chosen fields."""

    minifig_number: str
    """The minifigure number, such as `sw0001a`."""
    name: NotRequired[str]
    """Name of the minifigure."""
    category: NotRequired[str | None]
    """Category; null when unknown."""
    color: NotRequired[str]
    """Main color; omitted when unknown."""
    year_released: NotRequired[int | None]
    """Year of release; null when unknown."""
    image_url: NotRequired[str | None]
    """URL of a picture; null when unknown."""
    current_value_usd: NotRequired[float | None]
    """Market value; null when too little is known."""
    value_range: NotRequired[MinifigValueRange | None]
    """Expected range of the next ordinary sale, around `current_value_usd`; null without a value.
    """
    set_count: NotRequired[int]
    """Number of sets it appears in."""
    sets: NotRequired[list[str]]
    """Numbers of the sets it appears in, sorted by number."""
    data_tier: NotRequired[Literal["high", "medium", "low", "modeled"] | None]
    """How well sales support `current_value_usd`; null without a value."""
    sell_through_pct: NotRequired[float | None]
    """Sell-through: used units sold in 90 days as a percentage of those and the units for sale, in
    channels where the latter are known; null when not known.
    """
    units_per_month: NotRequired[float | None]
    """Sales of used units a month, over 90 days; null when not known."""
    sellers_90d: NotRequired[int | None]
    """Sellers of used units in 90 days, as far as sources name them; null when none does."""


class ListedSet(TypedDict):
    """A set, with the chosen fields."""

    set_number: str
    """The set number: plain for variant 1 (`75192`), with `-k` for variant k (`75192-2`)."""
    title: NotRequired[str]
    """Name of the set."""
    theme: NotRequired[str]
    """Theme, such as `Castle`."""
    subtheme: NotRequired[str | None]
    """Subtheme; null when there is none."""
    pieces: NotRequired[int | None]
    """Number of pieces in the box; null when unknown."""
    year: NotRequired[int | None]
    """Year of release; null when unknown."""
    retired: NotRequired[bool]
    """Whether the set is retired."""
    image_url: NotRequired[str | None]
    """URL of a picture; null when unknown."""
    minifigs_count: NotRequired[int]
    """Number of minifigures in the box."""
    minifigs: NotRequired[list[str]]
    """Numbers of the minifigures in the set, sorted by number. Includes those that were replaced
    while it was sold, so there can be more than `minifigs_count`.
    """
    barcodes: NotRequired[Barcodes]
    """Barcodes on the box."""
    msrp_usd: NotRequired[float | None]
    """Recommended retail price in the US; null when unknown."""
    release_date: NotRequired[str | None]
    """Release date; null when unknown."""
    retire_date: NotRequired[str | None]
    """Retirement date; null while it is in the future, or when unknown."""
    status_id: NotRequired[int]
    """1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired."""
    data_tier: NotRequired[Literal["high", "medium", "low", "modeled"]]
    """How well sales support `new_value_usd`."""
    new_value_usd: NotRequired[float | None]
    """Market value, new and sealed; null when too little is known."""
    used_value_usd: NotRequired[float | None]
    """Market value, used and complete; null when too little is known."""
    value_range: NotRequired[SetValueRange | None]
    """Expected range of the next ordinary sale in new condition, around `new_value_usd`; null
    without a value.
    """
    retailers: NotRequired[list[RetailerSummary]]
    """Retailers that have ever had a price for the set, `retailer_a` first."""
    box: NotRequired[Box]
    """Size and weight of the sealed box."""
    change_30d_pct: NotRequired[float | None]
    """Change of `new_value_usd` in the 30 days before it was computed, in percent; null unless
    sales support both values.
    """
    change_90d_pct: NotRequired[float | None]
    """Change of `new_value_usd` in the 90 days before it was computed, in percent; null unless
    sales support both values.
    """
    change_365d_pct: NotRequired[float | None]
    """Change of `new_value_usd` in the 365 days before it was computed, in percent; null unless
    sales support both values.
    """
    price_per_piece_usd: NotRequired[float | None]
    """`msrp_usd` divided by `pieces`, with four decimals; null when either is unknown."""
    retail_price_usd: NotRequired[float | None]
    """Lowest price at a retailer that has the set in stock; null when none has."""
    below_value_pct: NotRequired[float | None]
    """How far `retail_price_usd` is below `new_value_usd`, in percent; negative when above, null
    when either is unknown.
    """
    sell_through_pct: NotRequired[float | None]
    """Sell-through: sealed units sold in 90 days as a percentage of those and the units for sale,
    in channels where the latter are known; null when not known.
    """
    units_per_month: NotRequired[float | None]
    """Sales of sealed units a month, over 90 days; null when not known."""
    sellers_90d: NotRequired[int | None]
    """Sellers of sealed units in 90 days, as far as sources name them; null when none does."""


class MarketEvent(TypedDict):
    """One event."""

    position: int
    """Position in the log. Increases with every event, with gaps."""
    at: str
    """When it was published."""
    kind: Literal[
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
    ]
    """What happened."""
    item_type: Literal["set", "minifig"] | None
    """What the event is about; null for the whole market."""
    number: str | None
    """The canonical number; null for the whole market."""
    title: str | None
    """Name of the item; null when it is no longer published."""
    retailer: Literal["retailer_a", "retailer_b"] | None
    """The retailer; null when the event is not about one."""
    before: EventDetails
    """The fields that apply to this kind of event; all others are omitted."""
    after: EventDetails
    """The fields that apply to this kind of event; all others are omitted."""


class MaxBuy(TypedDict):
    """Max buy price of a set or minifigure, by channel."""

    item_type: Literal["set", "minifig"]
    """Type of the item."""
    number: str
    """The canonical number."""
    title: str
    """Name of the item."""
    condition: Literal["sealed", "used"]
    """Condition of the unit."""
    share: float
    """The requested share."""
    margin_pct: float
    """The requested margin."""
    value_usd: float | None
    """Value in this condition; null when there is none."""
    data_tier: Literal["high", "medium", "low", "modeled"] | None
    """How well sales support the value; null if there is none."""
    sales_per_month: float | None
    """Expected sales per month in all channels; null when unknown."""
    wait_days: float | None
    """Median days until your unit sells in the best channel; null when unknown."""
    best_channel: (
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
    )
    """The channel with the highest max buy price, among those with learned prices; null if there is
    a `reason`.
    """
    warnings: list[Literal["recent_jump"]]
    """What to check before you buy; may be empty."""
    reason: Literal["no_value", "modeled_value", "unknown_box", "nothing_left"] | None
    """Why there is no max buy price; null when there is one."""
    channels: list[ChannelQuote]
    """All channels in a fixed order; `fba` only if the box size is known."""
    grade: NotRequired[str]
    """The grade that was sent."""
    grade_value_pct: NotRequired[float]
    """Value in this grade, as a percentage of that of the condition."""
    grade_effect_is: NotRequired[Literal["learned", "assumed", "none"]]
    """`learned` from sales, `assumed`, or `none` where there is no effect."""


class MaxBuyBatch(TypedDict):
    """Max buy prices of up to 100 sets and minifigures."""

    items: list[FoundMaxBuy | MissingItem]
    """One element per unique item, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class MaxBuyItem(TypedDict):
    """One item in one condition and grade."""

    set: NotRequired[str]
    """A set number; send either this or `minifig`."""
    minifig: NotRequired[str]
    """A minifigure number; send either this or `set`."""
    condition: NotRequired[Literal["sealed", "used"]]
    """The condition. Default: `sealed` for a set, `used` for a minifigure."""
    grade: NotRequired[str]
    """Grade of the unit, which lowers its prices. It belongs to a condition, which is the default
    for `condition`.
    """


class Minifig(TypedDict):
    """A minifigure with its market value."""

    minifig_number: str
    """The minifigure number, such as `sw0001a`."""
    name: str
    """Name of the minifigure."""
    category: str | None
    """Category; null when unknown."""
    color: NotRequired[str]
    """Main color; omitted when unknown."""
    year_released: int | None
    """Year of release; null when unknown."""
    image_url: str | None
    """URL of a picture; null when unknown."""
    current_value_usd: float | None
    """Market value; null when too little is known."""
    value_range: MinifigValueRange | None
    """Expected range of the next ordinary sale, around `current_value_usd`; null without a value.
    """
    set_count: int
    """Number of sets it appears in."""
    sets: list[str]
    """Numbers of the sets it appears in, sorted by number."""


class MinifigChange(TypedDict):
    """One change."""

    type: Literal["minifigs"]
    """Type of the document."""
    number: str
    """The canonical number of the set or minifigure."""
    document: Minifig | None
    """The current document in full, as in a file; null if it no longer exists."""
    replaced_by: str | None
    """The number that has taken over from this one, without a document: that of the minifigure it
    was merged into, or its new spelling; null if none has.
    """


class MinifigDailyValues(TypedDict):
    """A minifigure's value on each day of the current month."""

    minifig_number: str
    """The minifigure number."""
    condition: Literal["sealed", "used"]
    """Condition of the values."""
    final: Literal[False]
    """Always false: the month is computed again when it becomes final."""
    days: list[DailyValue]
    """Oldest first, from the first day with a value until today."""


class MinifigPage(TypedDict):
    """All minifigures, with filters, sorted, with the fields you choose."""

    minifigs: list[ListedMinifig]
    """In the chosen order."""
    total: int
    """Number of items on all pages."""
    next: str | None
    """Send this as `after` to get the next page; null on the last one."""


class MinifigSearchPage(TypedDict):
    """Minifigures by number or name, without values."""

    results: list[MinifigSearchResult]
    """Matches, best first."""
    pagination: Pagination
    """Position of this page in the list."""


class MinifigSearchResult(TypedDict):
    """A minifigure that matches the search."""

    minifig_number: str
    """The minifigure number."""
    name: str
    """Name of the minifigure."""
    category: str | None
    """Category; null when unknown."""
    year_released: int | None
    """Year of release; null when unknown."""
    image_url: str | None
    """URL of a picture; null when unknown."""


class MinifigValueRange(TypedDict):
    """Expected range of the next ordinary sale, around `current_value_usd`; null without a value.
    """

    low: float
    """Lower end of the range."""
    high: float
    """Upper end of the range."""


class MissingItem(TypedDict):
    """An item that does not exist."""

    item_type: Literal["set", "minifig"]
    """Type of the item."""
    number: str
    """The number as you sent it."""
    found: Literal[False]
    """Always false: the item does not exist."""


class MissingMinifig(TypedDict):
    """A minifigure that does not exist."""

    minifig_number: str
    """The number as you sent it."""
    found: Literal[False]
    """Always false: the item does not exist."""


class MissingSet(TypedDict):
    """A set that does not exist."""

    set_number: str
    """The number as you sent it."""
    found: Literal[False]
    """Always false: the item does not exist."""


class MissingWay(TypedDict):
    """A way without a result."""

    way: Literal["sealed", "used", "minifigs", "parts"]
    """The way."""
    reason: Literal[
        "not_sealed",
        "no_value",
        "no_minifigs",
        "minifigs_bring_nothing",
        "no_parts_value",
    ]
    """Why it has none."""


class MonthlyPeriod(TypedDict):
    """Purchases of one month."""

    month: str
    """Month of purchase, as YYYY-MM."""
    entry_count: int
    """Holdings bought in this month with units left."""
    items: int
    """Units left of those holdings."""
    cost_basis_usd: float | None
    """Cost of those units; null when no price is known."""


class MonthsChange(TypedDict):
    """One change."""

    type: Literal["months"]
    """Type of the document."""
    number: str
    """The canonical number of the set or minifigure."""
    document: SetMonths | None
    """The current document in full, as in a file; null if it no longer exists."""
    replaced_by: str | None
    """The number that has taken over from this one, without a document: that of the minifigure it
    was merged into, or its new spelling; null if none has.
    """


class NoticeDetails(TypedDict):
    """The fields that apply to this kind of notice; all others are omitted."""

    key_prefix: NotRequired[str]
    """The beginning of the key."""
    percent: NotRequired[int]
    """The share of the daily allowance that was reached: 80 or 100."""
    used: NotRequired[int]
    """Calls used when it was noticed."""
    limit: NotRequired[int]
    """Daily allowance of the key."""
    reset: NotRequired[str]
    """When the allowance resets."""
    expires_at: NotRequired[str]
    """When the key expires."""
    bulk_position: NotRequired[str]
    """Position of the bulk files, as in `GET /bulk`."""


class NoticePage(TypedDict):
    """Notices about your account: allowance used, key expires, bulk files ready."""

    notices: list[AccountNotice]
    """Oldest first."""
    next: int
    """Send this as `after` in the next call."""
    has_more: bool
    """Whether there are more notices after `next`."""


class OrderFee(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    up_to_usd: float | None
    """Up to this amount; null for no limit."""
    fee_usd: float
    """Fee of an order up to there."""


class OutcomeCounts(TypedDict):
    """Sales in this condition, by outcome."""

    accepted: int
    """Sales that were accepted."""
    down_weighted: int
    """Sales that were down-weighted."""
    quarantined: int
    """Sales that were quarantined."""
    rejected: int
    """Sales that were rejected."""


class OwnField(TypedDict):
    """A field that you named."""

    name: str
    """Its name."""
    value: str
    """Its value."""


class OwnHolding(TypedDict):
    """Units of one set or minifigure, bought together. Details are null when they are not known."""

    id: int
    """ID of the holding."""
    item_type: Literal["set", "minifig"]
    """Whether it is a set or a minifigure."""
    number: str
    """The number, as it was entered."""
    title: str
    """Name of the item; its number if it is not published."""
    theme: str
    """Theme; empty when unknown."""
    brickfolio_id: int
    """ID of its collection."""
    quantity: int
    """Units left."""
    quantity_bought: int
    """Units bought."""
    condition: Literal["sealed", "used"]
    """Condition of the units."""
    status: Literal["owned", "listed"]
    """`listed` when offered for sale, otherwise `owned`."""
    purchase_price_usd: float
    """Purchase price per unit."""
    price_is_estimated: bool
    """Whether the price is an estimate."""
    purchase_date: str
    """Date of purchase."""
    purchase_date_is: Literal["known", "assumed", "unknown"]
    """How the date is known."""
    current_value_usd: float | None
    """Current value per unit; null when unknown."""
    data_tier: Literal["high", "medium", "low", "modeled"] | None
    """How well sales support the value; null without one."""
    total_current_value_usd: float | None
    """Current value of all units; null when unknown."""
    unrealized_gain_loss_usd: float | None
    """Value minus cost; null when unknown."""
    unrealized_gain_loss_pct: float | None
    """Gain or loss as a percentage of cost; 0 when the cost is 0; null when unknown."""
    grade: str | None
    """Grade of condition, such as `damaged_box` or `incomplete_85`; null if none was chosen."""
    notes: str | None
    """Notes; may have several lines. It is null if there are none."""
    tags: list[str]
    """Tags, in the order they were entered."""
    place: str | None
    """Where the units are, from the outside in: `Shelf A › Bin 3`; null if unknown."""
    bought_at: str | None
    """Where they were bought; null if unknown."""
    asking_price_usd: float | None
    """Asking price per unit; null if unknown."""
    listing_url: str | None
    """Address of the listing; null if unknown."""
    listed_at: str | None
    """Date of the listing; null if unknown."""
    days_listed: int | None
    """Days since then; null unless the status is `listed`."""
    own_fields: list[OwnField]
    """Fields that you named, by name."""


class OwnHoldingPage(TypedDict):
    """Your holdings of sets and minifigures."""

    holdings: list[OwnHolding]
    """In the order they were recorded."""
    next: int
    """Send this as `after` in the next call."""
    has_more: bool
    """Whether there are more rows after `next`."""


class Pagination(TypedDict):
    """Position of this page in the list."""

    total: int
    """Number of elements on all pages."""
    limit: int
    """The requested page size."""
    offset: int
    """The requested offset: elements skipped before this page."""
    has_more: bool
    """Whether there are more elements after this page."""


class PartsEstimate(TypedDict):
    """Our estimate of the revenue from the parts; null if no source has a recent value for them."""

    sold_usd: float
    """Revenue from the parts that are assumed to sell, in whole dollars."""
    orders: int
    """The orders it is assumed to sell in."""


class PaymentFee(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    name: str
    """The payment method."""
    base: Literal["items", "with_shipping", "with_tax"]
    """What the percentage is of: the items, the price with shipping, or that with sales tax."""
    percent: float
    """Percentage of it."""
    fee_usd: float
    """Fixed fee per payment."""


PlatformFees = TypedDict(
    "PlatformFees",
    {
        # The platform.
        "platform": 'Literal["ebay", "bricklink", "brick_owl", "amazon", "walmart", "facebook", "mercari", "whatnot", "local", "other"]',
        # In effect from this day, until the next one; the first also before it.
        "from": 'str',
        # The price list it is taken from.
        "source": 'str',
        # What the percentage is of: the items, the price with shipping, or that with sales tax.
        "base": 'Literal["items", "with_shipping", "with_tax"]',
        # Whether steps apply to each unit or to the whole order.
        "steps_per": 'Literal["unit", "order"]',
        # Marginal, like tax brackets.
        "steps": 'list[FeeStep]',
        # A fixed fee by the amount of the order; may be empty.
        "per_order": 'list[OrderFee]',
        # The least that percentage and order fee come to.
        "minimum_usd": 'float',
        # Payment methods, the usual one first; may be empty.
        "payments": 'list[PaymentFee]',
    },
)
"""The fees of one platform from a day on. A price of 0 has no fees."""


class PostageRate(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    up_to_lbs: float
    """Weight in pounds."""
    usd: float
    """Postage."""


PostageTable = TypedDict(
    "PostageTable",
    {
        # In effect from this day, until the next one; the first also before it.
        "from": 'str',
        # The price list it is taken from.
        "source": 'str',
        # Cost of packing material.
        "packing_usd": 'float',
        # Weight of packing material in pounds.
        "packing_lbs": 'float',
        # Volume that counts as a pound.
        "cubic_inches_per_pound": 'float',
        # By increasing weight.
        "rates": 'list[PostageRate]',
        # For each pound begun above the last rate.
        "above_per_lb_usd": 'float',
        # An unknown weight is this many pounds, times the pieces to the power of `pieces_power`.
        "pieces_factor": 'float',
        # The power of the number of pieces.
        "pieces_power": 'float',
    },
)
"""Shipping within the United States from a day on."""


class PriceBlock(TypedDict):
    """The price of a set at one retailer."""

    price: float | None
    """Current price; null when there is no offer."""
    sellerType: Literal["retailer", "third_party"] | None
    """`retailer`: sold by the retailer; `third_party`: sold only by third parties; null: no offer,
    or the seller is unknown.
    """
    changedAt: str | None
    """When the price last changed, by observation time; null if it never did. A set that comes back
    in stock at the same price has not changed.
    """
    lastChange: float | None
    """Amount of the last change, negative for a drop; null if there was none."""
    flip1pTo3p: bool
    """Whether the retailer stopped selling the set itself and third parties took over. Confirmed by
    two observations in a row, or after six hours.
    """
    atLowest: bool
    """Whether the price is the lowest ever seen and has been higher."""
    lowest: float | None
    """Lowest price ever seen; null if there was none."""
    inStock: bool | None
    """Whether it is in stock; null when unknown."""


class PriceTerms(TypedDict):
    """What prices, max buy prices and box bids are computed from; null without a value."""

    data_tier: Literal["high", "medium", "low", "modeled"]
    """Tier of this value; if `modeled`, there is no max buy price."""
    level_usd: float
    """The value, or the other price while it is doubted, whichever is lower."""
    value_spread: float
    """Uncertainty of the value: the standard deviation of its logarithm."""
    sale_spread: float
    """Scatter of sales around the value: likewise."""
    quantiles: list[SoldQuantile]
    """By increasing share; between two shares, interpolate."""
    growth_per_year: float | None
    """How fast prices rise, as a difference of logarithms; null if not learned."""
    rate: SalesRate | None
    """How often the item sells in this condition; null when unknown."""
    channels: list[ChannelTerms]
    """All channels in a fixed order."""


class PublishedOffer(TypedDict):
    """What was published at one time, in force until the next change."""

    at: str
    """When it was published."""
    price_usd: float | None
    """The price; null when there is no offer."""
    seller_type: Literal["retailer", "third_party"] | None
    """Who sells it; null when unknown, or without offer."""
    in_stock: bool | None
    """Whether it is in stock; null when unknown."""
    corrected: bool
    """Whether the price turned out to be wrong, because an import was corrected or undone. Such a
    price is no low.
    """


class ReasonCount(TypedDict):
    """Sales with the same outcome for the same reason."""

    outcome: Literal["accepted", "down_weighted", "quarantined", "rejected"]
    """The outcome of these sales."""
    reason: str | None
    """Reason code; null for ordinary sales."""
    count: int
    """Number of these sales."""


class RecordedSale(TypedDict):
    """A recorded sale."""

    id: int
    """ID of the sale."""
    item_type: Literal["set", "minifig"]
    """Whether it is a set or a minifigure."""
    number: str
    """The number, as it was entered."""
    title: str
    """Name of the item; its number if it is not published."""
    condition: Literal["sealed", "used"]
    """Condition of the units."""
    platform: Literal[
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
    """Where it was sold."""
    sale_date: str
    """Date of the sale."""
    quantity: int
    """Units sold."""
    gross_proceeds_usd: float
    """What the buyer paid in total."""
    platform_fees_usd: float
    """Platform fees."""
    payment_fees_usd: float
    """Payment fees."""
    shipping_cost_usd: float
    """Shipping cost paid by the seller."""
    net_proceeds_usd: float
    """Gross proceeds minus fees and shipping."""
    profit_loss_usd: float
    """Net proceeds minus cost."""
    roi_pct: float | None
    """Profit or loss as a percentage of cost; null when the cost is 0."""
    cost_basis_usd: float
    """Cost of the units, fixed when the sale was recorded."""


class RecordedSalePage(TypedDict):
    """Your recorded sales of sets and minifigures."""

    sales: list[RecordedSale]
    """In the order they were recorded."""
    next: int
    """Send this as `after` in the next call."""
    has_more: bool
    """Whether there are more rows after `next`."""


class RetailChange(TypedDict):
    """One change."""

    type: Literal["retail"]
    """Type of the document."""
    number: str
    """The canonical number of the set or minifigure."""
    document: RetailRow | None
    """The current document in full, as in a file; null if it no longer exists."""
    replaced_by: str | None
    """The number that has taken over from this one, without a document: that of the minifigure it
    was merged into, or its new spelling; null if none has.
    """


class RetailExit(TypedDict):
    """What you would net by selling one unit through Retailer A, before your purchase cost, inbound
    shipping and storage.
    """

    lowestFba: float | None
    """Lowest offer fulfilled by the retailer (FBA); null when unknown."""
    fbaSellers: int | None
    """Number of sellers with such an offer; null when unknown."""
    buyBox: float | None
    """Price of the featured offer; null when unknown."""
    netFba: float | None
    """`lowestFba`, otherwise `buyBox`, minus referral and fulfillment fees; null when the price or
    the size of the box is unknown.
    """


class RetailHistory(TypedDict):
    """Published price, seller and stock changes of a set at each retailer, and its lows."""

    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    retailers: list[RetailerHistory]
    """One element per retailer that ever offered the set, also without changes here."""
    next: int | None
    """Send this as `after` to get earlier changes; null when there are none."""


class RetailHistoryBatch(TypedDict):
    """Published changes at each retailer and lows of up to 100 sets."""

    sets: list[FoundRetailHistory | MissingSet]
    """One element per unique item, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class RetailLows(TypedDict):
    """The lowest prices of the last days, each including the price in force when the days began.
    They include no time before `since`, except for `all_time_usd`.
    """

    days_30_usd: float | None
    """Lowest price in the last 30 days; null if there was no offer."""
    days_90_usd: float | None
    """Lowest price in the last 90 days; null if there was no offer."""
    days_365_usd: float | None
    """Lowest price in the last 365 days; null if there was no offer."""
    all_time_usd: float | None
    """Lowest price ever seen, also before `since`; null when it is unknown."""


class RetailPriceBatch(TypedDict):
    """Current prices at both retailers of up to 100 sets."""

    sets: list[FoundRetailPrices | MissingSet]
    """One element per unique item, in the order of the request."""
    summary: BatchSummary
    """Counts of requested and found items."""


class RetailRow(TypedDict):
    """One set at both retailers."""

    setNumber: str
    """The set number."""
    name: str
    """Name of the set."""
    asin: str | None
    """Retailer A's product identifier; null when unknown."""
    upc: str | None
    """12-digit UPC; null when unknown."""
    ean: str | None
    """13-digit EAN; null when unknown."""
    paid: NotRequired[float]
    """Your average unit cost over lots you still hold; present only for sets you hold."""
    retailer_a: PriceBlock
    """The price at Retailer A."""
    retailer_b: PriceBlock
    """The price at Retailer B."""
    retailer_aExit: RetailExit
    """What you would net by selling one unit through Retailer A, before your purchase cost, inbound
    shipping and storage.
    """


class RetailerHistory(TypedDict):
    """The history of a set at one retailer."""

    retailer: Literal["retailer_a", "retailer_b"]
    """The retailer."""
    since: str
    """When its history begins. What was published before is not known."""
    lows: RetailLows
    """The lowest prices of the last days, each including the price in force when the days began.
    They include no time before `since`, except for `all_time_usd`.
    """
    changes: list[PublishedOffer]
    """Changes on this page, latest first."""


class RetailerSummary(TypedDict):
    """The price of the set at one retailer."""

    retailer: Literal["retailer_a", "retailer_b"]
    """Identifier of the retailer."""
    retailer_name: str
    """Display name of the retailer."""
    current_price: float
    """Latest known price; kept when the set sells out."""
    list_price: float
    """List price at the retailer, otherwise the MSRP, otherwise the price."""
    discount_percent: float
    """Discount from the list price in percent, never below 0."""
    in_stock: bool
    """Whether the set can be bought; also true when the retailer does not say."""
    is_first_party: bool
    """Whether the retailer itself is the seller. False also when the seller is unknown."""
    product_url: str | None
    """URL of the product page; null when unknown."""
    last_checked_at: str
    """When the price was last observed."""


class Sale(TypedDict):
    """A recorded sale."""

    id: int
    """ID of the sale."""
    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    platform: Literal[
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
    """Where it was sold."""
    sale_date: str
    """Date of the sale."""
    quantity: int
    """Units sold."""
    gross_proceeds_usd: float
    """What the buyer paid in total."""
    platform_fees_usd: float
    """Platform fees."""
    payment_fees_usd: float
    """Payment fees."""
    shipping_cost_usd: float
    """Shipping cost paid by the seller."""
    net_proceeds_usd: float
    """Gross proceeds minus fees and shipping."""
    profit_loss_usd: float
    """Net proceeds minus cost."""
    roi_pct: float | None
    """Profit or loss as a percentage of cost; null when the cost is 0."""


class SalePage(TypedDict):
    """Your recorded sales."""

    sales: list[Sale]
    """Newest first."""
    pagination: Pagination
    """Position of this page in the list."""


class SalesByWindow(TypedDict):
    """Sales that count, by age; null without a value."""

    days_30: int
    """In the last 30 days."""
    days_90: int
    """In the last 90 days."""
    days_180: int
    """In the last 180 days."""
    days_365: int
    """In the last 365 days."""
    ever: int
    """Since the first sale."""


class SalesRate(TypedDict):
    """How often the item sells in this condition; null when unknown."""

    sales: int
    """Sales in the last `days` days."""
    counted_sales: int
    """Those that count in waits: of each seller no more than usual."""
    days: int
    """Days in which sales could be observed, at most 180."""
    prior_sales: float
    """What similar items count for, in sales."""
    prior_days: float
    """The days of these sales."""
    season_index: float
    """How busy these `days` were: 1 is an average time of the year."""


class Set(TypedDict):
    """A set with its market values."""

    set_number: str
    """The set number: plain for variant 1 (`75192`), with `-k` for variant k (`75192-2`)."""
    title: str
    """Name of the set."""
    theme: str
    """Theme, such as `Castle`."""
    subtheme: str | None
    """Subtheme; null when there is none."""
    pieces: int | None
    """Number of pieces in the box; null when unknown."""
    minifigs_count: int
    """Number of minifigures in the box."""
    minifigs: list[str]
    """Numbers of the minifigures in the set, sorted by number. Includes those that were replaced
    while it was sold, so there can be more than `minifigs_count`.
    """
    barcodes: Barcodes
    """Barcodes on the box."""
    msrp_usd: float | None
    """Recommended retail price in the US; null when unknown."""
    release_date: str | None
    """Release date; null when unknown."""
    retire_date: str | None
    """Retirement date; null while it is in the future, or when unknown."""
    status_id: int
    """1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired."""
    data_tier: Literal["high", "medium", "low", "modeled"]
    """How well sales support `new_value_usd`."""
    image_url: str | None
    """URL of a picture; null when unknown."""
    new_value_usd: float | None
    """Market value, new and sealed; null when too little is known."""
    used_value_usd: float | None
    """Market value, used and complete; null when too little is known."""
    value_range: SetValueRange | None
    """Expected range of the next ordinary sale in new condition, around `new_value_usd`; null
    without a value.
    """
    retailers: list[RetailerSummary]
    """Retailers that have ever had a price for the set, `retailer_a` first."""
    box: Box
    """Size and weight of the sealed box."""


class SetChange(TypedDict):
    """One change."""

    type: Literal["sets"]
    """Type of the document."""
    number: str
    """The canonical number of the set or minifigure."""
    document: Set | None
    """The current document in full, as in a file; null if it no longer exists."""
    replaced_by: str | None
    """The number that has taken over from this one, without a document: that of the minifigure it
    was merged into, or its new spelling; null if none has.
    """


class SetDailyValues(TypedDict):
    """A set's value on each day since the last finalized month."""

    set_number: str
    """The set number."""
    condition: Literal["sealed", "used"]
    """Condition of the values."""
    final: Literal[False]
    """Always false: the month is computed again when it becomes final."""
    days: list[DailyValue]
    """Oldest first, from the first day with a value until today."""


class SetMonths(TypedDict):
    """The finalized months of a set."""

    set_number: str
    """The set number."""
    sealed: list[HistoryPoint]
    """Months of new sets, oldest first."""
    used: list[HistoryPoint]
    """Months of used sets, oldest first."""


class SetPage(TypedDict):
    """All sets, with filters, sorted, with the fields you choose."""

    sets: list[ListedSet]
    """In the chosen order."""
    total: int
    """Number of items on all pages."""
    next: str | None
    """Send this as `after` to get the next page; null on the last one."""


class SetSearchPage(TypedDict):
    """Sets by number or name, without values."""

    results: list[SetSearchResult]
    """Matches, best first."""
    pagination: Pagination
    """Position of this page in the list."""


class SetSearchResult(TypedDict):
    """A set that matches the search."""

    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    theme: str | None
    """Theme; null when unknown."""
    subtheme: str | None
    """Subtheme; null when there is none."""
    pieces: int | None
    """Number of pieces; null when unknown."""
    year: int | None
    """Year of release; null when unknown."""
    retired: bool
    """Whether the set is retired."""
    image_url: str | None
    """URL of a picture; null when unknown."""


class SetValueRange(TypedDict):
    """Expected range of the next ordinary sale in new condition, around `new_value_usd`; null
    without a value.
    """

    low: float
    """Lower end of the range."""
    high: float
    """Upper end of the range."""
    calculated_at: str
    """When the value was computed; never in the future."""


class SoldLine(TypedDict):
    """Something that is sold."""

    what: Literal["set", "minifigs", "rest", "parts"]
    """The `set`, its `minifigs`, the `rest` without them, or its `parts`."""
    units: int
    """How many; 1 for parts, which are one estimate."""
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
    )
    """The channel that leaves most; null if minifigures have several."""
    price_usd: float
    """The median price, including shipping; of parts, without it."""
    fees_usd: float
    """Platform, payment, fulfillment and storage fees."""
    postage_usd: float
    """Shipping and packaging."""


class SoldQuantile(TypedDict):
    """A measured quantile of past errors."""

    share: float
    """A share of ordinary sales."""
    quantile: float
    """The error that this share of sales exceeds, in units of the spread."""


class StorageRates(TypedDict):
    """Fees, shipping and FBA sizes with dates and sources."""

    standard_size_usd: float
    """Per cubic foot and month, for standard sizes."""
    larger_usd: float
    """Per cubic foot and month, for larger sizes."""


class Theme(TypedDict):
    """A theme and its number of sets."""

    theme: str
    """Name of the theme."""
    set_count: int
    """Number of sets in it."""


class ThemeList(TypedDict):
    """All themes, with the number of sets in each."""

    themes: list[Theme]
    """All themes, sorted by name."""


class TopGainer(TypedDict):
    """The set with the largest gain; null when there is none."""

    set_number: str | None
    """The set number; null when unknown."""
    title: str | None
    """Name of the set; null when unknown."""
    gain_pct: float | None
    """The gain as a percentage of cost; null when unknown."""


class TopLoser(TypedDict):
    """The set with the largest loss; null when there is none."""

    set_number: str | None
    """The set number; null when unknown."""
    title: str | None
    """Name of the set; null when unknown."""
    loss_pct: float | None
    """The loss as a percentage of cost; null when unknown."""


class Usage(TypedDict):
    """Calls your key has used today and on each of the last 30 days."""

    limit: int
    """Daily allowance of the key."""
    used: int
    """Calls counted against today's allowance."""
    remaining: int
    """Calls left until the reset."""
    reset: str
    """When the allowance resets: the next midnight UTC."""
    days: list[UsageDay]
    """The last 30 days, today last."""


class UsageDay(TypedDict):
    """One day."""

    date: str
    """The UTC date."""
    used: int
    """Calls your key used on that day."""


class ValuePoint(TypedDict):
    """Everything held on one day."""

    date: str
    """The date."""
    total_value_usd: float
    """Value of everything held on that day; at cost before its first value."""
    cost_basis_usd: float
    """Cost of everything held on that day."""
    gain_loss_usd: float
    """Value minus cost."""
    gain_loss_pct: float
    """Gain or loss as a percentage of cost; 0 when the cost is 0."""


class WatchedItem(TypedDict):
    """An item of a watchlist."""

    item_type: Literal["set", "minifig"]
    """Whether it is a set or a minifigure."""
    number: str
    """The canonical number."""
    title: str
    """Name of the item; its number if it is not published."""
    target_price_usd: float | None
    """The price you wait for; null if there is none."""
    note: str | None
    """Your note; null if there is none."""
    added_at: str
    """When it was added."""


class WatchedItemPage(TypedDict):
    """The items of a watchlist, with target prices and notes."""

    items: list[WatchedItem]
    """In the order they were added."""
    next: int
    """Send this as `after` in the next call."""
    has_more: bool
    """Whether there are more items after `next`."""


class Watchlist(TypedDict):
    """A watchlist."""

    id: int
    """ID of the watchlist."""
    name: str
    """Its name, which no other of your watchlists has."""
    item_count: int
    """Number of items on it."""
    created_at: str
    """When it was created."""


class WatchlistList(TypedDict):
    """Your watchlists."""

    watchlists: list[Watchlist]
    """By name."""


class WayToSell(TypedDict):
    """The result of one way."""

    way: Literal["sealed", "used", "minifigs", "parts"]
    """`sealed`; `used` and complete; `minifigs` one by one, with the rest as an incomplete set; or
    `parts` one by one.
    """
    sold: list[SoldLine]
    """The items sold."""
    revenue_usd: float
    """Sum of the prices."""
    fees_usd: float
    """Sum of the fees."""
    postage_usd: float
    """Sum of shipping and packaging."""
    hours: float
    """Hours of work, to the half hour."""
    work_usd: float
    """The same at your cost per hour."""
    net_usd: float
    """Revenue minus fees, shipping and work; below 0 if the way loses money."""
    profit_usd: float | None
    """Net minus your cost; null without `price_usd`."""
    uncertainty_usd: float
    """Standard deviation of the net, as far as values are uncertain."""
    half_days: float | None
    """Days until half of the money is in; null when unknown."""
    most_days: float | None
    """Days until nine tenths of it are; null when unknown."""
    data_tier: Literal["high", "medium", "low", "modeled"] | None
    """The worst tier of its values; null for `parts`."""
    rest_value_pct: float | None
    """For `minifigs`: value of the rest, as a percentage of the used value, 0 if it is not sold;
    null otherwise.
    """
    assumed: list[
        Literal[
            "opened_set",
            "rest_value",
            "one_of_each_minifig",
            "minifigs_without_value",
            "minifigs_left_in",
            "parts_share",
            "parts_time",
            "parts_orders",
            "lots",
        ],
    ]
    """Assumptions that are not learned from sales; may be empty."""


class WaysToSell(TypedDict):
    """The net of a set sold sealed, used, with its minifigures apart, or in parts."""

    set_number: str
    """The set number."""
    title: str
    """Name of the set."""
    condition: Literal["sealed", "used"]
    """The condition of the set in hand."""
    best: Literal["sealed", "used", "minifigs", "parts"] | None
    """The way with the highest net; null unless it beats the next one by more than their
    uncertainty.
    """
    no_best_reason: Literal["one_way", "all_lose", "modeled_value", "too_close"] | None
    """Why none is best; null if there is one, or no way at all."""
    loses_each_way: bool
    """Whether each way loses money; with `price_usd`, also after your cost."""
    ways: list[WayToSell]
    """In a fixed order."""
    missing: list[MissingWay]
    """Ways without a result."""
    parts: PartsEstimate | None
    """Our estimate of the revenue from the parts; null if no source has a recent value for them."""
    work: WorkTerms
    """Your account's settings for work."""


class Webhook(TypedDict):
    """A webhook."""

    id: int
    """ID of the webhook."""
    name: str
    """Its name."""
    url: str
    """The host and the beginning of the path; the rest is not shown."""
    state: Literal["active", "paused", "off"]
    """`active`; `paused` after the last attempt of a message failed, retried once a day; or `off`.
    """
    state_reason: str | None
    """Why it is paused or off; null also if you turned it off."""
    failing_since: str | None
    """When it began to fail; null while it works."""
    retry_at: str | None
    """The next attempt after a failure; null while it works."""
    kinds: list[
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
    """The kinds of market events that are sent; empty for none."""
    scope: Literal["all", "holdings", "watch"]
    """Which events of these kinds are sent."""
    position: int | None
    """Position of the last event that was queued; null if it gets no events."""
    notices: list[Literal["quota.reached", "key.expiring", "bulk.ready"]]
    """The kinds of notices about your account that are sent; empty for none."""
    created_at: str
    """When it was added."""
    last_delivery: WebhookDelivery | None
    """The latest message; null if there was none in the last 30 days."""


class WebhookDelivery(TypedDict):
    """A message to a webhook."""

    message_id: str
    """The `webhook-id` of the message."""
    type: str
    """The `type` of the message."""
    created_at: str
    """When it was queued."""
    state: Literal["waiting", "done", "given_up"]
    """`waiting` for an attempt, `done` when it was accepted, or `given_up`."""
    attempts: int
    """Attempts so far."""
    attempted_at: str | None
    """The last attempt; null before the first."""
    response_status: int | None
    """HTTP status of the last response; null if there was none."""
    response: str | None
    """The beginning of the last response, or why there was none; null before the first."""


class WebhookList(TypedDict):
    """Your webhooks with their state."""

    webhooks: list[Webhook]
    """Oldest first."""


class WebhookSecret(TypedDict):
    """A new signing secret."""

    secret: str
    """The new signing secret, which no other call returns."""
    old_secret_until: str
    """Until then, messages are also signed with the old secret."""


class WorkTerms(TypedDict):
    """Your account's settings for work."""

    hour_usd: float
    """Cost per hour."""
    seconds_per_lot: int
    """Seconds to list a lot."""
    seconds_per_piece: int
    """Seconds to sort a piece."""


class CreatedWebhook(Webhook):
    """A new webhook with its signing secret."""

    secret: str | None
    """The signing secret, which no other call returns; null if the webhook existed."""


class FoundEvidence(Evidence):
    """The evidence for the values of an item."""

    found: Literal[True]
    """Always true: the item exists."""


class FoundHistory(History):
    """The history of a set."""

    found: Literal[True]
    """Always true: the item exists."""


class FoundMaxBuy(MaxBuy):
    """The max buy price of an item."""

    found: Literal[True]
    """Always true: the item exists."""


class FoundMinifig(Minifig):
    """A minifigure that was found."""

    found: Literal[True]
    """Always true: the item exists."""


class FoundRetailHistory(RetailHistory):
    """The retail history of a set. For earlier changes, send `next` to its own history."""

    found: Literal[True]
    """Always true: the item exists."""


class FoundSet(Set):
    """A set that was found."""

    found: Literal[True]
    """Always true: the item exists."""
