/**
 * Computes max buy prices and boxes from responses of the API alone, independently of the product:
 * it imports only the types of responses. `docs/examples/recompute.py` is the same in Python.
 */
import type {
  Evidence,
  FeeSchedules,
  Set as SetRecord,
} from '../../clients/typescript/src/index.ts';

type Condition = 'sealed' | 'used';
type Terms = NonNullable<Evidence['sealed']['terms']>;
type ChannelName = Terms['channels'][number]['channel'];
type Box = SetRecord['box'];

/** An item of a question, with the responses about it. */
export interface AskedItem {
  readonly condition: Condition;
  readonly quantity: number;
  /** Null: the item does not exist. */
  readonly evidence: Evidence | null;
  /** Null for minifigs. */
  readonly record: SetRecord | null;
  readonly grade_value_pct?: number;
  /** By channel, if a grade was sent: `cheapest` in its max buy price. */
  readonly cheapest?: Readonly<Record<string, boolean>>;
}

export interface Asked {
  readonly type: 'max_buy' | 'box';
  readonly fees: FeeSchedules;
  readonly items: readonly AskedItem[];
  readonly share: number;
  readonly margin_pct: number;
  readonly channel?: ChannelName | null;
  readonly cost_usd?: number | null;
}

/** Amounts in cents. */
export interface MaxBuyAnswer {
  readonly best: string | null;
  readonly channels: readonly {
    readonly channel: string;
    readonly price: number;
    readonly fees: number;
    readonly postage: number;
    readonly net: number;
    readonly max_buy: number | null;
    readonly days: number | null;
  }[];
}

export interface BoxAnswer {
  readonly sum: number;
  readonly low: number | null;
  readonly median: number | null;
  readonly high: number | null;
  readonly max_bid: number | null;
  readonly best: string | null;
  readonly profit: number | null;
  readonly costs: readonly (number | null)[] | null;
}

interface Unit {
  readonly terms: Terms;
  readonly season: Evidence['season'];
  readonly cheapest: Readonly<Record<string, boolean>>;
  readonly level: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly box: Box;
  readonly pieces: number | null;
  readonly theme: string | null;
  readonly quantity: number;
}

const channels: readonly ChannelName[] = [
  'ebay',
  'bricklink',
  'brick_owl',
  'amazon',
  'fba',
  'walmart',
  'facebook',
  'mercari',
  'whatnot',
  'local',
];

const normal = [
  0, -0.1257, -0.2533, -0.3853, -0.5244, -0.6745, -0.8416, -1.0364, -1.2816, -1.6449,
].map((quantile, index) => ({ share: (50 + 5 * index) / 100, quantile }));

const dayMs = 86_400_000;
const noBox: Box = { width_in: null, height_in: null, depth_in: null, weight_lbs: null };

export function recompute(asked: Asked): MaxBuyAnswer | BoxAnswer {
  return asked.type === 'max_buy' ? maxBuyAnswer(asked) : boxAnswer(asked);
}

const cents = (usd: number) => Math.round(usd * 100);
const points = (percent: number) => Math.round(percent * 100);
const part = (amount: number, percent: number) => Math.round((amount * points(percent)) / 10_000);
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The responses are incomplete.');
  return value;
}

function inEffect<R extends { readonly from: string }>(rows: readonly R[], day: string): R {
  return found(rows.findLast(({ from }) => from <= day) ?? rows[0]);
}

function channelOf({ terms }: Unit, name: ChannelName) {
  return found(terms.channels.find(({ channel }) => channel === name));
}

function quantileAt(quantiles: Terms['quantiles'], share: number): number {
  const index = quantiles.findIndex((known) => known.share >= share);
  if (index === -1) return found(quantiles.at(-1)).quantile;
  const high = found(quantiles[index]);
  const low = quantiles[index - 1];
  if (!low) return high.quantile;
  const step = (share - low.share) / (high.share - low.share);
  return low.quantile + (high.quantile - low.quantile) * step;
}

function priceAt(unit: Unit, name: ChannelName, share: number): number {
  const { value_spread, sale_spread, quantiles } = unit.terms;
  const { offset, price_max_usd } = channelOf(unit, name);
  const lowered = quantileAt(quantiles, share) * Math.hypot(value_spread, sale_spread);
  const price = Math.round(unit.level * Math.exp(offset + lowered));
  return price_max_usd === null ? price : Math.min(price, cents(price_max_usd));
}

