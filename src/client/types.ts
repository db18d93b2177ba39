/**
 * The records, queries and error codes of both APIs, as types. Made from the contract by `npm run
 * docs`.
 */

/** A code that an error has. */
export type ErrorCode =
  | 'BadRequest'
  | 'MissingApiKey'
  | 'InvalidApiKey'
  | 'TierRequired'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'QuotaExceeded'
  | 'InternalError'
  | 'TooManyStreams';

/** Value and cost of the caller's holdings over time. */
export interface Analytics {
  /** The period that the history covers. */
  period: '30d' | '90d' | '1y';
  /** The holdings today. */
  summary: AnalyticsSummary;
  /** 30d and 90d daily, 1y weekly; the last point is today. */
  value_history: ValuePoint[];
}

/** The holdings today. */
export interface AnalyticsSummary {
  /** Distinct sets held. */
  total_sets: number;
  /** Units held. */
  total_items: number;
  /** What they cost. */
  total_cost_basis_usd: number;
  /** What they are worth now. */
  total_current_value_usd: number;
  /** Value less cost. */
  unrealized_gain_loss_usd: number;
  /** That gain in percent of the cost. */
  unrealized_gain_loss_pct: number;
  /** The set with the largest gain; null when there is none. */
  top_gainer: TopGainer | null;
  /** The set with the largest loss; null when there is none. */
  top_loser: TopLoser | null;
}

/** Barcodes on the box. */
export interface Barcodes {
  /** 12-digit UPC; null when unknown. */
  upc: string | null;
  /** 13-digit EAN; null when unknown. */
  ean: string | null;
}

/** Up to 100 sets and minifigures at once. */
export interface Batch {
  /** One element per requested set, in the requested order. */
  sets: (FoundSet | MissingSet)[];
  /** One element per requested minifigure, in the requested order. */
  minifigs: (FoundMinifig | MissingMinifig)[];
  /** How many items were asked for and found. */
  summary: BatchSummary;
}

/** What `getBatch` can be asked for. */
export interface BatchRequest {
  /** Set numbers; with those of minifigures, at most 100 unique ones. */
  readonly sets?: readonly string[] | null | undefined;
  /** Minifigure numbers; with those of sets, at most 100 unique ones. */
  readonly minifigs?: readonly string[] | null | undefined;
}

/** How many items were asked for and found. */
export interface BatchSummary {
  /** Unique items asked for. */
  requested: number;
  /** Items found. */
  found: number;
}

/** Size and weight of the sealed box. */
export interface Box {
  /** Width in inches; null when unknown. */
  width_in: number | null;
  /** Height in inches; null when unknown. */
  height_in: number | null;
  /** Depth in inches; null when unknown. */
  depth_in: number | null;
  /** Weight in pounds; null when unknown. */
  weight_lbs: number | null;
}

/** A collection and its totals. */
export interface Brickfolio {
  /** Identifier of the collection. */
  id: number;
  /** Its name. */
  name: string;
  /** What it is for; null when not said. */
  description: string | null;
  /** Whether new lots go here unless another is named. */
  is_default: boolean;
  /** Distinct sets held. */
  owned_set_count: number;
  /** Units held. */
  owned_item_count: number;
  /** What the units held cost. */
  total_cost_basis_usd: number;
  /** What they are worth now. */
  total_current_value_usd: number;
  /** Value less cost. */
  unrealized_gain_loss_usd: number;
  /** When the collection was made. */
  created_at: string;
}

/** The caller's collections. */
export interface BrickfolioList {
  /** Default first, then by name. */
  brickfolios: Brickfolio[];
  /** Months of purchase, oldest first. */
  monthly_periods: MonthlyPeriod[];
}

/** One change. */
export interface BulkChange {
  /** What kind of document it is. */
  type: 'sets' | 'minifigs' | 'months' | 'retail';
  /** The canonical number of the set or minifigure. */
  number: string;
  /** The whole document as it is now, as in a file; null: it is gone. */
  document: Record<string, unknown> | null;
}

/** What has changed since the files were made. */
export interface BulkChangePage {
  /** In the order in which they were published. */
  changes: BulkChange[];
  /** What to give as `after` to `GET /bulk/changes`. Not a position of events. */
  next: string;
  /** Whether there is more after `next` already. */
  has_more: boolean;
}

