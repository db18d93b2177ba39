/**
 * The records, queries and error codes of both APIs, as types. Made from the contract by `npm run
 * docs`.
 */

/** An error code. */
export type ErrorCode =
  | 'BadRequest'
  | 'MissingApiKey'
  | 'InvalidApiKey'
  | 'TierRequired'
  | 'ScopeRequired'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'QuotaExceeded'
  | 'InternalError'
  | 'Conflict'
  | 'TooManyRequests'
  | 'TooManyStreams';

/** A channel to sell on. */
export type SellingChannel =
  | 'ebay'
  | 'bricklink'
  | 'brick_owl'
  | 'amazon'
  | 'walmart'
  | 'facebook'
  | 'mercari'
  | 'whatnot'
  | 'local'
  | 'other'
  | 'fba';

/** A platform of recorded sales. */
export type Platform =
  | 'ebay'
  | 'bricklink'
  | 'brick_owl'
  | 'amazon'
  | 'walmart'
  | 'facebook'
  | 'mercari'
  | 'whatnot'
  | 'local'
  | 'other';

/** A kind of market event. */
export type EventKind =
  | 'retail.price'
  | 'retail.low'
  | 'retail.flip'
  | 'retail.stock'
  | 'retail.offer'
  | 'value.move'
  | 'value.tier'
  | 'set.status'
  | 'history.month'
  | 'history.restated'
  | 'deal.open'
  | 'deal.close';

/** A warning about a deal. */
export type DealWarning =
  | 'stale_price'
  | 'unknown_stock'
  | 'third_party_seller'
  | 'unknown_seller'
  | 'high_roi'
  | 'cheaper_recently'
  | 'often_discounted'
  | 'low_tier'
  | 'recent_jump'
  | 'guessed_postage';

/** A notice about your account. */
export interface AccountNotice {
  /** Position of the notice. Increases with every notice, with gaps. */
  position: number;
  /** When it was noticed. */
  at: string;
  /**
   * `quota.reached`: 80 % or 100 % of the daily allowance of a key is used. `key.expiring`: a key
   * expires within 14 days, or within a day. `bulk.ready`: there are new bulk files.
   */
  kind: 'quota.reached' | 'key.expiring' | 'bulk.ready';
  /** The fields that apply to this kind of notice; all others are omitted. */
  details: NoticeDetails;
}

export interface AgedRate {
  /** Days in storage from which it is charged. */
  from_day: number;
  /** Per cubic foot and month. */
  usd: number;
  /** The least per unit. */
  minimum_usd: number;
}

/** Value and cost of your holdings over time. */
export interface Analytics {
  /** The requested period. */
  period: '30d' | '90d' | '1y';
  /** Your holdings today. */
  summary: AnalyticsSummary;
  /** Daily for 30d and 90d, weekly for 1y. The last point is today. */
  value_history: ValuePoint[];
}