function baseOf(fees: FeeSchedules, base: string, price: number, shipping: number): number {
  if (base === 'items') return Math.max(0, price - shipping);
  return base === 'with_tax' ? price + part(price, fees.sales_tax_percent) : price;
}

function platformFees(fees: FeeSchedules, name: string, price: number, shipping: number): number {
  const rows = fees.platforms.filter(({ platform }) => platform === name);
  if (rows.length === 0 || price === 0) return 0;
  const row = inEffect(rows, fees.date);
  const base = baseOf(fees, row.base, price, shipping);
  const limit = (usd: number | null) => (usd === null ? Number.POSITIVE_INFINITY : cents(usd));
  let [shares, from] = [0, 0];
  for (const { up_to_usd, percent } of row.steps) {
    const to = Math.min(base, limit(up_to_usd));
    shares += Math.max(0, to - from) * points(percent);
    from = Math.max(from, to);
  }
  const order = row.per_order.find(({ up_to_usd }) => base <= limit(up_to_usd));
  const charged = Math.round(shares / 10_000) + cents(order?.fee_usd ?? 0);
  const [payment] = row.payments;
  const paid = payment
    ? part(baseOf(fees, payment.base, price, shipping), payment.percent) + cents(payment.fee_usd)
    : 0;
  return Math.max(charged, cents(row.minimum_usd)) + paid;
}

type FbaSchedule = FeeSchedules['fba'][number];

/** In thousandths of an inch, the longest first. */
function sidesOf({ width_in, height_in, depth_in }: Box) {
  const sides = [width_in, height_in, depth_in].map((side) => Math.round((side ?? 0) * 1_000));
  const [longest = 0, median = 0, shortest = 0] = sides.sort((a, b) => b - a);
  return { longest, median, shortest };
}

/** Weights in ten-thousandths of a pound. */
function fbaSize(schedule: FbaSchedule, box: Box) {
  const { longest, median, shortest } = sidesOf(box);
  if (shortest === 0 || !box.weight_lbs) return null;
  const actual = Math.round(box.weight_lbs * 10_000);
  const fits = (side: number, limit: number | null) => limit === null || side <= limit * 1_000;
  for (const size of schedule.sizes) {
    const girth = longest + 2 * (median + shortest);
    if (!fits(longest, size.longest_in) || !fits(median, size.median_in)) continue;
    if (!fits(shortest, size.shortest_in) || !fits(girth, size.length_and_girth_in)) continue;
    const least = size.volume_side_min_in;
    const volume =
      longest * Math.max(median, (least ?? 0) * 1_000) * Math.max(shortest, (least ?? 0) * 1_000);
    const dimensional = Math.ceil(volume / (schedule.cubic_inches_per_pound * 100_000));
    const weight = least === null ? actual : Math.max(actual, dimensional);
    const upTo = ({ up_to_oz }: { readonly up_to_oz: number | null }) =>
      up_to_oz === null || weight <= up_to_oz * 625;
    const row = size.rows.find(upTo);
    if (row) return { size, row, weight, peak: size.peak.find(upTo) ?? size.peak.at(-1) };
  }
  return null;
}

function fbaFees(fees: FeeSchedules, box: Box, price: number, days: number): number | null {
  const schedule = inEffect(fees.fba, fees.date);
  const fit = fbaSize(schedule, box);
  if (fit === null) return null;
  const { size, row, weight, peak } = fit;
  const { step } = size;
  const isLow = price < cents(schedule.middle_price_from_usd);
  const isMiddle = price <= cents(schedule.middle_price_to_usd);
  const byPrice = isLow ? row.low_price_usd : isMiddle ? row.middle_price_usd : row.high_price_usd;
  const steps = step ? Math.ceil((weight - step.above_oz * 625) / (step.every_oz * 625)) : 0;
  const fee = cents(byPrice) + Math.max(0, steps) * cents(step?.usd ?? 0);
  const day = fees.date.slice(5);
  const isPeak = day >= schedule.peak_from || day <= schedule.peak_to;
  const referral = part(price, schedule.referral_percent);
  return (
    Math.max(referral, cents(schedule.referral_minimum_usd)) +
    fee +
    part(fee, schedule.surcharge_percent) +
    (isPeak ? cents(peak?.usd ?? 0) : 0) +
    storageFees(fees, box, { isStandard: size.standard_size, days })
  );
}

const nextMonth = (at: number) => {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
};
const monthStart = (at: number) => at - (new Date(at).getUTCDate() - 1) * dayMs;