/** One file. */
export interface BulkFile {
  /** What kind of document it is. */
  type: 'sets' | 'minifigs' | 'months' | 'retail';
  /** Where to load it: a path on this server, with the same key. */
  url: string;
  /** Size of the file. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /** What to give as `after` to `GET /bulk/changes`. Not a position of events. */
  position: string;
  /** When it was finished. */
  created_at: string;
}

/** Files with everything that is published. */
export interface BulkFileList {
  /** One of each type; none before they were made for the first time. */
  files: BulkFile[];
}

/** One way to sell a unit. */
export interface ChannelQuote {
  /** Where it is sold; `fba` is Amazon with fulfillment by Amazon. */
  channel:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba';
  /** Whether its prices were not learned, but taken from other channels. */
  assumed: boolean;
  /** Price that `share` of ordinary sales reach, delivered and without tax. */
  price_usd: number;
  /** Fees of the platform, of the payment and of fulfillment. */
  fees_usd: number;
  /** Postage and packing; 0 for `fba` and `local`. */
  postage_usd: number;
  /** Price less fees and postage. */
  net_usd: number;
  /** The most to pay for a unit; null when there is no such price. */
  max_buy_usd: number | null;
  /** Median days until it sells; null when not known. */
  wait_days: number | null;
}

/** One channel. */
export interface ChannelSales {
  /** How the sales were made. */
  channel: 'fixed' | 'auction' | 'bricklink' | 'amazon' | 'other' | 'unknown';
  /** Sales that count. */
  sales: number;
  /** By how much prices there are above those at a fixed price. */
  offset_pct: number;
}

/** One condition. */
export interface ConditionEvidence {
  /** Value in this condition; null when there is none. */
  value_usd: number | null;
  /** Where the next ordinary sale is expected. */
  range: EvidenceRange | null;
  /** Sales that count, by how long ago they were made. */
  sales: SalesByWindow | null;
  /** Sales of this condition, by what became of them. */
  rows: OutcomeCounts;
  /** The same with reasons, by outcome. */
  reasons: ReasonCount[];
}

/** One set at one retailer. */
export interface Deal {
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme of the set. */
  theme: string;
  /** The retailer. */
  retailer: 'retailer_a' | 'retailer_b';
  /** The price now. */
  price_usd: number;
  /** Max buy price; the price is not above it. */
  max_buy_usd: number;
  /** Where to sell it. */
  best_channel:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba';
  /** Net at the price that half of the sales reach. */
  net_usd: number;
  /** Net less cost. */
  profit_usd: number;
  /** Profit on cost, in percent. */
  roi_pct: number;
  /** Median days until it sells there; null when not known. */
  wait_days: number | null;
  /** Profit per month until it sells, at least one month; null without `wait_days`. */
  profit_per_month_usd: number | null;
  /** What to check before you buy. */
  warnings: (
    | 'stale_price'
    | 'unknown_stock'
    | 'third_party_seller'
    | 'unknown_seller'
    | 'high_roi'
    | 'cheaper_recently'
    | 'often_discounted'
    | 'low_tier'
    | 'guessed_postage'
  )[];
  /** When the price was seen. */
  observed_at: string;
  /** Page of the product; null when unknown. */
  product_url: string | null;
}

/** Offers of retailers below your max buy price. */
export interface DealPage {
  /** The most profit per month first. */
  deals: Deal[];
  /** Where this page lies in the list. */
  pagination: Pagination;
}

/** Units of one item in one condition. */
export interface EvaluateItem {
  /** A set number; give either this or `minifig`. */
  readonly set?: string | undefined;
  /** A minifigure number; give either this or `set`. */
  readonly minifig?: string | undefined;
  /** The condition; without it, `sealed` for a set and `used` for a minifigure. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /** How many of it; what is named twice is added up. */
  readonly quantity?: number | undefined;
}

/** What `evaluateBox` can be asked for. */
export interface EvaluateRequest {
  /** What is in the box; up to 100 unique items and 100,000 units. */
  readonly items: readonly EvaluateItem[];
  /** What the whole box costs, tax and shipping included. At most 2 decimals. */
  readonly cost_usd?: number | undefined;
  /** Share of ordinary sales that are expected to reach the price. At most 4 decimals. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. At most 2 decimals. */
  readonly margin_pct?: number | undefined;
}