/** Your holdings today. */
export interface AnalyticsSummary {
  /** Number of different sets held. */
  total_sets: number;
  /** Number of units held. */
  total_items: number;
  /** Cost of all units held. */
  total_cost_basis_usd: number;
  /** Current value of all units held. */
  total_current_value_usd: number;
  /** Value minus cost. */
  unrealized_gain_loss_usd: number;
  /** Gain or loss as a percentage of cost; 0 when the cost is 0. */
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
  /** One element per unique set, in the order of the request. */
  sets: (FoundSet | MissingSet)[];
  /** One element per unique minifigure, in the order of the request. */
  minifigs: (FoundMinifig | MissingMinifig)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** The body of `getBatch`. */
export interface BatchRequest {
  /** Set numbers. At most 100 unique sets and minifigures in total. */
  readonly sets?: readonly string[] | null | undefined;
  /** Minifigure numbers. At most 100 unique sets and minifigures in total. */
  readonly minifigs?: readonly string[] | null | undefined;
}

/** Counts of requested and found items. */
export interface BatchSummary {
  /** Number of unique items requested. */
  requested: number;
  /** Number of items found. */
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
  /** ID of the collection. */
  id: number;
  /** Name of the collection. */
  name: string;
  /** Description; null when there is none. */
  description: string | null;
  /** Whether new holdings go here by default. */
  is_default: boolean;
  /** Number of different sets held. */
  owned_set_count: number;
  /** Number of units held. */
  owned_item_count: number;
  /** Cost of all units held. */
  total_cost_basis_usd: number;
  /** Current value of all units held. */
  total_current_value_usd: number;
  /** Value minus cost. */
  unrealized_gain_loss_usd: number;
  /** When the collection was created. */
  created_at: string;
}

/** Your collections with their totals. */
export interface BrickfolioList {
  /** Default first, then by name. */
  brickfolios: Brickfolio[];
  /** Months of purchase, oldest first. */
  monthly_periods: MonthlyPeriod[];
}

/** Documents changed or deleted after a position. */
export interface BulkChangePage {
  /** In order of publication. */
  changes: (SetChange | MinifigChange | MonthsChange | RetailChange)[];
  /** Send this as `after` to `GET /bulk/changes`. Not an event position. */
  next: string;
  /** Whether there are more changes after `next`. */
  has_more: boolean;
}

/** One file. */
export interface BulkFile {
  /** Type of the documents. */
  type: 'sets' | 'minifigs' | 'months' | 'retail' | 'retail_changes';
  /** Format of the file. */
  format: 'jsonl' | 'csv' | 'parquet';
  /** Path on this server to download it from, with the same key. */
  url: string;
  /** Size of the file in bytes. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** Send this as `after` to `GET /bulk/changes`. Not an event position. */
  position: string;
  /** When the file was finished. */
  created_at: string;
}

/** Daily files with all sets, minifigures, months and retail prices. */
export interface BulkFileList {
  /** One file per type; empty until the first files are made. */
  files: BulkFile[];
}

/** The buying settings of your account. */
export interface BuyingCosts {
  /** Sales tax on what you buy. */
  sales_tax_percent: number;
  /** Cashback on the price, rounded down to cents. */
  cashback_percent: number;
  /** Cost of getting a unit, or a box, home. */
  inbound_usd: number;
  /** Cost of capital per year, on your cost until the sale. */
  cost_of_capital_percent: number;
}

/** Sell-through in one channel. */
export interface ChannelLiquidity {
  /** The sales channel. */
  channel: 'fixed' | 'auction' | 'bricklink' | 'amazon' | 'other';
  /** Units sold in 90 days. */
  sold: number;
  /** Units for sale. */
  stock: number;
  /** `sold` as a percentage of `sold` and `stock`; null when both are 0. */
  sell_through_pct: number | null;
}

/** What the time to sell in the channel depends on; null when the sales rate is unknown. */
export interface ChannelQueue {
  /** The channel's share of the item's sales, from 0 to 1. */
  sales_share: number;
  /** Units of other sellers in the last 30 days; null when unknown. */
  rivals: number | null;
  /** Used if `rivals` is null: how many months of sales there the units for sale are. */
  supply_months: number;
  /** Whether the usual price there is at or below the lowest asking price. */
  cheapest: boolean;
  /** Whether `sales_share` or the rivals are assumed. */
  assumed: boolean;
}

/** The result in one channel. */
export interface ChannelQuote {
  /** The channel; `fba` is Amazon with fulfillment by Amazon. */
  channel: SellingChannel;
  /** Whether its prices are assumed from other channels. */
  assumed: boolean;
  /** Price that `share` of ordinary sales reach, including shipping, before tax. */
  price_usd: number;
  /** Platform, payment, fulfillment and storage fees. */
  fees_usd: number;
  /**
   * Fees that depend on how you sell and are not in `fees_usd`: Amazon's `selling_plan` ($39.99 a
   * month, or $0.99 per item) and `inbound_placement`; may be empty.
   */
  not_included: ('selling_plan' | 'inbound_placement')[];
  /** Shipping and packaging; 0 for `fba` and `local`. */
  postage_usd: number;
  /** Price minus fees and shipping. */
  net_usd: number;
  /** The most you can pay and keep `margin_pct`; null if no price does. */
  max_buy_usd: number | null;
  /** Median days until your unit sells at the usual price; null when unknown. */
  wait_days: number | null;
  /** Units of other sellers in the last 30 days; null when unknown. */
  rivals: number | null;
  /** Whether the usual price is at or below the lowest one that others ask. */
  cheapest: boolean;
  /** Whether `wait_days` rests on assumed rivals or on sales elsewhere. */
  wait_assumed: boolean;
}

/** Sales in one channel. */
export interface ChannelSales {
  /** The sales channel. */
  channel: 'fixed' | 'auction' | 'bricklink' | 'amazon' | 'other' | 'unknown';
  /** Sales that count. */
  sales: number;
  /** How far prices are above fixed-price sales, in percent; negative when below. */
  offset_pct: number;
}

/** Prices and sales in one channel. */
export interface ChannelTerms {
  /** The channel, as in `max-buy`. */
  channel: SellingChannel;
  /** Prices there relative to the value, as a difference of logarithms. */
  offset: number;
  /** Whether the offset is assumed. */
  assumed: boolean;
  /** Amazon's own price, above which nothing sells there; null if there is none. */
  price_max_usd: number | null;
  /** What the time to sell in the channel depends on; null when the sales rate is unknown. */
  queue: ChannelQueue | null;
}

/** The value in one condition and the sales behind it. */
export interface ConditionEvidence {
  /** Value in this condition; null when there is none. */
  value_usd: number | null;
  /** Expected range of the next ordinary sale; null without a value. */
  range: EvidenceRange | null;
  /** Sales that count, by age; null without a value. */
  sales: SalesByWindow | null;
  /** Sales in this condition, by outcome. */
  rows: OutcomeCounts;
  /** The same counts with reasons, sorted by outcome. */
  reasons: ReasonCount[];
  /** How fast the item sells in this condition; null without a value. */
  liquidity: Liquidity | null;
  /** What prices, max buy prices and box bids are computed from; null without a value. */
  terms: PriceTerms | null;
}

/** A new webhook with its signing secret. */
export interface CreatedWebhook extends Webhook {
  /** The signing secret, which no other call returns; null if the webhook existed. */
  secret: string | null;
}

/** One day. */
export interface DailyValue {
  /** The day, in UTC. */
  date: string;
  /** Value published at the end of the day, or now if it is today; null if none was. */
  value_usd: number | null;
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
  /** Current price at the retailer. */
  price_usd: number;
  /** Max buy price; never below `price_usd`. */
  max_buy_usd: number;
  /** Best channel to sell it in. */
  best_channel: SellingChannel;
  /** Median net in the best channel. */
  net_usd: number;
  /** Net minus cost. */
  profit_usd: number;
  /** Profit as a percentage of cost. */
  roi_pct: number;
  /** Median days until it sells there; null when unknown. */
  wait_days: number | null;
  /** Profit divided by months until it sells, at least one; null if `wait_days` is. */
  profit_per_month_usd: number | null;
  /**
   * Estimated revenue from its parts, as a multiple of `price_usd`; null when no source has a
   * recent value for them.
   */
  part_out_ratio: number | null;
  /** What to check before you buy; may be empty. */
  warnings: DealWarning[];
  /** When the price was observed. */
  observed_at: string;
  /** URL of the product page; null when unknown. */
  product_url: string | null;
}

/** Retailer offers at or below your max buy price. */
export interface DealPage {
  /** Highest profit per month first. */
  deals: Deal[];
  /** Position of this page in the list. */
  pagination: Pagination;
  /** The grade that was sent. */
  grade?: string;
  /** Value in this grade, as a percentage of that of the condition. */
  grade_value_pct?: number;
  /** `learned` from sales, `assumed`, or `none` where there is no effect. */
  grade_effect_is?: 'learned' | 'assumed' | 'none';
}

/** Removes an item from a watchlist. */
export interface Deletion {
  /** Always true: what does not exist returns 404. */
  deleted: boolean;
}

/** Units of one item in one condition and grade. */
export interface EvaluateItem {
  /** A set number; send either this or `minifig`. */
  readonly set?: string | undefined;
  /** A minifigure number; send either this or `set`. */
  readonly minifig?: string | undefined;
  /** The condition. Default: `sealed` for a set, `used` for a minifigure. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /**
   * Grade of the unit, which lowers its prices. It belongs to a condition, which is the default for
   * `condition`.
   */
  readonly grade?: string | undefined;
  /** Number of units. Default: 1. Repeated items are added up. */
  readonly quantity?: number | undefined;
}

/** The body of `evaluateBox`. */
export interface EvaluateRequest {
  /** The contents of the box: up to 100 unique items and 100,000 units. */
  readonly items: readonly EvaluateItem[];
  /** Price of the whole box, including tax and shipping. */
  readonly cost_usd?: number | undefined;
  /** Share of ordinary sales expected to reach the price. Default: 0.8. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. Default: 25. */
  readonly margin_pct?: number | undefined;
}

/** One item in one condition and grade. */
export interface EvaluatedItem {
  /** Type of the item. */
  item_type: 'set' | 'minifig';
  /** The canonical number, or the number as sent if there is no such item. */
  number: string;
  /** Name of the item; null if there is no such item. */
  title: string | null;
  /** The condition of the units. */
  condition: 'sealed' | 'used';
  /** Number of units. */
  quantity: number;
  /** Whether the item exists. Items that do not exist cost a call too. */
  found: boolean;
  /** Value of one unit; null when there is none. */
  unit_value_usd: number | null;
  /** Value of all units; null when there is none. */
  total_value_usd: number | null;
  /** How well sales support the value; null if there is none. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /** Its share of the cost, by value; null when no cost was sent or the item does not exist. */
  cost_usd: number | null;
  /** The grade that was sent. */
  grade?: string;
  /** Value in this grade, as a percentage of that of the condition. */
  grade_value_pct?: number;
  /** `learned` from sales, `assumed`, or `none` where there is no effect. */
  grade_effect_is?: 'learned' | 'assumed' | 'none';
}

/** Value, max bid and profit of a box of up to 100 sets and minifigures. */
export interface Evaluation {
  /** One element per item, condition and grade, in the order of the request. */
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
  /** 90% of such boxes sell for more; null when nothing has a value. */
  low_usd: number | null;
  /**
   * 50% of such boxes sell for more; of one unit, its price on eBay at a `share` of 0.5; null when
   * nothing has a value.
   */
  median_usd: number | null;
  /** 10% of such boxes sell for more; null when nothing has a value. */
  high_usd: number | null;
  /** The most you can pay and keep `margin_pct`; null if no price does. */
  max_bid_usd: number | null;
  /** Best channel to sell the box in; null when there is no max bid. */
  best_channel: SellingChannel | null;
  /** Median net in the best channel, minus the cost; null without a cost or a max bid. */
  profit_usd: number | null;
}

/** The fields that apply to this kind of event; all others are omitted. */
export interface EventDetails {
  /** Price at the retailer; the last known price when there is no offer. */
  price_usd?: number;
  /** Whether there is an offer; without one, the price is the last known. */
  has_offer?: boolean;
  /** Price change in percent. */
  change_pct?: number;
  /** Whether the price is the lowest ever seen. */
  at_lowest?: boolean;
  /** The lowest price ever seen. */
  lowest_usd?: number;
  /** How far the price is below the new value, in percent; negative when above. */
  below_value_pct?: number;
  /** Who sells it; in `retail.flip`, once confirmed. */
  seller_type?: 'retailer' | 'third_party';
  /** Whether it is in stock. */
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
  /** The month, as YYYY-MM; for a restatement, the first restated month. */
  month?: string;
  /** Sales of new sets in the month that support the value. */
  new_sales_count?: number;
  /** Sales of used sets in the month that support the value. */
  used_sales_count?: number;
  /** Why history was restated, or why the deal ended. */
  reason?: string;
  /** Max buy price at default terms. */
  max_buy_usd?: number;
  /** Best channel to sell it in. */
  best_channel?: SellingChannel;
  /** Median net in the best channel. */
  net_usd?: number;
  /** Net minus cost. */
  profit_usd?: number;
  /** Profit as a percentage of cost. */
  roi_pct?: number;
  /** Median days until it sells there; null when unknown. */
  wait_days?: number | null;
  /** What to check before you buy. */
  warnings?: DealWarning[];
}

/** Market events after a position: prices, stock, values, months, deals. */
export interface EventPage {
  /** In order of position. */
  events: MarketEvent[];
  /** Send this as `after` in the next call. */
  next: number;
  /** Whether there are more events after `next`. */
  has_more: boolean;
}

/** Counts, reasons and terms behind a set's values. */
export interface Evidence {
  /** Type of the item. */
  item_type: 'set' | 'minifig';
  /** The canonical number. */
  number: string;
  /** Name of the item. */
  title: string;
  /** How well sales support the values. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** Why the item has this tier. */
  tier_reasons: string[];
  /** The value in one condition and the sales behind it. */
  sealed: ConditionEvidence;
  /** The value in one condition and the sales behind it. */
  used: ConditionEvidence;
  /** Sales that count in both conditions, by channel. */
  channels: ChannelSales[];
  /** How busy each month of the year is, January first; null if not learned. */
  season: number[] | null;
  /** Version of the engine that computed the values; null if there are none yet. */
  engine: string | null;
  /** Version of the learned parameters it used; null if there are none yet. */
  parameters: string | null;
  /** Hash of the inputs of the values; null if there are none yet. */
  input_hash: string | null;
  /** When the values were computed; null if there are none yet. */
  calculated_at: string | null;
}

/** Counts and reasons behind the values of up to 100 sets and minifigures. */
export interface EvidenceBatch {
  /** One element per unique item, in the order of the request. */
  sets: (FoundEvidence | MissingSet)[];
  /** One element per unique item, in the order of the request. */
  minifigs: (FoundEvidence | MissingMinifig)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** Expected range of the next ordinary sale; null without a value. */
export interface EvidenceRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
}

/** The rate of one currency. */
export interface ExchangeRate {
  /** ISO 4217 code. */
  currency: string;
  /** Day of the rate: the requested one, or the latest before it. */
  date: string;
  /** US dollars per unit of the currency. */
  usd_per_unit: number;
}

/** Stored exchange rates of a day. */
export interface ExchangeRates {
  /** The requested day. */
  date: string;
  /** By currency, without US dollars; may be empty. */
  rates: ExchangeRate[];
}

export interface FbaPeakRow {
  /** Up to this weight in ounces; null for no limit. */
  up_to_oz: number | null;
  /** Additional fee in the peak season. */
  usd: number;
}

export interface FbaRow {
  /** Up to this weight in ounces; null for no limit. */
  up_to_oz: number | null;
  /** Fee below the middle prices. */
  low_price_usd: number;
  /** Fee at middle prices. */
  middle_price_usd: number;
  /** Fee above them. */
  high_price_usd: number;
}

/** Amazon's fees for selling and fulfillment from a day on. */
export interface FbaSchedule {
  /** In effect from this day, until the next one; the first also before it. */
  from: string;
  /** The price list it is taken from. */
  source: string;
  /** Referral fee in percent of the price. */
  referral_percent: number;
  /** The least referral fee. */
  referral_minimum_usd: number;
  /** The lowest middle price. */
  middle_price_from_usd: number;
  /** The highest middle price. */
  middle_price_to_usd: number;
  /** Added to the fulfillment fee, without the peak fee. */
  surcharge_percent: number;
  /** Volume that counts as a pound. */
  cubic_inches_per_pound: number;
  /** First day of the peak season, as MM-DD. */
  peak_from: string;
  /** Its last day, as MM-DD. */
  peak_to: string;
  /** From small to large. */
  sizes: FbaSize[];
}

/** A box belongs to the first size that it fits and that has a row for its weight. */
export interface FbaSize {
  /** Name of the size tier. */
  size: string;
  /** Whether storage is charged as standard size. */
  standard_size: boolean;
  /** Limit of the longest side in inches; null for none. */
  longest_in: number | null;
  /** Limit of the median side; null for none. */
  median_in: number | null;
  /** Limit of the shortest side; null for none. */
  shortest_in: number | null;
  /** Limit of the longest side plus twice the two others; null for none. */
  length_and_girth_in: number | null;
  /**
   * The two shorter sides count as at least this much for dimensional weight; null if only the
   * actual weight counts.
   */
  volume_side_min_in: number | null;
  /** By increasing weight. Heavier boxes belong to a later size. */
  rows: FbaRow[];
  /** An additional fee by weight; null for none. */
  step: FbaStep | null;
  /** By increasing weight. */
  peak: FbaPeakRow[];
}

/** An additional fee by weight; null for none. */
export interface FbaStep {
  /** Weight above which it is charged. */
  above_oz: number;
  /** Size of a step. */
  every_oz: number;
  /** Fee for each step begun. */
  usd: number;
}

/** Amazon's fees for storage from a day on. */
export interface FbaStorage {
  /** In effect from this day, until the next one; the first also before it. */
  from: string;
  /** The price list it is taken from. */
  source: string;
  /** In the first nine months. */
  january_to_september: StorageRates;
  /** In the last three months. */
  october_to_december: StorageRates;
  /** Surcharges by age on the 15th of a month; only the last that applies. */
  aged: AgedRate[];
}

/** Fees, shipping and FBA sizes with dates and sources. */
export interface FeeSchedules {
  /** Today in UTC, for which max buy prices are computed. */
  date: string;
  /** Assumed sales tax of buyers, for fees with the base `with_tax`. */
  sales_tax_percent: number;
  /** By date. Your own rates replace all rows of their platforms. */
  platforms: PlatformFees[];
  /** By date. */
  postage: PostageTable[];
  /** By date. */
  fba: FbaSchedule[];
  /** By date. */
  fba_storage: FbaStorage[];
  /** The buying settings of your account. */
  buying_costs: BuyingCosts;
}

export interface FeeStep {
  /** Up to this amount; null for no limit. */
  up_to_usd: number | null;
  /** Percentage of this part. */
  percent: number;
}

/** The query parameters of `findRetailPrices`. */
export interface FindRetailPricesQuery {
  /** A set number. */
  readonly set?: string | undefined;
  /** Retailer A's product identifier. */
  readonly asin?: string | undefined;
  /** A UPC or EAN. */
  readonly upc?: string | undefined;
}

/** The evidence for the values of an item. */
export interface FoundEvidence extends Evidence {
  /** Always true: the item exists. */
  found: true;
}

/** The history of a set. */
export interface FoundHistory extends History {
  /** Always true: the item exists. */
  found: true;
}

/** The max buy price of an item. */
export interface FoundMaxBuy extends MaxBuy {
  /** Always true: the item exists. */
  found: true;
}

/** A minifigure that was found. */
export interface FoundMinifig extends Minifig {
  /** Always true: the item exists. */
  found: true;
}

/** The retail history of a set. For earlier changes, send `next` to its own history. */
export interface FoundRetailHistory extends RetailHistory {
  /** Always true: the item exists. */
  found: true;
}

/** The retail prices of a set. */
export interface FoundRetailPrices {
  /** The set number. */
  set_number: string;
  /** Its retail prices; null if no retailer was ever observed. */
  retail: RetailRow | null;
  /** Always true: the item exists. */
  found: true;
}

/** A set that was found. */
export interface FoundSet extends Set {
  /** Always true: the item exists. */
  found: true;
}

/** The query parameters of `getAnalytics`. */
export interface GetAnalyticsQuery {
  /** How far back the history goes. */
  readonly period?: '30d' | '90d' | '1y' | undefined;
}

/** The query parameters of `getBulkFile`. */
export interface GetBulkFileQuery {
  /**
   * `jsonl`: gzipped JSON, one document per line; `csv`: gzipped CSV; `parquet`: Parquet. CSV and
   * Parquet have the same columns, without lists.
   */
  readonly format?: 'jsonl' | 'csv' | 'parquet' | undefined;
  /** The file made at this position. If omitted, the latest one. */
  readonly position?: string | undefined;
}

/** The query parameters of `getHoldingsSummary`. */
export interface GetHoldingsSummaryQuery {
  /** Only holdings in this collection. */
  readonly brickfolio_id?: number | undefined;
}

/** The query parameters of `getMaxBuy`. */
export interface GetMaxBuyQuery {
  /** A set number; send either this or `minifig`. */
  readonly set?: string | undefined;
  /** A minifigure number; send either this or `set`. */
  readonly minifig?: string | undefined;
  /** The condition. Default: `sealed` for a set, `used` for a minifigure. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /**
   * Grade of the unit, which lowers its prices. It belongs to a condition, which is the default for
   * `condition`.
   */
  readonly grade?: string | undefined;
  /** Share of ordinary sales expected to reach the price. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. */
  readonly margin_pct?: number | undefined;
  /** Only this channel; all channels if omitted. */
  readonly channel?: SellingChannel | undefined;
}

/** The query parameters of `getMinifigDailyValues`. */
export interface GetMinifigDailyValuesQuery {
  /** The condition to return values for. */
  readonly condition?: 'sealed' | 'used' | undefined;
}

/** The query parameters of `getRetailHistory`. */
export interface GetRetailHistoryQuery {
  /** Only changes at this retailer. */
  readonly retailer?: 'retailer_a' | 'retailer_b' | undefined;
  /** Only changes at or after this time, and for each retailer the one that was in force then. */
  readonly from?: string | Date | undefined;
  /** Only changes before this time. */
  readonly to?: string | Date | undefined;
  /** Only changes after this position. If omitted, the latest changes. */
  readonly after?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `getSetDailyValues`. */
export interface GetSetDailyValuesQuery {
  /** The condition to return values for. */
  readonly condition?: 'sealed' | 'used' | undefined;
}

/** The query parameters of `getSetHistory`. */
export interface GetSetHistoryQuery {
  /** The condition to return values for. */
  readonly condition?: 'sealed' | 'used' | undefined;
}

/** The query parameters of `getWaysToSell`. */
export interface GetWaysToSellQuery {
  /** The condition of the set in hand. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /** Cost of the set; with it, each way has a `profit_usd`. */
  readonly price_usd?: number | undefined;
}

/** Finalized monthly values of a set, `sealed` or `used`. */
export interface History {
  /** The set number. */
  set_number: string;
  /** Condition of the values. */
  condition: 'sealed' | 'used';
  /** Finalized months, oldest first. */
  history: HistoryPoint[];
}

/** Finalized monthly values of up to 100 sets. */
export interface HistoryBatch {
  /** One element per unique item, in the order of the request. */
  sets: (FoundHistory | MissingSet)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** The body of `getHistoryBatch`. */
export interface HistoryBatchRequest {
  /** Set numbers, at most 100 unique ones. */
  readonly sets: readonly string[];
  /** The condition to return values for. Default: `sealed`. */
  readonly condition?: 'sealed' | 'used' | undefined;
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
  /** Sales in the month that support the value; null when not counted. */
  sales_count: number | null;
  /** What happened in the month; null when nothing did. */
  event: 'released' | 'retired' | 'price_jump_up' | 'price_jump_down' | null;
}

/** Units of one set, bought together. */
export interface Holding {
  /** ID of its collection. */
  brickfolio_id: number;
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme of the set. */
  theme: string;
  /** Units left. */
  quantity: number;
  /** Condition of the units. */
  condition: 'sealed' | 'used';
  /** Purchase price per unit. */
  purchase_price_usd: number;
  /** Date of purchase. */
  purchase_date: string;
  /** `listed` when offered for sale, otherwise `owned`. */
  status: 'owned' | 'listed';
  /** Current value per unit; the purchase price if the value is unknown. */
  current_value_usd: number;
  /** Current value of all units. */
  total_current_value_usd: number;
  /** Value minus cost. */
  unrealized_gain_loss_usd: number;
  /** Gain or loss as a percentage of cost; 0 when the cost is 0. */
  unrealized_gain_loss_pct: number;
}

/** Your holdings. */
export interface HoldingPage {
  /** Newest purchase first. */
  entries: Holding[];
  /** Position of this page in the list. */
  pagination: Pagination;
}

/** Totals of your holdings, of sets and of minifigures. */
export interface HoldingsSummary {
  /** Totals of holdings. */
  all: HoldingsTotals;
  /** Totals of holdings. */
  sets: HoldingsTotals;
  /** Totals of holdings. */
  minifigs: HoldingsTotals;
}

/** Totals of holdings. */
export interface HoldingsTotals {
  /** Number of different sets or minifigures held. */
  distinct_count: number;
  /** Number of units held. */
  item_count: number;
  /** Cost of all units held. */
  total_cost_basis_usd: number;
  /** Current value of all units held; those without one at cost. */
  total_current_value_usd: number;
  /** Value minus cost. */
  unrealized_gain_loss_usd: number;
  /** Gain or loss as a percentage of cost; 0 when the cost is 0. */
  unrealized_gain_loss_pct: number;
}

/** How fast the item sells in this condition; null without a value. */
export interface Liquidity {
  /** Units sold in 90 days, in all channels. */
  sold_90d: number;
  /** The same per month. */
  units_per_month: number;
  /** Sellers of these units, as far as sources name them; null when none does. */
  sellers_90d: number | null;
  /** Sell-through of all `channels` together; null when `channels` is empty. */
  sell_through_pct: number | null;
  /** The channels in which the units for sale were counted in the last 30 days. */
  channels: ChannelLiquidity[];
}

/** The query parameters of `listBulkChanges`. */
export interface ListBulkChangesQuery {
  /**
   * Only changes after this position. If omitted, no changes are returned, and `next` is the latest
   * position.
   */
  readonly after?: string | undefined;
  /** Only documents of these types, separated by commas. */
  readonly types?: string | readonly string[] | undefined;
  /** Maximum number of changes to return. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listBulkFiles`. */
export interface ListBulkFilesQuery {
  /**
   * `jsonl`: gzipped JSON, one document per line; `csv`: gzipped CSV; `parquet`: Parquet. CSV and
   * Parquet have the same columns, without lists.
   */
  readonly format?: 'jsonl' | 'csv' | 'parquet' | undefined;
}

/** The query parameters of `listDeals`. */
export interface ListDealsQuery {
  /** Only offers of this retailer. */
  readonly retailer?: 'retailer_a' | 'retailer_b' | undefined;
  /** Only sets of this theme, spelled exactly as in `theme` of a set. */
  readonly theme?: string | undefined;
  /** Only sets with this `status_id`. */
  readonly status_id?: number | undefined;
  /** The lowest data tier to include. */
  readonly min_tier?: 'low' | 'medium' | 'high' | undefined;
  /** Only deals with at least this profit. */
  readonly min_profit_usd?: number | undefined;
  /** Only deals with at least this return on cost, in percent. */
  readonly min_roi_pct?: number | undefined;
  /** Only offers at or below this price. */
  readonly max_price_usd?: number | undefined;
  /** Only offers with at least this `part_out_ratio`. */
  readonly min_part_out_ratio?: number | undefined;
  /** Grade in which you expect to sell the sealed units, which lowers their prices. */
  readonly grade?: 'perfect' | 'light_wear' | 'damaged_box' | undefined;
  /** Share of ordinary sales expected to reach the price. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. */
  readonly margin_pct?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Number of elements to skip. Any whole number; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** The query parameters of `listEntries`. */
export interface ListEntriesQuery {
  /** Only holdings in this collection. */
  readonly brickfolio_id?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Number of elements to skip. Any whole number; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** The query parameters of `listEvents`. */
export interface ListEventsQuery {
  /**
   * Only events after this position. If omitted, no events are returned, and `next` is the latest
   * position.
   */
  readonly after?: number | undefined;
  /** Only events of these kinds, separated by commas. */
  readonly kinds?: string | readonly string[] | undefined;
  /**
   * `holdings`: only events about sets and minifigures you hold. `watch`: only events about those
   * on your watchlists.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listHoldings`. */
export interface ListHoldingsQuery {
  /** Only sets, or only minifigures. */
  readonly item_type?: 'set' | 'minifig' | undefined;
  /** Only this set or minifigure, by any of its numbers. */
  readonly number?: string | undefined;
  /** Only units in this condition. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /** Only holdings in this collection. */
  readonly brickfolio_id?: number | undefined;
  /** Only holdings with this status. */
  readonly status?: 'owned' | 'listed' | undefined;
  /** Only holdings bought on or after this day. */
  readonly purchased_from?: string | undefined;
  /** Only holdings bought on or before this day. */
  readonly purchased_to?: string | undefined;
  /** Only rows after this position. If omitted, the first rows. */
  readonly after?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listMinifigs`. */
export interface ListMinifigsQuery {
  /** Only minifigures of this theme, the first part of `category`. */
  readonly theme?: string | undefined;
  /** Only items released in this year or later. */
  readonly min_year?: number | undefined;
  /** Only items released in this year or earlier. */
  readonly max_year?: number | undefined;
  /** Only items with a value of this data tier or a better one. */
  readonly min_tier?: 'high' | 'medium' | 'low' | 'modeled' | undefined;
  /** Only items with at least this `current_value_usd`. */
  readonly min_value_usd?: number | undefined;
  /** Only items with at most this `current_value_usd`. */
  readonly max_value_usd?: number | undefined;
  /** Only items with at least this sell-through over 90 days. */
  readonly min_sell_through_pct?: number | undefined;
  /**
   * The order; with `-`, descending. Items without the number come last in both directions, and
   * equal ones are ordered by number. Item numbers are compared as text: `10089` comes before
   * `1011`.
   */
  readonly sort?:
    | 'number'
    | '-number'
    | 'year'
    | '-year'
    | 'value'
    | '-value'
    | 'sell_through'
    | '-sell_through'
    | undefined;
  /**
   * The fields to return, separated by commas: minifig_number, name, category, color,
   * year_released, image_url, current_value_usd, value_range, set_count, sets, data_tier,
   * sell_through_pct, units_per_month, sellers_90d. The number is always returned. If omitted, the
   * fields of a search result.
   */
  readonly fields?: string | readonly string[] | undefined;
  /** The `next` of the page before. If omitted, the first page. */
  readonly after?: string | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listNotices`. */
export interface ListNoticesQuery {
  /** Only notices after this position; 0 for all that are kept. */
  readonly after?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listRates`. */
export interface ListRatesQuery {
  /** Rates of this day; today in UTC if omitted. */
  readonly date?: string | undefined;
}

/** The query parameters of `listRecordedSales`. */
export interface ListRecordedSalesQuery {
  /** Only sets, or only minifigures. */
  readonly item_type?: 'set' | 'minifig' | undefined;
  /** Only this set or minifigure, by any of its numbers. */
  readonly number?: string | undefined;
  /** Only units in this condition. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /** Only sales on this platform. */
  readonly platform?: Platform | undefined;
  /** Only sales on or after this day. */
  readonly sold_from?: string | undefined;
  /** Only sales on or before this day. */
  readonly sold_to?: string | undefined;
  /** Only rows after this position. If omitted, the first rows. */
  readonly after?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listRetailWatch`. */
export interface ListRetailWatchQuery {
  /**
   * Only sets whose price at either retailer changed within this many minutes (`m`), hours (`h`) or
   * days (`d`).
   */
  readonly changed_within?: string | undefined;
  /** Only sets whose price at either retailer changed at or after this time. */
  readonly since?: string | Date | undefined;
  /** Only these ASINs, separated by commas. */
  readonly asin?: string | readonly string[] | undefined;
  /** Only these UPCs or EANs, separated by commas. */
  readonly upc?: string | readonly string[] | undefined;
}

/** The query parameters of `listSales`. */
export interface ListSalesQuery {
  /** Page size. */
  readonly limit?: number | undefined;
  /** Number of elements to skip. Any whole number; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** The query parameters of `listSets`. */
export interface ListSetsQuery {
  /** Only sets of this theme, spelled exactly as in `theme` of a set. */
  readonly theme?: string | undefined;
  /** Only sets of this subtheme, spelled exactly as in `subtheme`. */
  readonly subtheme?: string | undefined;
  /** Only sets with this `status_id`. */
  readonly status_id?: number | undefined;
  /** Only items released in this year or later. */
  readonly min_year?: number | undefined;
  /** Only items released in this year or earlier. */
  readonly max_year?: number | undefined;
  /** Only sets with at least this many pieces. */
  readonly min_pieces?: number | undefined;
  /** Only sets with at most this many pieces. */
  readonly max_pieces?: number | undefined;
  /** Only items with a value of this data tier or a better one. */
  readonly min_tier?: 'high' | 'medium' | 'low' | 'modeled' | undefined;
  /** Only items with at least this `new_value_usd`. */
  readonly min_value_usd?: number | undefined;
  /** Only items with at most this `new_value_usd`. */
  readonly max_value_usd?: number | undefined;
  /** Only sets whose value rose at least this much over 30 days. */
  readonly min_change_30d_pct?: number | undefined;
  /** Only sets whose value rose at most this much over 30 days. */
  readonly max_change_30d_pct?: number | undefined;
  /** Only sets whose value rose at least this much over 90 days. */
  readonly min_change_90d_pct?: number | undefined;
  /** Only sets whose value rose at most this much over 90 days. */
  readonly max_change_90d_pct?: number | undefined;
  /** Only sets whose value rose at least this much over 365 days. */
  readonly min_change_365d_pct?: number | undefined;
  /** Only sets whose value rose at most this much over 365 days. */
  readonly max_change_365d_pct?: number | undefined;
  /** Only sets with at least this price per piece. */
  readonly min_price_per_piece_usd?: number | undefined;
  /** Only sets with at most this price per piece. */
  readonly max_price_per_piece_usd?: number | undefined;
  /** Only sets that a retailer has in stock at least this many percent below their value. */
  readonly min_below_value_pct?: number | undefined;
  /** Only items with at least this sell-through over 90 days. */
  readonly min_sell_through_pct?: number | undefined;
  /**
   * The order; with `-`, descending. Items without the number come last in both directions, and
   * equal ones are ordered by number. Item numbers are compared as text: `10089` comes before
   * `1011`.
   */
  readonly sort?:
    | 'number'
    | '-number'
    | 'year'
    | '-year'
    | 'pieces'
    | '-pieces'
    | 'value'
    | '-value'
    | 'change_30d'
    | '-change_30d'
    | 'change_90d'
    | '-change_90d'
    | 'change_365d'
    | '-change_365d'
    | 'price_per_piece'
    | '-price_per_piece'
    | 'below_value'
    | '-below_value'
    | 'sell_through'
    | '-sell_through'
    | undefined;
  /**
   * The fields to return, separated by commas: set_number, title, theme, subtheme, pieces, year,
   * retired, image_url, minifigs_count, minifigs, barcodes, msrp_usd, release_date, retire_date,
   * status_id, data_tier, new_value_usd, used_value_usd, value_range, retailers, box,
   * change_30d_pct, change_90d_pct, change_365d_pct, price_per_piece_usd, retail_price_usd,
   * below_value_pct, sell_through_pct, units_per_month, sellers_90d. The number is always returned.
   * If omitted, the fields of a search result.
   */
  readonly fields?: string | readonly string[] | undefined;
  /** The `next` of the page before. If omitted, the first page. */
  readonly after?: string | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** The query parameters of `listWatchedItems`. */
export interface ListWatchedItemsQuery {
  /** Only items after this position. */
  readonly after?: number | undefined;
  /** Page size. */
  readonly limit?: number | undefined;
}

/** A minifigure, with the chosen fields. */
export interface ListedMinifig {
  /** The minifigure number, such as `sw0001a`. */
  minifig_number: string;
  /** Name of the minifigure. */
  name?: string;
  /** Category; null when unknown. */
  category?: string | null;
  /** Main color; omitted when unknown. */
  color?: string;
  /** Year of release; null when unknown. */
  year_released?: number | null;
  /** URL of a picture; null when unknown. */
  image_url?: string | null;
  /** Market value; null when too little is known. */
  current_value_usd?: number | null;
  /** Expected range of the next ordinary sale, around `current_value_usd`; null without a value. */
  value_range?: MinifigValueRange | null;
  /** Number of sets it appears in. */
  set_count?: number;
  /** Numbers of the sets it appears in, sorted by number. */
  sets?: string[];
  /** How well sales support `current_value_usd`; null without a value. */
  data_tier?: 'high' | 'medium' | 'low' | 'modeled' | null;
  /**
   * Sell-through: used units sold in 90 days as a percentage of those and the units for sale, in
   * channels where the latter are known; null when not known.
   */
  sell_through_pct?: number | null;
  /** Sales of used units a month, over 90 days; null when not known. */
  units_per_month?: number | null;
  /** Sellers of used units in 90 days, as far as sources name them; null when none does. */
  sellers_90d?: number | null;
}

/** A set, with the chosen fields. */
export interface ListedSet {
  /** The set number: plain for variant 1 (`75192`), with `-k` for variant k (`75192-2`). */
  set_number: string;
  /** Name of the set. */
  title?: string;
  /** Theme, such as `Castle`. */
  theme?: string;
  /** Subtheme; null when there is none. */
  subtheme?: string | null;
  /** Number of pieces in the box; null when unknown. */
  pieces?: number | null;
  /** Year of release; null when unknown. */
  year?: number | null;
  /** Whether the set is retired. */
  retired?: boolean;
  /** URL of a picture; null when unknown. */
  image_url?: string | null;
  /** Number of minifigures in the box. */
  minifigs_count?: number;
  /**
   * Numbers of the minifigures in the set, sorted by number. Includes those that were replaced
   * while it was sold, so there can be more than `minifigs_count`.
   */
  minifigs?: string[];
  /** Barcodes on the box. */
  barcodes?: Barcodes;
  /** Recommended retail price in the US; null when unknown. */
  msrp_usd?: number | null;
  /** Release date; null when unknown. */
  release_date?: string | null;
  /** Retirement date; null while it is in the future, or when unknown. */
  retire_date?: string | null;
  /** 1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired. */
  status_id?: number;
  /** How well sales support `new_value_usd`. */
  data_tier?: 'high' | 'medium' | 'low' | 'modeled';
  /** Market value, new and sealed; null when too little is known. */
  new_value_usd?: number | null;
  /** Market value, used and complete; null when too little is known. */
  used_value_usd?: number | null;
  /**
   * Expected range of the next ordinary sale in new condition, around `new_value_usd`; null without
   * a value.
   */
  value_range?: SetValueRange | null;
  /** Retailers that have ever had a price for the set, `retailer_a` first. */
  retailers?: RetailerSummary[];
  /** Size and weight of the sealed box. */
  box?: Box;
  /**
   * Change of `new_value_usd` in the 30 days before it was computed, in percent; null unless sales
   * support both values.
   */
  change_30d_pct?: number | null;
  /**
   * Change of `new_value_usd` in the 90 days before it was computed, in percent; null unless sales
   * support both values.
   */
  change_90d_pct?: number | null;
  /**
   * Change of `new_value_usd` in the 365 days before it was computed, in percent; null unless sales
   * support both values.
   */
  change_365d_pct?: number | null;
  /** `msrp_usd` divided by `pieces`, with four decimals; null when either is unknown. */
  price_per_piece_usd?: number | null;
  /** Lowest price at a retailer that has the set in stock; null when none has. */
  retail_price_usd?: number | null;
  /**
   * How far `retail_price_usd` is below `new_value_usd`, in percent; negative when above, null when
   * either is unknown.
   */
  below_value_pct?: number | null;
  /**
   * Sell-through: sealed units sold in 90 days as a percentage of those and the units for sale, in
   * channels where the latter are known; null when not known.
   */
  sell_through_pct?: number | null;
  /** Sales of sealed units a month, over 90 days; null when not known. */
  units_per_month?: number | null;
  /** Sellers of sealed units in 90 days, as far as sources name them; null when none does. */
  sellers_90d?: number | null;
}

/** One event. */
export interface MarketEvent {
  /** Position in the log. Increases with every event, with gaps. */
  position: number;
  /** When it was published. */
  at: string;
  /** What happened. */
  kind: EventKind;
  /** What the event is about; null for the whole market. */
  item_type: 'set' | 'minifig' | null;
  /** The canonical number; null for the whole market. */
  number: string | null;
  /** Name of the item; null when it is no longer published. */
  title: string | null;
  /** The retailer; null when the event is not about one. */
  retailer: 'retailer_a' | 'retailer_b' | null;
  /** The fields that apply to this kind of event; all others are omitted. */
  before: EventDetails;
  /** The fields that apply to this kind of event; all others are omitted. */
  after: EventDetails;
}

/** Max buy price of a set or minifigure, by channel. */
export interface MaxBuy {
  /** Type of the item. */
  item_type: 'set' | 'minifig';
  /** The canonical number. */
  number: string;
  /** Name of the item. */
  title: string;
  /** Condition of the unit. */
  condition: 'sealed' | 'used';
  /** The requested share. */
  share: number;
  /** The requested margin. */
  margin_pct: number;
  /** Value in this condition; null when there is none. */
  value_usd: number | null;
  /** How well sales support the value; null if there is none. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /** Expected sales per month in all channels; null when unknown. */
  sales_per_month: number | null;
  /** Median days until your unit sells in the best channel; null when unknown. */
  wait_days: number | null;
  /**
   * The channel with the highest max buy price, among those with learned prices; null if there is a
   * `reason`.
   */
  best_channel: SellingChannel | null;
  /** What to check before you buy; may be empty. */
  warnings: 'recent_jump'[];
  /** Why there is no max buy price; null when there is one. */
  reason: 'no_value' | 'modeled_value' | 'unknown_box' | 'nothing_left' | null;
  /** All channels in a fixed order; `fba` only if the box size is known. */
  channels: ChannelQuote[];
  /** The grade that was sent. */
  grade?: string;
  /** Value in this grade, as a percentage of that of the condition. */
  grade_value_pct?: number;
  /** `learned` from sales, `assumed`, or `none` where there is no effect. */
  grade_effect_is?: 'learned' | 'assumed' | 'none';
}

/** Max buy prices of up to 100 sets and minifigures. */
export interface MaxBuyBatch {
  /** One element per unique item, in the order of the request. */
  items: (FoundMaxBuy | MissingItem)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** The body of `getMaxBuyBatch`. */
export interface MaxBuyBatchRequest {
  /** Up to 100 unique items. An item in two conditions counts as two. */
  readonly items: readonly MaxBuyItem[];
  /** Only this channel; all channels if omitted. */
  readonly channel?: SellingChannel | undefined;
  /** Share of ordinary sales expected to reach the price. Default: 0.8. */
  readonly share?: number | undefined;
  /** Margin on cost, in percent. Default: 25. */
  readonly margin_pct?: number | undefined;
}

/** One item in one condition and grade. */
export interface MaxBuyItem {
  /** A set number; send either this or `minifig`. */
  readonly set?: string | undefined;
  /** A minifigure number; send either this or `set`. */
  readonly minifig?: string | undefined;
  /** The condition. Default: `sealed` for a set, `used` for a minifigure. */
  readonly condition?: 'sealed' | 'used' | undefined;
  /**
   * Grade of the unit, which lowers its prices. It belongs to a condition, which is the default for
   * `condition`.
   */
  readonly grade?: string | undefined;
}

/** A minifigure with its market value. */
export interface Minifig {
  /** The minifigure number, such as `sw0001a`. */
  minifig_number: string;
  /** Name of the minifigure. */
  name: string;
  /** Category; null when unknown. */
  category: string | null;
  /** Main color; omitted when unknown. */
  color?: string;
  /** Year of release; null when unknown. */
  year_released: number | null;
  /** URL of a picture; null when unknown. */
  image_url: string | null;
  /** Market value; null when too little is known. */
  current_value_usd: number | null;
  /** Expected range of the next ordinary sale, around `current_value_usd`; null without a value. */
  value_range: MinifigValueRange | null;
  /** Number of sets it appears in. */
  set_count: number;
  /** Numbers of the sets it appears in, sorted by number. */
  sets: string[];
}

/** One change. */
export interface MinifigChange {
  /** Type of the document. */
  type: 'minifigs';
  /** The canonical number of the set or minifigure. */
  number: string;
  /** The current document in full, as in a file; null if it no longer exists. */
  document: Minifig | null;
  /**
   * The number that has taken over from this one, without a document: that of the minifigure it was
   * merged into, or its new spelling; null if none has.
   */
  replaced_by: string | null;
}

/** A minifigure's value on each day of the current month. */
export interface MinifigDailyValues {
  /** The minifigure number. */
  minifig_number: string;
  /** Condition of the values. */
  condition: 'sealed' | 'used';
  /** Always false: the month is computed again when it becomes final. */
  final: false;
  /** Oldest first, from the first day with a value until today. */
  days: DailyValue[];
}

/** All minifigures, with filters, sorted, with the fields you choose. */
export interface MinifigPage {
  /** In the chosen order. */
  minifigs: ListedMinifig[];
  /** Number of items on all pages. */
  total: number;
  /** Send this as `after` to get the next page; null on the last one. */
  next: string | null;
}

/** Minifigures by number or name, without values. */
export interface MinifigSearchPage {
  /** Matches, best first. */
  results: MinifigSearchResult[];
  /** Position of this page in the list. */
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
  /** URL of a picture; null when unknown. */
  image_url: string | null;
}

/** Expected range of the next ordinary sale, around `current_value_usd`; null without a value. */
export interface MinifigValueRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
}

/** An item that does not exist. */
export interface MissingItem {
  /** Type of the item. */
  item_type: 'set' | 'minifig';
  /** The number as you sent it. */
  number: string;
  /** Always false: the item does not exist. */
  found: false;
}

/** A minifigure that does not exist. */
export interface MissingMinifig {
  /** The number as you sent it. */
  minifig_number: string;
  /** Always false: the item does not exist. */
  found: false;
}

/** A set that does not exist. */
export interface MissingSet {
  /** The number as you sent it. */
  set_number: string;
  /** Always false: the item does not exist. */
  found: false;
}

/** A way without a result. */
export interface MissingWay {
  /** The way. */
  way: 'sealed' | 'used' | 'minifigs' | 'parts';
  /** Why it has none. */
  reason: 'not_sealed' | 'no_value' | 'no_minifigs' | 'minifigs_bring_nothing' | 'no_parts_value';
}

/** Purchases of one month. */
export interface MonthlyPeriod {
  /** Month of purchase, as YYYY-MM. */
  month: string;
  /** Holdings bought in this month with units left. */
  entry_count: number;
  /** Units left of those holdings. */
  items: number;
  /** Cost of those units; null when no price is known. */
  cost_basis_usd: number | null;
}

/** One change. */
export interface MonthsChange {
  /** Type of the document. */
  type: 'months';
  /** The canonical number of the set or minifigure. */
  number: string;
  /** The current document in full, as in a file; null if it no longer exists. */
  document: SetMonths | null;
  /**
   * The number that has taken over from this one, without a document: that of the minifigure it was
   * merged into, or its new spelling; null if none has.
   */
  replaced_by: string | null;
}

/** The fields that apply to this kind of notice; all others are omitted. */
export interface NoticeDetails {
  /** The beginning of the key. */
  key_prefix?: string;
  /** The share of the daily allowance that was reached: 80 or 100. */
  percent?: number;
  /** Calls used when it was noticed. */
  used?: number;
  /** Daily allowance of the key. */
  limit?: number;
  /** When the allowance resets. */
  reset?: string;
  /** When the key expires. */
  expires_at?: string;
  /** Position of the bulk files, as in `GET /bulk`. */
  bulk_position?: string;
}

/** Notices about your account: allowance used, key expires, bulk files ready. */
export interface NoticePage {
  /** Oldest first. */
  notices: AccountNotice[];
  /** Send this as `after` in the next call. */
  next: number;
  /** Whether there are more notices after `next`. */
  has_more: boolean;
}

export interface OrderFee {
  /** Up to this amount; null for no limit. */
  up_to_usd: number | null;
  /** Fee of an order up to there. */
  fee_usd: number;
}

/** Sales in this condition, by outcome. */
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

/** A field that you named. */
export interface OwnField {
  /** Its name. */
  name: string;
  /** Its value. */
  value: string;
}

/** Units of one set or minifigure, bought together. Details are null when they are not known. */
export interface OwnHolding {
  /** ID of the holding. */
  id: number;
  /** Whether it is a set or a minifigure. */
  item_type: 'set' | 'minifig';
  /** The number, as it was entered. */
  number: string;
  /** Name of the item; its number if it is not published. */
  title: string;
  /** Theme; empty when unknown. */
  theme: string;
  /** ID of its collection. */
  brickfolio_id: number;
  /** Units left. */
  quantity: number;
  /** Units bought. */
  quantity_bought: number;
  /** Condition of the units. */
  condition: 'sealed' | 'used';
  /** `listed` when offered for sale, otherwise `owned`. */
  status: 'owned' | 'listed';
  /** Purchase price per unit. */
  purchase_price_usd: number;
  /** Whether the price is an estimate. */
  price_is_estimated: boolean;
  /** Date of purchase. */
  purchase_date: string;
  /** How the date is known. */
  purchase_date_is: 'known' | 'assumed' | 'unknown';
  /** Current value per unit; null when unknown. */
  current_value_usd: number | null;
  /** How well sales support the value; null without one. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /** Current value of all units; null when unknown. */
  total_current_value_usd: number | null;
  /** Value minus cost; null when unknown. */
  unrealized_gain_loss_usd: number | null;
  /** Gain or loss as a percentage of cost; 0 when the cost is 0; null when unknown. */
  unrealized_gain_loss_pct: number | null;
  /** Grade of condition, such as `damaged_box` or `incomplete_85`; null if none was chosen. */
  grade: string | null;
  /** Notes; may have several lines. It is null if there are none. */
  notes: string | null;
  /** Tags, in the order they were entered. */
  tags: string[];
  /** Where the units are, from the outside in: `Shelf A › Bin 3`; null if unknown. */
  place: string | null;
  /** Where they were bought; null if unknown. */
  bought_at: string | null;
  /** Asking price per unit; null if unknown. */
  asking_price_usd: number | null;
  /** Address of the listing; null if unknown. */
  listing_url: string | null;
  /** Date of the listing; null if unknown. */
  listed_at: string | null;
  /** Days since then; null unless the status is `listed`. */
  days_listed: number | null;
  /** Fields that you named, by name. */
  own_fields: OwnField[];
}

/** Your holdings of sets and minifigures. */
export interface OwnHoldingPage {
  /** In the order they were recorded. */
  holdings: OwnHolding[];
  /** Send this as `after` in the next call. */
  next: number;
  /** Whether there are more rows after `next`. */
  has_more: boolean;
}

/** Position of this page in the list. */
export interface Pagination {
  /** Number of elements on all pages. */
  total: number;
  /** The requested page size. */
  limit: number;
  /** The requested offset: elements skipped before this page. */
  offset: number;
  /** Whether there are more elements after this page. */
  has_more: boolean;
}

/** Our estimate of the revenue from the parts; null if no source has a recent value for them. */
export interface PartsEstimate {
  /** Revenue from the parts that are assumed to sell, in whole dollars. */
  sold_usd: number;
  /** The orders it is assumed to sell in. */
  orders: number;
}

export interface PaymentFee {
  /** The payment method. */
  name: string;
  /** What the percentage is of: the items, the price with shipping, or that with sales tax. */
  base: 'items' | 'with_shipping' | 'with_tax';
  /** Percentage of it. */
  percent: number;
  /** Fixed fee per payment. */
  fee_usd: number;
}

/** The fees of one platform from a day on. A price of 0 has no fees. */
export interface PlatformFees {
  /** The platform. */
  platform: Platform;
  /** In effect from this day, until the next one; the first also before it. */
  from: string;
  /** The price list it is taken from. */
  source: string;
  /** What the percentage is of: the items, the price with shipping, or that with sales tax. */
  base: 'items' | 'with_shipping' | 'with_tax';
  /** Whether steps apply to each unit or to the whole order. */
  steps_per: 'unit' | 'order';
  /** Marginal, like tax brackets. */
  steps: FeeStep[];
  /** A fixed fee by the amount of the order; may be empty. */
  per_order: OrderFee[];
  /** The least that percentage and order fee come to. */
  minimum_usd: number;
  /** Payment methods, the usual one first; may be empty. */
  payments: PaymentFee[];
}

export interface PostageRate {
  /** Weight in pounds. */
  up_to_lbs: number;
  /** Postage. */
  usd: number;
}

/** Shipping within the United States from a day on. */
export interface PostageTable {
  /** In effect from this day, until the next one; the first also before it. */
  from: string;
  /** The price list it is taken from. */
  source: string;
  /** Cost of packing material. */
  packing_usd: number;
  /** Weight of packing material in pounds. */
  packing_lbs: number;
  /** Volume that counts as a pound. */
  cubic_inches_per_pound: number;
  /** By increasing weight. */
  rates: PostageRate[];
  /** For each pound begun above the last rate. */
  above_per_lb_usd: number;
  /** An unknown weight is this many pounds, times the pieces to the power of `pieces_power`. */
  pieces_factor: number;
  /** The power of the number of pieces. */
  pieces_power: number;
}

/** The price of a set at one retailer. */
export interface PriceBlock {
  /** Current price; null when there is no offer. */
  price: number | null;
  /**
   * `retailer`: sold by the retailer; `third_party`: sold only by third parties; null: no offer, or
   * the seller is unknown.
   */
  sellerType: 'retailer' | 'third_party' | null;
  /**
   * When the price last changed, by observation time; null if it never did. A set that comes back
   * in stock at the same price has not changed.
   */
  changedAt: string | null;
  /** Amount of the last change, negative for a drop; null if there was none. */
  lastChange: number | null;
  /**
   * Whether the retailer stopped selling the set itself and third parties took over. Confirmed by
   * two observations in a row, or after six hours.
   */
  flip1pTo3p: boolean;
  /** Whether the price is the lowest ever seen and has been higher. */
  atLowest: boolean;
  /** Lowest price ever seen; null if there was none. */
  lowest: number | null;
  /** Whether it is in stock; null when unknown. */
  inStock: boolean | null;
}

/** What prices, max buy prices and box bids are computed from; null without a value. */
export interface PriceTerms {
  /** Tier of this value; if `modeled`, there is no max buy price. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** The value, or the other price while it is doubted, whichever is lower. */
  level_usd: number;
  /** Uncertainty of the value: the standard deviation of its logarithm. */
  value_spread: number;
  /** Scatter of sales around the value: likewise. */
  sale_spread: number;
  /** By increasing share; between two shares, interpolate. */
  quantiles: SoldQuantile[];
  /** How fast prices rise, as a difference of logarithms; null if not learned. */
  growth_per_year: number | null;
  /** How often the item sells in this condition; null when unknown. */
  rate: SalesRate | null;
  /** All channels in a fixed order. */
  channels: ChannelTerms[];
}

/** What was published at one time, in force until the next change. */
export interface PublishedOffer {
  /** When it was published. */
  at: string;
  /** The price; null when there is no offer. */
  price_usd: number | null;
  /** Who sells it; null when unknown, or without offer. */
  seller_type: 'retailer' | 'third_party' | null;
  /** Whether it is in stock; null when unknown. */
  in_stock: boolean | null;
  /**
   * Whether the price turned out to be wrong, because an import was corrected or undone. Such a
   * price is no low.
   */
  corrected: boolean;
}

/** Sales with the same outcome for the same reason. */
export interface ReasonCount {
  /** The outcome of these sales. */
  outcome: 'accepted' | 'down_weighted' | 'quarantined' | 'rejected';
  /** Reason code; null for ordinary sales. */
  reason: string | null;
  /** Number of these sales. */
  count: number;
}

/** A recorded sale. */
export interface RecordedSale {
  /** ID of the sale. */
  id: number;
  /** Whether it is a set or a minifigure. */
  item_type: 'set' | 'minifig';
  /** The number, as it was entered. */
  number: string;
  /** Name of the item; its number if it is not published. */
  title: string;
  /** Condition of the units. */
  condition: 'sealed' | 'used';
  /** Where it was sold. */
  platform: Platform;
  /** Date of the sale. */
  sale_date: string;
  /** Units sold. */
  quantity: number;
  /** What the buyer paid in total. */
  gross_proceeds_usd: number;
  /** Platform fees. */
  platform_fees_usd: number;
  /** Payment fees. */
  payment_fees_usd: number;
  /** Shipping cost paid by the seller. */
  shipping_cost_usd: number;
  /** Gross proceeds minus fees and shipping. */
  net_proceeds_usd: number;
  /** Net proceeds minus cost. */
  profit_loss_usd: number;
  /** Profit or loss as a percentage of cost; null when the cost is 0. */
  roi_pct: number | null;
  /** Cost of the units, fixed when the sale was recorded. */
  cost_basis_usd: number;
}

/** Your recorded sales of sets and minifigures. */
export interface RecordedSalePage {
  /** In the order they were recorded. */
  sales: RecordedSale[];
  /** Send this as `after` in the next call. */
  next: number;
  /** Whether there are more rows after `next`. */
  has_more: boolean;
}

/** One change. */
export interface RetailChange {
  /** Type of the document. */
  type: 'retail';
  /** The canonical number of the set or minifigure. */
  number: string;
  /** The current document in full, as in a file; null if it no longer exists. */
  document: RetailRow | null;
  /**
   * The number that has taken over from this one, without a document: that of the minifigure it was
   * merged into, or its new spelling; null if none has.
   */
  replaced_by: string | null;
}

/**
 * What you would net by selling one unit through Retailer A, before your purchase cost, inbound
 * shipping and storage.
 */
export interface RetailExit {
  /** Lowest offer fulfilled by the retailer (FBA); null when unknown. */
  lowestFba: number | null;
  /** Number of sellers with such an offer; null when unknown. */
  fbaSellers: number | null;
  /** Price of the featured offer; null when unknown. */
  buyBox: number | null;
  /**
   * `lowestFba`, otherwise `buyBox`, minus referral and fulfillment fees; null when the price or
   * the size of the box is unknown.
   */
  netFba: number | null;
}

/** Published price, seller and stock changes of a set at each retailer, and its lows. */
export interface RetailHistory {
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** One element per retailer that ever offered the set, also without changes here. */
  retailers: RetailerHistory[];
  /** Send this as `after` to get earlier changes; null when there are none. */
  next: number | null;
}

/** Published changes at each retailer and lows of up to 100 sets. */
export interface RetailHistoryBatch {
  /** One element per unique item, in the order of the request. */
  sets: (FoundRetailHistory | MissingSet)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** The body of `getRetailHistoryBatch`. */
export interface RetailHistoryBatchRequest {
  /** Set numbers, at most 100 unique ones. */
  readonly sets: readonly string[];
  /** Only changes at this retailer. */
  readonly retailer?: 'retailer_a' | 'retailer_b' | undefined;
  /** Only changes at or after this time, and for each retailer the one that was in force then. */
  readonly from?: string | undefined;
  /** Only changes before this time. */
  readonly to?: string | undefined;
  /** Maximum number of changes per set. Default: 10. */
  readonly limit?: number | undefined;
}

/**
 * The lowest prices of the last days, each including the price in force when the days began. They
 * include no time before `since`, except for `all_time_usd`.
 */
export interface RetailLows {
  /** Lowest price in the last 30 days; null if there was no offer. */
  days_30_usd: number | null;
  /** Lowest price in the last 90 days; null if there was no offer. */
  days_90_usd: number | null;
  /** Lowest price in the last 365 days; null if there was no offer. */
  days_365_usd: number | null;
  /** Lowest price ever seen, also before `since`; null when it is unknown. */
  all_time_usd: number | null;
}

/** Current prices at both retailers of up to 100 sets. */
export interface RetailPriceBatch {
  /** One element per unique item, in the order of the request. */
  sets: (FoundRetailPrices | MissingSet)[];
  /** Counts of requested and found items. */
  summary: BatchSummary;
}

/** The body of `getRetailPriceBatch`. */
export interface RetailPriceBatchRequest {
  /** Set numbers, at most 100 unique ones. */
  readonly sets: readonly string[];
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
  /** Your average unit cost over lots you still hold; present only for sets you hold. */
  paid?: number;
  /** The price at Retailer A. */
  retailer_a: PriceBlock;
  /** The price at Retailer B. */
  retailer_b: PriceBlock;
  /**
   * What you would net by selling one unit through Retailer A, before your purchase cost, inbound
   * shipping and storage.
   */
  retailer_aExit: RetailExit;
}

/** The history of a set at one retailer. */
export interface RetailerHistory {
  /** The retailer. */
  retailer: 'retailer_a' | 'retailer_b';
  /** When its history begins. What was published before is not known. */
  since: string;
  /**
   * The lowest prices of the last days, each including the price in force when the days began. They
   * include no time before `since`, except for `all_time_usd`.
   */
  lows: RetailLows;
  /** Changes on this page, latest first. */
  changes: PublishedOffer[];
}

/** The price of the set at one retailer. */
export interface RetailerSummary {
  /** Identifier of the retailer. */
  retailer: 'retailer_a' | 'retailer_b';
  /** Display name of the retailer. */
  retailer_name: string;
  /** Latest known price; kept when the set sells out. */
  current_price: number;
  /** List price at the retailer, otherwise the MSRP, otherwise the price. */
  list_price: number;
  /** Discount from the list price in percent, never below 0. */
  discount_percent: number;
  /** Whether the set can be bought; also true when the retailer does not say. */
  in_stock: boolean;
  /** Whether the retailer itself is the seller. False also when the seller is unknown. */
  is_first_party: boolean;
  /** URL of the product page; null when unknown. */
  product_url: string | null;
  /** When the price was last observed. */
  last_checked_at: string;
}

/** A recorded sale. */
export interface Sale {
  /** ID of the sale. */
  id: number;
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Where it was sold. */
  platform: Platform;
  /** Date of the sale. */
  sale_date: string;
  /** Units sold. */
  quantity: number;
  /** What the buyer paid in total. */
  gross_proceeds_usd: number;
  /** Platform fees. */
  platform_fees_usd: number;
  /** Payment fees. */
  payment_fees_usd: number;
  /** Shipping cost paid by the seller. */
  shipping_cost_usd: number;
  /** Gross proceeds minus fees and shipping. */
  net_proceeds_usd: number;
  /** Net proceeds minus cost. */
  profit_loss_usd: number;
  /** Profit or loss as a percentage of cost; null when the cost is 0. */
  roi_pct: number | null;
}

/** Your recorded sales. */
export interface SalePage {
  /** Newest first. */
  sales: Sale[];
  /** Position of this page in the list. */
  pagination: Pagination;
}

/** Sales that count, by age; null without a value. */
export interface SalesByWindow {
  /** In the last 30 days. */
  days_30: number;
  /** In the last 90 days. */
  days_90: number;
  /** In the last 180 days. */
  days_180: number;
  /** In the last 365 days. */
  days_365: number;
  /** Since the first sale. */
  ever: number;
}

/** How often the item sells in this condition; null when unknown. */
export interface SalesRate {
  /** Sales in the last `days` days. */
  sales: number;
  /** Those that count in waits: of each seller no more than usual. */
  counted_sales: number;
  /** Days in which sales could be observed, at most 180. */
  days: number;
  /** What similar items count for, in sales. */
  prior_sales: number;
  /** The days of these sales. */
  prior_days: number;
  /** How busy these `days` were: 1 is an average time of the year. */
  season_index: number;
}

/** The query parameters of `searchMinifigs`. */
export interface SearchMinifigsQuery {
  /**
   * Words to search for; each must appear in the number or the name. At least 2 visible characters:
   * spaces do not count, and an accented letter or an emoji counts as one.
   */
  readonly q: string;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Number of elements to skip. Any whole number; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** The query parameters of `searchSets`. */
export interface SearchSetsQuery {
  /**
   * Words to search for; each must appear in the number or the name. At least 2 visible characters:
   * spaces do not count, and an accented letter or an emoji counts as one.
   */
  readonly q: string;
  /** Page size. */
  readonly limit?: number | undefined;
  /** Number of elements to skip. Any whole number; past the end, the page is empty. */
  readonly offset?: number | undefined;
}

/** A set with its market values. */
export interface Set {
  /** The set number: plain for variant 1 (`75192`), with `-k` for variant k (`75192-2`). */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** Theme, such as `Castle`. */
  theme: string;
  /** Subtheme; null when there is none. */
  subtheme: string | null;
  /** Number of pieces in the box; null when unknown. */
  pieces: number | null;
  /** Number of minifigures in the box. */
  minifigs_count: number;
  /**
   * Numbers of the minifigures in the set, sorted by number. Includes those that were replaced
   * while it was sold, so there can be more than `minifigs_count`.
   */
  minifigs: string[];
  /** Barcodes on the box. */
  barcodes: Barcodes;
  /** Recommended retail price in the US; null when unknown. */
  msrp_usd: number | null;
  /** Release date; null when unknown. */
  release_date: string | null;
  /** Retirement date; null while it is in the future, or when unknown. */
  retire_date: string | null;
  /** 1 announced, 2 available, 3 retiring soon (within 90 days), 4 retired. */
  status_id: number;
  /** How well sales support `new_value_usd`. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled';
  /** URL of a picture; null when unknown. */
  image_url: string | null;
  /** Market value, new and sealed; null when too little is known. */
  new_value_usd: number | null;
  /** Market value, used and complete; null when too little is known. */
  used_value_usd: number | null;
  /**
   * Expected range of the next ordinary sale in new condition, around `new_value_usd`; null without
   * a value.
   */
  value_range: SetValueRange | null;
  /** Retailers that have ever had a price for the set, `retailer_a` first. */
  retailers: RetailerSummary[];
  /** Size and weight of the sealed box. */
  box: Box;
}

/** One change. */
export interface SetChange {
  /** Type of the document. */
  type: 'sets';
  /** The canonical number of the set or minifigure. */
  number: string;
  /** The current document in full, as in a file; null if it no longer exists. */
  document: Set | null;
  /**
   * The number that has taken over from this one, without a document: that of the minifigure it was
   * merged into, or its new spelling; null if none has.
   */
  replaced_by: string | null;
}

/** A set's value on each day since the last finalized month. */
export interface SetDailyValues {
  /** The set number. */
  set_number: string;
  /** Condition of the values. */
  condition: 'sealed' | 'used';
  /** Always false: the month is computed again when it becomes final. */
  final: false;
  /** Oldest first, from the first day with a value until today. */
  days: DailyValue[];
}

/** The finalized months of a set. */
export interface SetMonths {
  /** The set number. */
  set_number: string;
  /** Months of new sets, oldest first. */
  sealed: HistoryPoint[];
  /** Months of used sets, oldest first. */
  used: HistoryPoint[];
}

/** All sets, with filters, sorted, with the fields you choose. */
export interface SetPage {
  /** In the chosen order. */
  sets: ListedSet[];
  /** Number of items on all pages. */
  total: number;
  /** Send this as `after` to get the next page; null on the last one. */
  next: string | null;
}

/** Sets by number or name, without values. */
export interface SetSearchPage {
  /** Matches, best first. */
  results: SetSearchResult[];
  /** Position of this page in the list. */
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
  /** URL of a picture; null when unknown. */
  image_url: string | null;
}

/**
 * Expected range of the next ordinary sale in new condition, around `new_value_usd`; null without a
 * value.
 */
export interface SetValueRange {
  /** Lower end of the range. */
  low: number;
  /** Upper end of the range. */
  high: number;
  /** When the value was computed; never in the future. */
  calculated_at: string;
}

/** Something that is sold. */
export interface SoldLine {
  /** The `set`, its `minifigs`, the `rest` without them, or its `parts`. */
  what: 'set' | 'minifigs' | 'rest' | 'parts';
  /** How many; 1 for parts, which are one estimate. */
  units: number;
  /** The channel that leaves most; null if minifigures have several. */
  channel: SellingChannel | null;
  /** The median price, including shipping; of parts, without it. */
  price_usd: number;
  /** Platform, payment, fulfillment and storage fees. */
  fees_usd: number;
  /** Shipping and packaging. */
  postage_usd: number;
}

/** A measured quantile of past errors. */
export interface SoldQuantile {
  /** A share of ordinary sales. */
  share: number;
  /** The error that this share of sales exceeds, in units of the spread. */
  quantile: number;
}

export interface StorageRates {
  /** Per cubic foot and month, for standard sizes. */
  standard_size_usd: number;
  /** Per cubic foot and month, for larger sizes. */
  larger_usd: number;
}

/** The query parameters of `streamEvents`. */
export interface StreamEventsQuery {
  /** Only events after this position. If omitted, the stream starts now. */
  readonly after?: number | undefined;
  /** Only events of these kinds, separated by commas. */
  readonly kinds?: string | readonly string[] | undefined;
  /**
   * `holdings`: only events about sets and minifigures you hold. `watch`: only events about those
   * on your watchlists.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** Maximum number of events to send at a time. */
  readonly limit?: number | undefined;
}

/** A theme and its number of sets. */
export interface Theme {
  /** Name of the theme. */
  theme: string;
  /** Number of sets in it. */
  set_count: number;
}

/** All themes, with the number of sets in each. */
export interface ThemeList {
  /** All themes, sorted by name. */
  themes: Theme[];
}

/** The set with the largest gain; null when there is none. */
export interface TopGainer {
  /** The set number; null when unknown. */
  set_number: string | null;
  /** Name of the set; null when unknown. */
  title: string | null;
  /** The gain as a percentage of cost; null when unknown. */
  gain_pct: number | null;
}

/** The set with the largest loss; null when there is none. */
export interface TopLoser {
  /** The set number; null when unknown. */
  set_number: string | null;
  /** Name of the set; null when unknown. */
  title: string | null;
  /** The loss as a percentage of cost; null when unknown. */
  loss_pct: number | null;
}

/** Calls your key has used today and on each of the last 30 days. */
export interface Usage {
  /** Daily allowance of the key. */
  limit: number;
  /** Calls counted against today's allowance. */
  used: number;
  /** Calls left until the reset. */
  remaining: number;
  /** When the allowance resets: the next midnight UTC. */
  reset: string;
  /** The last 30 days, today last. */
  days: UsageDay[];
}

/** One day. */
export interface UsageDay {
  /** The UTC date. */
  date: string;
  /** Calls your key used on that day. */
  used: number;
}

/** Everything held on one day. */
export interface ValuePoint {
  /** The date. */
  date: string;
  /** Value of everything held on that day; at cost before its first value. */
  total_value_usd: number;
  /** Cost of everything held on that day. */
  cost_basis_usd: number;
  /** Value minus cost. */
  gain_loss_usd: number;
  /** Gain or loss as a percentage of cost; 0 when the cost is 0. */
  gain_loss_pct: number;
}

/** An item of a watchlist. */
export interface WatchedItem {
  /** Whether it is a set or a minifigure. */
  item_type: 'set' | 'minifig';
  /** The canonical number. */
  number: string;
  /** Name of the item; its number if it is not published. */
  title: string;
  /** The price you wait for; null if there is none. */
  target_price_usd: number | null;
  /** Your note; null if there is none. */
  note: string | null;
  /** When it was added. */
  added_at: string;
}

/** The items of a watchlist, with target prices and notes. */
export interface WatchedItemPage {
  /** In the order they were added. */
  items: WatchedItem[];
  /** Send this as `after` in the next call. */
  next: number;
  /** Whether there are more items after `next`. */
  has_more: boolean;
}

/** The body of `saveWatchedItem`. */
export interface WatchedItemRequest {
  /** The price you wait for; null or omitted for none. */
  readonly target_price_usd?: number | null | undefined;
  /** Your note; null or omitted for none. */
  readonly note?: string | null | undefined;
}

/** A watchlist. */
export interface Watchlist {
  /** ID of the watchlist. */
  id: number;
  /** Its name, which no other of your watchlists has. */
  name: string;
  /** Number of items on it. */
  item_count: number;
  /** When it was created. */
  created_at: string;
}

/** Your watchlists. */
export interface WatchlistList {
  /** By name. */
  watchlists: Watchlist[];
}

/** The body of `createWatchlist`. */
export interface WatchlistRequest {
  /** Name of the watchlist. */
  readonly name: string;
}

/** The result of one way. */
export interface WayToSell {
  /**
   * `sealed`; `used` and complete; `minifigs` one by one, with the rest as an incomplete set; or
   * `parts` one by one.
   */
  way: 'sealed' | 'used' | 'minifigs' | 'parts';
  /** The items sold. */
  sold: SoldLine[];
  /** Sum of the prices. */
  revenue_usd: number;
  /** Sum of the fees. */
  fees_usd: number;
  /** Sum of shipping and packaging. */
  postage_usd: number;
  /** Hours of work, to the half hour. */
  hours: number;
  /** The same at your cost per hour. */
  work_usd: number;
  /** Revenue minus fees, shipping and work; below 0 if the way loses money. */
  net_usd: number;
  /** Net minus your cost; null without `price_usd`. */
  profit_usd: number | null;
  /** Standard deviation of the net, as far as values are uncertain. */
  uncertainty_usd: number;
  /** Days until half of the money is in; null when unknown. */
  half_days: number | null;
  /** Days until nine tenths of it are; null when unknown. */
  most_days: number | null;
  /** The worst tier of its values; null for `parts`. */
  data_tier: 'high' | 'medium' | 'low' | 'modeled' | null;
  /**
   * For `minifigs`: value of the rest, as a percentage of the used value, 0 if it is not sold; null
   * otherwise.
   */
  rest_value_pct: number | null;
  /** Assumptions that are not learned from sales; may be empty. */
  assumed: (
    | 'opened_set'
    | 'rest_value'
    | 'one_of_each_minifig'
    | 'minifigs_without_value'
    | 'minifigs_left_in'
    | 'parts_share'
    | 'parts_time'
    | 'parts_orders'
    | 'lots'
  )[];
}

/** The net of a set sold sealed, used, with its minifigures apart, or in parts. */
export interface WaysToSell {
  /** The set number. */
  set_number: string;
  /** Name of the set. */
  title: string;
  /** The condition of the set in hand. */
  condition: 'sealed' | 'used';
  /**
   * The way with the highest net; null unless it beats the next one by more than their uncertainty.
   */
  best: 'sealed' | 'used' | 'minifigs' | 'parts' | null;
  /** Why none is best; null if there is one, or no way at all. */
  no_best_reason: 'one_way' | 'all_lose' | 'modeled_value' | 'too_close' | null;
  /** Whether each way loses money; with `price_usd`, also after your cost. */
  loses_each_way: boolean;
  /** In a fixed order. */
  ways: WayToSell[];
  /** Ways without a result. */
  missing: MissingWay[];
  /** Our estimate of the revenue from the parts; null if no source has a recent value for them. */
  parts: PartsEstimate | null;
  /** Your account's settings for work. */
  work: WorkTerms;
}

/** A webhook. */
export interface Webhook {
  /** ID of the webhook. */
  id: number;
  /** Its name. */
  name: string;
  /** The host and the beginning of the path; the rest is not shown. */
  url: string;
  /**
   * `active`; `paused` after the last attempt of a message failed, retried once a day; or `off`.
   */
  state: 'active' | 'paused' | 'off';
  /** Why it is paused or off; null also if you turned it off. */
  state_reason: string | null;
  /** When it began to fail; null while it works. */
  failing_since: string | null;
  /** The next attempt after a failure; null while it works. */
  retry_at: string | null;
  /** The kinds of market events that are sent; empty for none. */
  kinds: EventKind[];
  /** Which events of these kinds are sent. */
  scope: 'all' | 'holdings' | 'watch';
  /** Position of the last event that was queued; null if it gets no events. */
  position: number | null;
  /** The kinds of notices about your account that are sent; empty for none. */
  notices: ('quota.reached' | 'key.expiring' | 'bulk.ready')[];
  /** When it was added. */
  created_at: string;
  /** The latest message; null if there was none in the last 30 days. */
  last_delivery: WebhookDelivery | null;
}

/** The body of `changeWebhook`. */
export interface WebhookChangeRequest {
  /** Name of the webhook. */
  readonly name?: string | undefined;
  /**
   * Where messages are sent: a public https address. It is stored encrypted, and shown in part
   * only.
   */
  readonly url?: string | undefined;
  /** The kinds of market events to send; empty for none. */
  readonly kinds?: readonly EventKind[] | undefined;
  /**
   * Which events of these kinds: `all`, or only those about your `holdings` or `watch` lists. It is
   * kept while there are no kinds.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** The kinds of notices about your account to send; empty for none. */
  readonly notices?: readonly ('quota.reached' | 'key.expiring' | 'bulk.ready')[] | undefined;
  /** `false` pauses it, `true` resumes it: it continues where it stopped, and tries at once. */
  readonly is_on?: boolean | undefined;
}

/** A message to a webhook. */
export interface WebhookDelivery {
  /** The `webhook-id` of the message. */
  message_id: string;
  /** The `type` of the message. */
  type: string;
  /** When it was queued. */
  created_at: string;
  /** `waiting` for an attempt, `done` when it was accepted, or `given_up`. */
  state: 'waiting' | 'done' | 'given_up';
  /** Attempts so far. */
  attempts: number;
  /** The last attempt; null before the first. */
  attempted_at: string | null;
  /** HTTP status of the last response; null if there was none. */
  response_status: number | null;
  /** The beginning of the last response, or why there was none; null before the first. */
  response: string | null;
}

/** Your webhooks with their state. */
export interface WebhookList {
  /** Oldest first. */
  webhooks: Webhook[];
}

/** The body of `createWebhook`. */
export interface WebhookRequest {
  /** Name of the webhook. */
  readonly name: string;
  /**
   * Where messages are sent: a public https address. It is stored encrypted, and shown in part
   * only.
   */
  readonly url: string;
  /** The kinds of market events to send; empty for none. */
  readonly kinds?: readonly EventKind[] | undefined;
  /**
   * Which events of these kinds: `all`, or only those about your `holdings` or `watch` lists. It is
   * kept while there are no kinds.
   */
  readonly scope?: 'all' | 'holdings' | 'watch' | undefined;
  /** The kinds of notices about your account to send; empty for none. */
  readonly notices?: readonly ('quota.reached' | 'key.expiring' | 'bulk.ready')[] | undefined;
}

/** A new signing secret. */
export interface WebhookSecret {
  /** The new signing secret, which no other call returns. */
  secret: string;
  /** Until then, messages are also signed with the old secret. */
  old_secret_until: string;
}

/** Your account's settings for work. */
export interface WorkTerms {
  /** Cost per hour. */
  hour_usd: number;
  /** Seconds to list a lot. */
  seconds_per_lot: number;
  /** Seconds to sort a piece. */
  seconds_per_piece: number;
}