function storageFees(
  fees: FeeSchedules,
  box: Box,
  { isStandard, days }: { readonly isStandard: boolean; readonly days: number },
): number {
  const { longest, median, shortest } = sidesOf(box);
  const inches = (longest * median * shortest) / 1_000 ** 3;
  const first = Date.parse(fees.date);
  const end = first + Math.min(Math.round(days), 3_650) * dayMs;
  let total = 0;
  for (let at = first; at < end; at = nextMonth(at)) {
    const [start, following] = [monthStart(at), nextMonth(at)];
    const until = Math.min(following, end);
    const schedule = inEffect(fees.fba_storage, new Date(at).toISOString().slice(0, 10));
    const isLate = new Date(at).getUTCMonth() >= 9;
    const rates = isLate ? schedule.october_to_december : schedule.january_to_september;
    const rate = cents(isStandard ? rates.standard_size_usd : rates.larger_usd);
    total += (((rate * inches) / 1_728) * (until - at)) / (following - start);
    const fifteenth = start + 14 * dayMs;
    if (fifteenth < at || fifteenth >= until) continue;
    const aged = schedule.aged.findLast(({ from_day }) => from_day <= (fifteenth - first) / dayMs);
    if (aged) total += Math.max((cents(aged.usd) * inches) / 1_728, cents(aged.minimum_usd));
  }
  return Math.round(total);
}

function postageOf(fees: FeeSchedules, { box, pieces }: Unit): number {
  const table = inEffect(fees.postage, fees.date);
  const { width_in, height_in, depth_in, weight_lbs } = box;
  const volume = (width_in ?? 0) * (height_in ?? 0) * (depth_in ?? 0);
  const pounds = weight_lbs
    ? Math.max(weight_lbs, volume / table.cubic_inches_per_pound)
    : table.pieces_factor * Math.max(pieces ?? 0, 1) ** table.pieces_power;
  const weight = Math.ceil(100 * pounds) + cents(table.packing_lbs);
  const rate = table.rates.find(({ up_to_lbs }) => weight <= cents(up_to_lbs));
  const last = found(table.rates.at(-1));
  const above = Math.ceil((weight - cents(last.up_to_lbs)) / 100) * cents(table.above_per_lb_usd);
  return (rate ? cents(rate.usd) : cents(last.usd) + above) + cents(table.packing_usd);
}

interface Sale {
  readonly channel: ChannelName;
  readonly price: number;
  readonly days: number | null;
}

function netOf(fees: FeeSchedules, unit: Unit, { channel, price, days }: Sale) {
  const isShipped = channel !== 'fba' && channel !== 'local';
  const postage = isShipped ? postageOf(fees, unit) : 0;
  const charged =
    channel === 'fba'
      ? fbaFees(fees, unit.box, price, days ?? 0)
      : platformFees(fees, channel, price, Math.min(postage, price));
  return charged === null ? null : { fees: charged, postage, net: price - charged - postage };
}

interface Wanted {
  readonly margin: number;
  readonly days: number | null;
}

function neededFor({ buying_costs: costs }: FeeSchedules, price: number, { margin, days }: Wanted) {
  const cashback = Math.floor((price * points(costs.cashback_percent)) / 10_000);
  const cost = price + part(price, costs.sales_tax_percent) - cashback + cents(costs.inbound_usd);
  const perYear = cost * points(costs.cost_of_capital_percent);
  const money = Math.round((perYear * Math.round(days ?? 0)) / (10_000 * 365));
  return Math.ceil((cost * (10_000 + points(margin))) / 10_000) + money;
}

function maxBuy(fees: FeeSchedules, net: number, wanted: Wanted): number | null {
  if (net < neededFor(fees, 0, wanted)) return null;
  // Above the result: without cashback, the price is at most the net.
  let [low, high] = [0, 2];
  while (neededFor(fees, high, wanted) <= net) high *= 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (neededFor(fees, middle, wanted) <= net) low = middle;
    else high = middle;
  }
  return low;
}