/** One item in one condition. */
export interface EvaluatedItem {
  /** What kind of item it is. */
  item_type: 'set' | 'minifig';
  /** The canonical number; as it was sent where there is no such item. */
  number: string;
  /** Name of the item; null where there is no such item. */
  title: string | null;
  /** The condition of the units. */
  condition: 'sealed' | 'used';
  /** How many of it. */
  quantity: number;
  /** Whether there is such an item. */
  found: boolean;
  /** Value of one unit; null when there is none. */
  unit_value_usd: number | null;
  /** Value of all units; null when there is none. */
  total_value_usd: number | null;
  /** How well sales support the value; null without one. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /** Share of the cost of the box; null when no cost was given. */
  cost_usd: number | null;
}

/** What a box of sets and minifigures is worth. */
export interface Evaluation {
  /** Each item and condition once, in the order in which they were first named. */
  items: EvaluatedItem[];
  /** The box as a whole. */
  summary: EvaluationSummary;
}

/** The box as a whole. */
export interface EvaluationSummary {
  /** Units in the box. */
  units: number;
  /** Units that have a value. */
  units_valued: number;
  /** Sum of the values of all units. */
  sum_of_values_usd: number;
  /** Nine out of ten times it sells for more; null when nothing has a value. */
  low_usd: number | null;
  /** Half of the time it sells for more; null when nothing has a value. */
  median_usd: number | null;
  /** One out of ten times it sells for more; null when nothing has a value. */
  high_usd: number | null;
  /** The most to pay for the box; null when there is no such price. */
  max_bid_usd: number | null;
  /** Where to sell all of it; null when there is no max bid. */
  best_channel:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba'
    | null;
  /** Net at even odds of the units that the bid counts, less the cost; null without either. */
  profit_usd: number | null;
}

/** Published fields, and only those that the event is about. */
export interface EventDetails {
  /** Price at the retailer; the last one when there is no offer. */
  price_usd?: number;
  /** By how many percent the price changed. */
  change_pct?: number;
  /** Whether the price is the lowest ever seen. */
  at_lowest?: boolean;
  /** The lowest price ever seen. */
  lowest_usd?: number;
  /** By how many percent the price is below the new value; negative above it. */
  below_value_pct?: number;
  /** Who sells, once that is confirmed. */
  seller_type?: 'retailer' | 'third_party';
  /** Whether it can be bought. */
  in_stock?: boolean;
  /** Value of a new set. */
  new_value_usd?: number;
  /** Value of a used set. */
  used_value_usd?: number;
  /** Value of a minifigure. */
  current_value_usd?: number;
  /** How well sales support the value. */
  data_tier?: 'high' | 'medium' | 'low' | 'modeled';
  /** 1 announced, 2 available, 3 retiring soon, 4 retired. */
  status_id?: number;
  /** The month, as YYYY-MM; of a restatement, the first one. */
  month?: string;
  /** Sales of new sets in the month that support the value. */
  new_sales_count?: number;
  /** Sales of used sets in the month that support the value. */
  used_sales_count?: number;
  /** Why history was restated, or why the deal is over. */
  reason?: string;
  /** The most to pay at the usual terms. */
  max_buy_usd?: number;
  /** Where it is best sold. */
  best_channel?:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba';
  /** Net there at the price that half of the sales are above. */
  net_usd?: number;
  /** Net less cost. */
  profit_usd?: number;
  /** Profit on cost, in percent. */
  roi_pct?: number;
  /** Median days until it sells there. */
  wait_days?: number | null;
  /** What to look at before buying. */
  warnings?: (
    | 'stale_price'
    | 'unknown_stock'
    | 'third_party_seller'
    | 'unknown_seller'
    | 'high_roi'
    | 'cheaper_recently'
    | 'often_discounted'
    | 'low_tier'
    | 'guessed_postage'
  )[];
}

/** What happened in the market. */
export interface EventPage {
  /** In order of position. */
  events: MarketEvent[];
  /** What to give as `after` next. */
  next: number;
  /** Whether there is more after `next` already. */
  has_more: boolean;
}

/** What a set's values are based on. */
export interface Evidence {
  /** What kind of item it is. */
  item_type: 'set' | 'minifig';
  /** The canonical number. */
  number: string;
  /** Name of the item. */
  title: string;
  /** How well sales support the values. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** What the tier is decided by. */
  tier_reasons: string[];
  /** One condition. */
  sealed: ConditionEvidence;
  /** One condition. */
  used: ConditionEvidence;
  /** Sales that count in both conditions, by channel. */
  channels: ChannelSales[];
  /** Version of the engine that computed the values. */
  engine: string | null;
  /** The learned parameters that it used. */
  parameters: string | null;
  /** Hash of everything that the values were computed from. */
  input_hash: string | null;
  /** When the values were computed. */
  calculated_at: string | null;
}