function waitDays(fees: FeeSchedules, unit: Unit, name: ChannelName, nth = 1): number | null {
  const { rate } = unit.terms;
  const { queue } = channelOf(unit, name);
  if (rate === null || queue === null) return null;
  const sales = rate.prior_sales + rate.counted_sales;
  const days = rate.prior_days + rate.days * rate.season_index;
  const perMonth = (sales / days) * (365.25 / 12);
  const rivals = queue.rivals ?? queue.supply_months * perMonth * queue.sales_share;
  const buyers = (unit.cheapest[name] ?? queue.cheapest) ? 1 : rivals + 1;
  const first = days * (2 ** (1 / sales) - 1) * buyers;
  const more = nth - 1 + (buyers - 1) * Math.log(nth);
  const average = (first + more * (days / sales)) / queue.sales_share;
  return unit.season === null ? average : inSeason(fees, unit.season, average);
}

function inSeason(fees: FeeSchedules, season: readonly number[], days: number): number {
  const years = Math.floor(days / 365.25) * 365.25;
  const first = Date.parse(fees.date);
  let left = days - years;
  for (let at = first; ; at = nextMonth(at)) {
    const busy = found(season[new Date(at).getUTCMonth()]);
    const inMonth = ((nextMonth(at) - at) / dayMs) * busy;
    if (inMonth >= left) return years + (at - first) / dayMs + left / busy;
    left -= inMonth;
  }
}

function unitOf(item: AskedItem): Unit | null {
  const { condition, evidence, record, quantity, grade_value_pct = 100 } = item;
  const valued = evidence?.[condition];
  if (!evidence || !valued?.terms) return null;
  const share = grade_value_pct / 100;
  const scaled = (usd: number | undefined | null) => Math.round(cents(usd ?? 0) * share);
  return {
    terms: valued.terms,
    season: evidence.season,
    cheapest: item.cheapest ?? {},
    level: scaled(valued.terms.level_usd),
    value: scaled(valued.value_usd),
    low: scaled(valued.range?.low),
    high: scaled(valued.range?.high),
    box: condition === 'sealed' ? (record?.box ?? noBox) : noBox,
    pieces: record?.pieces ?? null,
    theme: record?.theme ?? null,
    quantity,
  };
}

const isModeled = ({ terms }: Unit) => terms.data_tier === 'modeled';

function maxBuyAnswer({ fees, items, share, margin_pct, channel }: Asked): MaxBuyAnswer {
  const unit = unitOf(found(items[0]));
  if (unit === null) return { best: null, channels: [] };
  const quotes = (channel ? [channel] : channels).flatMap((name) => {
    const price = priceAt(unit, name, share);
    const days = waitDays(fees, unit, name);
    const sale = netOf(fees, unit, { channel: name, price, days });
    if (sale === null) return [];
    const wanted = { margin: margin_pct, days };
    const max_buy = isModeled(unit) ? null : maxBuy(fees, sale.net, wanted);
    return [{ channel: name, price, ...sale, max_buy, days }];
  });
  let best: (typeof quotes)[number] | null = null;
  for (const quote of quotes) {
    if (quote.max_buy === null) continue;
    if (!channel && channelOf(unit, quote.channel).assumed) continue;
    const more = quote.max_buy - (best?.max_buy ?? -1);
    if (more > 0 || (more === 0 && quote.net > (best?.net ?? 0))) best = quote;
  }
  return { best: best?.channel ?? null, channels: quotes };
}

function shapeOf(fees: FeeSchedules, units: readonly Unit[], channel: ChannelName) {
  let [mean, variance] = [0, 0];
  const groups = new Map<string, { readonly sum: number; readonly years: number }[]>();
  for (const unit of units) {
    const { terms, quantity, theme } = unit;
    const days = waitDays(fees, unit, channel, (quantity + 1) / 2) ?? 0;
    const years = Math.min(2, days / 365.25);
    const tail = Math.max(0.8, -found(terms.quantiles.at(-1)).quantile / 1.6449);
    const drift = (0.05 ** 2 + 0.05 ** 2 + 0.1 ** 2) * years;
    const v = (tail * terms.value_spread) ** 2 + drift;
    const s = (tail * terms.sale_spread) ** 2;
    const growth = (terms.growth_per_year ?? 0.05) * years;
    const each = Math.exp(Math.log(unit.level) + growth + (v + s) / 2);
    const sum = quantity * each;
    mean += sum;
    const alone = Math.exp(v) * Math.expm1(s);
    variance += each ** 2 * (quantity ** 2 * Math.expm1(v) + quantity * alone);
    for (const group of ['all', ...(theme === null ? [] : [`theme ${theme}`])]) {
      groups.set(group, [...(groups.get(group) ?? []), { sum, years }]);
    }
  }
  const pairs = (sums: readonly number[]) => sumOf(sums) ** 2 - sumOf(sums.map((sum) => sum ** 2));
  for (const members of groups.values()) {
    variance += 0.02 ** 2 * pairs(members.map(({ sum }) => sum));
    variance += 0.05 ** 2 * pairs(members.map(({ sum, years }) => sum * Math.sqrt(years)));
  }
  const spread = Math.sqrt(Math.log1p(variance / mean ** 2));
  return { log: Math.log(mean) - spread ** 2 / 2, spread };
}

const countOf = (units: readonly Unit[]) => sumOf(units.map(({ quantity }) => quantity));

function sellAll(
  fees: FeeSchedules,
  units: readonly Unit[],
  { channel, share }: { readonly channel: ChannelName; readonly share: number },
) {
  const lowered =
    countOf(units) === 1
      ? 1
      : Math.exp(quantileAt(normal, share) * shapeOf(fees, units, channel).spread);
  const of = countOf(units) === 1 ? share : 0.5;
  let [net, waited] = [0, 0];
  for (const unit of units) {
    const days = waitDays(fees, unit, channel, (unit.quantity + 1) / 2);
    const price = Math.round(lowered * priceAt(unit, channel, of));
    const sale = netOf(fees, unit, { channel, price, days });
    if (sale === null) return null;
    if (sale.net <= 0) continue;
    net += unit.quantity * sale.net;
    waited += unit.quantity * sale.net * (days ?? 0);
  }
  return { net, days: net === 0 ? null : waited / net };
}

function boxAnswer(asked: Asked): BoxAnswer {
  const { fees, items, share, margin_pct, cost_usd = null } = asked;
  const units = items.map(unitOf).filter((unit) => unit !== null);
  const bidOn = units.filter((unit) => !isModeled(unit));
  let best: { channel: ChannelName; bid: number | null; net: number } | null = null;
  for (const channel of bidOn.length === 0 ? [] : channels) {
    if (bidOn.some((unit) => channelOf(unit, channel).assumed)) continue;
    const sold = sellAll(fees, bidOn, { channel, share });
    if (sold === null) continue;
    const { net, days } = sold;
    const bid = net === 0 ? null : maxBuy(fees, net, { margin: margin_pct, days });
    const more = (bid ?? -1) - (best?.bid ?? -1);
    if (best === null || more > 0 || (more === 0 && net > best.net)) best = { channel, bid, net };
  }
  const channel = best?.channel ?? 'ebay';
  const half = best && sellAll(fees, bidOn, { channel, share: 0.5 });
  return {
    sum: sumOf(units.map(({ quantity, value }) => quantity * value)),
    ...rangeOf(fees, units, channel),
    max_bid: best?.bid ?? null,
    best: best === null || best.bid === null ? null : channel,
    profit: half === null || cost_usd === null ? null : half.net - cents(cost_usd),
    costs: cost_usd === null ? null : costsOf(cents(cost_usd), items),
  };
}

function rangeOf(fees: FeeSchedules, units: readonly Unit[], channel: ChannelName) {
  const [first] = units;
  if (!first) return { low: null, median: null, high: null };
  if (countOf(units) === 1) {
    return { low: first.low, median: priceAt(first, 'ebay', 0.5), high: first.high };
  }
  const { log, spread } = shapeOf(fees, units, channel);
  const [low = 0, median = 0, high = 0] = [-1.2816, 0, 1.2816].map((away) =>
    Math.round(Math.exp(log + away * spread)),
  );
  return { low, median, high };
}

function costsOf(cost: number, items: readonly AskedItem[]): (number | null)[] {
  const real = items.filter(({ evidence }) => evidence !== null);
  const known = real.map((item) => {
    const listed = item.record?.msrp_usd ?? null;
    return unitOf(item)?.value ?? (listed === null ? null : cents(listed));
  });
  const given = known.filter((amount) => amount !== null);
  const mean = given.length === 0 ? 1 : Math.round(sumOf(given) / given.length);
  const weights = real.map(({ quantity }, index) => BigInt(quantity * (known[index] ?? mean)));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const products = weights.map((weight) => BigInt(cost) * weight);
  const shares = products.map((product) => Number(product / total));
  const order = [...products.keys()].sort((a, b) =>
    Number((found(products[b]) % total) - (found(products[a]) % total)),
  );
  for (const index of order.slice(0, cost - sumOf(shares))) {
    shares[index] = found(shares[index]) + 1;
  }
  return items.map((item) => (item.evidence === null ? null : found(shares.shift())));
}