/** Where the next ordinary sale is expected. */
export interface EvidenceRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
}

/** What `findRetailPrices` can be asked for. */
export interface FindRetailPricesQuery {
  /** A set number. */
  readonly set?: string | undefined;
  /** Retailer A's product identifier. */
  readonly asin?: string | undefined;
  /** A UPC or EAN. */
  readonly upc?: string | undefined;
}

/** A minifigure that was found. */
export interface FoundMinifig {
  /** The minifigure number, such as `sw0001a`. */
  minifig_number: string;
  /** Name of the minifigure. */
  name: string;
  /** Category; null when unknown. */
  category: string | null;
  /** Main colour; only present where it is known. */
  color?: string;
  /** Year of release; null when unknown. */
  year_released: number | null;
  /** Picture; null when unknown. */
  image_url: string | null;
  /** Computed market value; null without any sale. */
  current_value_usd: number | null;
  /** Where the next ordinary sale is expected; low ≤ current_value_usd ≤ high. */
  value_range: MinifigValueRange | null;
  /** Number of sets it appears in. */
  set_count: number;
  /** Numbers of the sets it appears in, in order of number. */
  sets: string[];
  /** The item exists. */
  found: true;
}

/** A set that was found. */
export interface FoundSet {
  /** The set number: bare for variant 1 (`75192`), `N-k` for other variants. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme, such as `Castle`. */
  theme: string;
  /** Subtheme; null when there is none. */
  subtheme: string | null;
  /** Number of pieces; 0 when the source says so, null when unknown. */
  pieces: number | null;
  /** Count of minifigures. */
  minifigs_count: number;
  /** Numbers of the minifigures in the set, in order of number. */
  minifigs: string[];
  /** Barcodes on the box. */
  barcodes: Barcodes;
  /** Recommended retail price; null when unknown. */
  msrp_usd: number | null;
  /** First day of sale; null when unknown. */
  release_date: string | null;
  /** Last day of production; null until that day has passed. */
  retire_date: string | null;
  /** 1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired. */
  status_id: number;
  /** How well sales support the value. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** Picture of the set; null when unknown. */
  image_url: string | null;
  /** Computed value, new and sealed; null when nothing is known. */
  new_value_usd: number | null;
  /** Computed value, used and complete; null when nothing is known. */
  used_value_usd: number | null;
  /** Where the next ordinary sale in new condition is expected; low ≤ new_value_usd ≤ high. */
  value_range: SetValueRange | null;
  /** Retailers that ever had a price for the set, `retailer_a` first. */
  retailers: RetailerSummary[];
  /** Size and weight of the sealed box. */
  box: Box;
  /** The item exists. */
  found: true;
}

/** What `getAnalytics` can be asked for. */
export interface GetAnalyticsQuery {
  /** How far back the history goes. */
  readonly period?: '30d' | '90d' | '1y' | undefined;
}

/** What `getBulkFile` can be asked for. */
export interface GetBulkFileQuery {
  /** The file made at this position; without it, the latest one. */
  readonly position?: string | undefined;
}

/** What `getMaxBuy` can be asked for. */
export interface GetMaxBuyQuery {
  /** A set number; give either this or `minifig`. */
  readonly set?: string | undefined;
  /** A minifigure number; give either this or `set`. */
  readonly minifig?: string | undefined;
  /** The condition; without it, `sealed` for a set and `used` for a minifigure. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /** Share of ordinary sales that are expected to reach the price. At most 4 decimals. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. At most 2 decimals. */
  readonly margin_pct?: number | undefined;
  /** Only this channel; without it, all of them. */
  readonly channel?:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba'
    | undefined;
}

/** What `getSetHistory` can be asked for. */
export interface GetSetHistoryQuery {
  /** The condition that the values are for. */
  readonly condition?: 'sealed' | 'used' | undefined;
}

/** Finalized monthly values of a set. */
export interface History {
  /** The set number. */
  set_number: string;
  /** The condition that the values are for. */
  condition: 'sealed' | 'used';
  /** Finalized months, oldest first. */
  history: HistoryPoint[];
}

/** One finalized month. */
export interface HistoryPoint {
  /** The month, as YYYY-MM. */
  month: string;
  /** Value at the end of the month; null before the first sale. */
  value_usd: number | null;
  /** Lower end of the range; null before the first sale. */
  range_low: number | null;
  /** Upper end of the range; null before the first sale. */
  range_high: number | null;
  /** Sales in the month that support the value. */
  sales_count: number | null;
  /** What happened in the month. */
  event: 'released' | 'retired' | 'price_jump_up' | 'price_jump_down' | null;
}

/** A lot of one set. */
export interface Holding {
  /** The collection it is in. */
  brickfolio_id: number;
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme of the set. */
  theme: string;
  /** Units left in the lot. */
  quantity: number;
  /** Condition of the units. */
  condition: 'sealed' | 'used';
  /** Price paid per unit. */
  purchase_price_usd: number;
  /** Day of purchase. */
  purchase_date: string;
  /** `owned`, or `listed` when also offered for sale. */
  status: 'owned' | 'listed';
  /** Value of one unit now; the purchase price when it is not known. */
  current_value_usd: number;
  /** Value of all units left. */
  total_current_value_usd: number;
  /** Value less cost. */
  unrealized_gain_loss_usd: number;
  /** That gain in percent of the cost. */
  unrealized_gain_loss_pct: number;
}

/** The caller's holdings. */
export interface HoldingPage {
  /** Newest purchase first. */
  entries: Holding[];
  /** Where this page lies in the list. */
  pagination: Pagination;
}

/** What `listBulkChanges` can be asked for. */
export interface ListBulkChangesQuery {
  /** Only changes after this position; without it, none: `next` is the latest one. */
  readonly after?: string | undefined;
  /** Only documents of these types, separated by commas. */
  readonly types?: string | readonly string[] | undefined;
  /** Changes in an answer at most. */
  readonly limit?: number | undefined;
}

/** What `listDeals` can be asked for. */
export interface ListDealsQuery {
  /** Only at this retailer. */
  readonly retailer?: 'retailer_a' | 'retailer_b' | undefined;
  /** Only sets of this theme, written exactly as in `theme` of a set. */
  readonly theme?: string | undefined;
  /** Only sets with this `status_id`. */
  readonly status_id?: number | undefined;
  /** The weakest data tier that is good enough. */
  readonly min_tier?: 'low' | 'medium' | 'high' | undefined;
  /** Only deals with at least this profit. At most 2 decimals. */
  readonly min_profit_usd?: number | undefined;
  /** Only deals with at least this return on cost, in percent. At most 2 decimals. */
  readonly min_roi_pct?: number | undefined;
  /** Only offers of at most this price. At most 2 decimals. */
  readonly max_price_usd?: number | undefined;
  /** Share of ordinary sales that are expected to reach the price. At most 4 decimals. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. At most 2 decimals. */
  readonly margin_pct?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** How many elements to skip; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** What `listEntries` can be asked for. */
export interface ListEntriesQuery {
  /** Only this collection. */
  readonly brickfolio_id?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** How many elements to skip; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** What `listEvents` can be asked for. */
export interface ListEventsQuery {
  /** Only events after this position; without it, none: `next` is the latest one. */
  readonly after?: number | undefined;
  /** Only events of these kinds, separated by commas. */
  readonly kinds?: string | readonly string[] | undefined;
  /**
   * `holdings`: only events of sets that the caller holds. `watch`: only events of sets and
   * minifigs on a watch list of the caller.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** What `listRetailWatch` can be asked for. */
export interface ListRetailWatchQuery {
  /** Only sets whose price at either retailer changed within these minutes, hours or days. */
  readonly changed_within?: string | undefined;
  /** Only sets whose price at either retailer changed at or after this instant. */
  readonly since?: string | Date | undefined;
  /** Only these ASINs, separated by commas. */
  readonly asin?: string | readonly string[] | undefined;
  /** Only these UPCs or EANs, separated by commas. */
  readonly upc?: string | readonly string[] | undefined;
}

/** What `listSales` can be asked for. */
export interface ListSalesQuery {
  /** Page size. */
  readonly limit?: number | undefined;
  /** How many elements to skip; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** One event. */
export interface MarketEvent {
  /** Grows from event to event, in the order of publication, with gaps. */
  position: number;
  /** When it was published. */
  at: string;
  /** What happened. */
  kind:
    | 'retail.price'
    | 'retail.low'
    | 'retail.flip'
    | 'retail.stock'
    | 'value.move'
    | 'value.tier'
    | 'set.status'
    | 'history.month'
    | 'history.restated'
    | 'deal.open'
    | 'deal.close';
  /** What it happened to; null: to the whole market. */
  item_type: 'set' | 'minifig' | null;
  /** The canonical number. */
  number: string | null;
  /** Name of the item; null also when it is not published any more. */
  title: string | null;
  /** The retailer where there is one. */
  retailer: 'retailer_a' | 'retailer_b' | null;
  /** Published fields, and only those that the event is about. */
  before: EventDetails;
  /** Published fields, and only those that the event is about. */
  after: EventDetails;
}

/** Max buy price of one unit. */
export interface MaxBuy {
  /** What kind of item it is. */
  item_type: 'set' | 'minifig';
  /** The canonical number. */
  number: string;
  /** Name of the item. */
  title: string;
  /** The condition that it is bought and sold in. */
  condition: 'sealed' | 'used';
  /** As asked for. */
  share: number;
  /** As asked for. */
  margin_pct: number;
  /** Value in this condition; null when there is none. */
  value_usd: number | null;
  /** How well sales support the value; null without one. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /** Sales expected in a month; null when not known. */
  sales_per_month: number | null;
  /** Median days until it sells in the best channel. */
  wait_days: number | null;
  /** The channel with the highest max buy price; only one with learned prices, or `channel`. */
  best_channel:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other'
    | 'fba'
    | null;
  /** Why there is no answer; null when there is one. */
  reason: 'no_value' | 'modeled_value' | 'unknown_box' | 'nothing_left' | null;
  /** Every way to sell it, in a fixed order. */
  channels: ChannelQuote[];
}

/** A minifigure with its computed market value. */
export interface Minifig {
  /** The minifigure number, such as `sw0001a`. */
  minifig_number: string;
  /** Name of the minifigure. */
  name: string;
  /** Category; null when unknown. */
  category: string | null;
  /** Main colour; only present where it is known. */
  color?: string;
  /** Year of release; null when unknown. */
  year_released: number | null;
  /** Picture; null when unknown. */
  image_url: string | null;
  /** Computed market value; null without any sale. */
  current_value_usd: number | null;
  /** Where the next ordinary sale is expected; low ≤ current_value_usd ≤ high. */
  value_range: MinifigValueRange | null;
  /** Number of sets it appears in. */
  set_count: number;
  /** Numbers of the sets it appears in, in order of number. */
  sets: string[];
}

/** Search minifigures by number or name. */
export interface MinifigSearchPage {
  /** Matches, best first. */
  results: MinifigSearchResult[];
  /** Where this page lies in the list. */
  pagination: Pagination;
}

/** A minifigure that matches the search. */
export interface MinifigSearchResult {
  /** The minifigure number. */
  minifig_number: string;
  /** Name of the minifigure. */
  name: string;
  /** Category; null when unknown. */
  category: string | null;
  /** Year of release; null when unknown. */
  year_released: number | null;
  /** Picture; null when unknown. */
  image_url: string | null;
}

/** Where the next ordinary sale is expected; low ≤ current_value_usd ≤ high. */
export interface MinifigValueRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
}

/** A minifigure that does not exist. */
export interface MissingMinifig {
  /** The number as it was sent. */
  minifig_number: string;
  /** There is no such item. */
  found: false;
}

/** A set that does not exist. */
export interface MissingSet {
  /** The number as it was sent. */
  set_number: string;
  /** There is no such item. */
  found: false;
}

/** What was bought in one month. */
export interface MonthlyPeriod {
  /** Month of purchase, as YYYY-MM. */
  month: string;
  /** Lots bought in it that have units left. */
  entry_count: number;
  /** Units of them that are left. */
  items: number;
  /** What those units cost; null when no price is known. */
  cost_basis_usd: number | null;
}

/** Sales of this condition, by what became of them. */
export interface OutcomeCounts {
  /** Sales that were accepted. */
  accepted: number;
  /** Sales that were down-weighted. */
  down_weighted: number;
  /** Sales that were quarantined. */
  quarantined: number;
  /** Sales that were rejected. */
  rejected: number;
}

/** Where this page lies in the list. */
export interface Pagination {
  /** Length of the whole list. */
  total: number;
  /** Page size that was used. */
  limit: number;
  /** Place of the first element of this page. */
  offset: number;
  /** Whether there are elements after this page. */
  has_more: boolean;
}

/** What one retailer asks. */
export interface PriceBlock {
  /** Current price; null when there is no offer. */
  price: number | null;
  /** `retailer`: the retailer sells it; `third_party`: only others do; null: no offer. */
  sellerType: 'retailer' | 'third_party' | null;
  /** When the price last differed by a cent or more; returning at the same is none. */
  changedAt: string | null;
  /** The signed size of that change. */
  lastChange: number | null;
  /** The latest confirmed change of seller was retailer → third party. */
  flip1pTo3p: boolean;
  /** The price is the lowest ever seen, after a higher one was seen. */
  atLowest: boolean;
  /** The lowest price ever seen. */
  lowest: number | null;
  /** Whether it can be bought now; null when not known. */
  inStock: boolean | null;
}

/** Sales with the same outcome for the same reason. */
export interface ReasonCount {
  /** What became of these sales. */
  outcome: 'accepted' | 'down_weighted' | 'quarantined' | 'rejected';
  /** Why, as a code; null for ordinary sales. */
  reason: string | null;
  /** Number of these sales. */
  count: number;
}

/** What selling it through retailer A would bring. */
export interface RetailExit {
  /** Lowest offer of a seller whose orders the retailer fulfills. */
  lowestFba: number | null;
  /** Number of such sellers. */
  fbaSellers: number | null;
  /** The featured price. */
  buyBox: number | null;
  /** `lowestFba`, else `buyBox`, less referral and fulfillment fees. */
  netFba: number | null;
}

/** One set at both retailers. */
export interface RetailRow {
  /** The set number. */
  setNumber: string;
  /** Name of the set. */
  name: string;
  /** Retailer A's product identifier; null when unknown. */
  asin: string | null;
  /** 12-digit UPC; null when unknown. */
  upc: string | null;
  /** 13-digit EAN; null when unknown. */
  ean: string | null;
  /** The caller's average unit cost over lots still held; only for sets they hold. */
  paid?: number;
  /** What one retailer asks. */
  retailer_a: PriceBlock;
  /** What one retailer asks. */
  retailer_b: PriceBlock;
  /** What selling it through retailer A would bring. */
  retailer_aExit: RetailExit;
}

/** What one retailer asks for the set. */
export interface RetailerSummary {
  /** Identifier of the retailer. */
  retailer: 'retailer_a' | 'retailer_b';
  /** Display name of the retailer. */
  retailer_name: string;
  /** The latest known price; it stays when there is no offer any more. */
  current_price: number;
  /** List price: the one the retailer shows, else the MSRP, else the price. */
  list_price: number;
  /** How far the price is below the list price; never below 0. */
  discount_percent: number;
  /** Whether the retailer offers it now. */
  in_stock: boolean;
  /** Whether the retailer itself sells it, not a third party. */
  is_first_party: boolean;
  /** Page of the product; null when unknown. */
  product_url: string | null;
  /** When the price was last observed. */
  last_checked_at: string;
}

/** A recorded sale. */
export interface Sale {
  /** Identifier of the sale. */
  id: number;
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Where it was sold. */
  platform:
    | 'ebay'
    | 'bricklink'
    | 'brick_owl'
    | 'amazon'
    | 'facebook'
    | 'mercari'
    | 'whatnot'
    | 'local'
    | 'other';
  /** Day of the sale. */
  sale_date: string;
  /** Units sold. */
  quantity: number;
  /** What the buyer paid. */
  gross_proceeds_usd: number;
  /** Fees of the platform. */
  platform_fees_usd: number;
  /** Fees of the payment. */
  payment_fees_usd: number;
  /** What shipping cost the seller. */
  shipping_cost_usd: number;
  /** Gross less fees and shipping. */
  net_proceeds_usd: number;
  /** Net less cost. */
  profit_loss_usd: number;
  /** Profit in percent of the cost; null when the cost is 0. */
  roi_pct: number | null;
}

/** The caller's recorded sales. */
export interface SalePage {
  /** Newest first. */
  sales: Sale[];
  /** Where this page lies in the list. */
  pagination: Pagination;
}

/** Sales that count, by how long ago they were made. */
export interface SalesByWindow {
  /** In the last 30 days. */
  days_30: number;
  /** In the last 90 days. */
  days_90: number;
  /** In the last 180 days. */
  days_180: number;
  /** In the last 365 days. */
  days_365: number;
  /** Since the first one. */
  ever: number;
}

/** What `searchMinifigs` can be asked for. */
export interface SearchMinifigsQuery {
  /** Words that must all occur in the number or the name. */
  readonly q: string;
  /** Page size. */
  readonly limit?: number | undefined;
  /** How many elements to skip; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** What `searchSets` can be asked for. */
export interface SearchSetsQuery {
  /** Words that must all occur in the number or the name. */
  readonly q: string;
  /** Page size. */
  readonly limit?: number | undefined;
  /** How many elements to skip; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** A set with its computed market values. */
export interface Set {
  /** The set number: bare for variant 1 (`75192`), `N-k` for other variants. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme, such as `Castle`. */
  theme: string;
  /** Subtheme; null when there is none. */
  subtheme: string | null;
  /** Number of pieces; 0 when the source says so, null when unknown. */
  pieces: number | null;
  /** Count of minifigures. */
  minifigs_count: number;
  /** Numbers of the minifigures in the set, in order of number. */
  minifigs: string[];
  /** Barcodes on the box. */
  barcodes: Barcodes;
  /** Recommended retail price; null when unknown. */
  msrp_usd: number | null;
  /** First day of sale; null when unknown. */
  release_date: string | null;
  /** Last day of production; null until that day has passed. */
  retire_date: string | null;
  /** 1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired. */
  status_id: number;
  /** How well sales support the value. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** Picture of the set; null when unknown. */
  image_url: string | null;
  /** Computed value, new and sealed; null when nothing is known. */
  new_value_usd: number | null;
  /** Computed value, used and complete; null when nothing is known. */
  used_value_usd: number | null;
  /** Where the next ordinary sale in new condition is expected; low ≤ new_value_usd ≤ high. */
  value_range: SetValueRange | null;
  /** Retailers that ever had a price for the set, `retailer_a` first. */
  retailers: RetailerSummary[];
  /** Size and weight of the sealed box. */
  box: Box;
}

/** Search sets by number or name. */
export interface SetSearchPage {
  /** Matches, best first. */
  results: SetSearchResult[];
  /** Where this page lies in the list. */
  pagination: Pagination;
}

/** A set that matches the search. */
export interface SetSearchResult {
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme; null when unknown. */
  theme: string | null;
  /** Subtheme; null when there is none. */
  subtheme: string | null;
  /** Number of pieces; null when unknown. */
  pieces: number | null;
  /** Year of release; null when unknown. */
  year: number | null;
  /** Whether the set is retired. */
  retired: boolean;
  /** Picture; null when unknown. */
  image_url: string | null;
}

/** Where the next ordinary sale in new condition is expected; low ≤ new_value_usd ≤ high. */
export interface SetValueRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
  /** When the value was computed; never in the future. */
  calculated_at: string;
}

/** What `streamEvents` can be asked for. */
export interface StreamEventsQuery {
  /** Only events after this position; without it, only what happens from now on. */
  readonly after?: number | undefined;
  /** Only events of these kinds, separated by commas. */
  readonly kinds?: string | readonly string[] | undefined;
  /**
   * `holdings`: only events of sets that the caller holds. `watch`: only events of sets and
   * minifigs on a watch list of the caller.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** How many events are written at a time; the stream goes on after them. */
  readonly limit?: number | undefined;
}

/** A theme. */
export interface Theme {
  /** Name of the theme. */
  theme: string;
  /** Number of sets in it. */
  set_count: number;
}

/** All themes. */
export interface ThemeList {
  /** All themes, by name. */
  themes: Theme[];
}

/** The set with the largest gain; null when there is none. */
export interface TopGainer {
  /** The set number. */
  set_number: string | null;
  /** Name of the set. */
  title: string | null;
  /** The gain in percent of the cost. */
  gain_pct: number | null;
}

/** The set with the largest loss; null when there is none. */
export interface TopLoser {
  /** The set number. */
  set_number: string | null;
  /** Name of the set. */
  title: string | null;
  /** The loss in percent of the cost. */
  loss_pct: number | null;
}

/** Calls of the key, today and by day. */
export interface Usage {
  /** Daily allowance of the key. */
  limit: number;
  /** Calls counted against today's allowance. */
  used: number;
  /** Calls left until the reset. */
  remaining: number;
  /** When the allowance is whole again: the next midnight UTC. */
  reset: string;
  /** The last 30 days, today last. */
  days: UsageDay[];
}

/** One day. */
export interface UsageDay {
  /** The day, in UTC. */
  date: string;
  /** Calls of this key. */
  used: number;
}

/** The holdings on one day. */
export interface ValuePoint {
  /** The day. */
  date: string;
  /** Value of what was held. */
  total_value_usd: number;
  /** Cost of what was held. */
  cost_basis_usd: number;
  /** Value less cost. */
  gain_loss_usd: number;
  /** That gain in percent of the cost. */
  gain_loss_pct: number;
}

/** Unique sets and minifigures in one call, together. */
export const batchItemsMax = 100;
