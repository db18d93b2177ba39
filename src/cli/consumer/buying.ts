/** `max-buy`, `ways-to-sell` and `deals`. */

import type {
  ChannelQuote,
  Deal,
  DealPage,
  MaxBuy,
  WaysToSell,
  WayToSell,
} from '../../../clients/typescript/src/index.ts';
import { dealTiers, dealWarningTexts } from '../../buying/deals/deal.ts';
import { sellingChannelName, sellingChannels } from '../../buying/prices/selling-channels.ts';
import { noBuyWords } from '../../buying/prices/what-to-pay.ts';
import {
  noBestTexts,
  noWayTexts,
  wayAssumptionTexts,
  wayTexts,
} from '../../buying/ways/way-words.ts';
import { assumedIn } from '../../buying/ways/ways.ts';
import { amountMax, pageSizeMax } from '../../contract/limits.ts';
import { countText, percentText, usdText, waitText } from '../../kernel/format.ts';
import { leftOutFees, leftOutTexts } from '../../market/fees/left-out-fees.ts';
import { sealedGrades } from '../../market/grades/grades.ts';
import { conditions, retailers } from '../../market/source-rows/source-rows.ts';
import { countFlag, type Flags, type Input, type Nothing, readDecimal } from '../row.ts';
import { answerOf, callCommand, csvTable, type Formats } from './call-command.ts';
import { type Column, type Screen, screenFacts, screenTable } from './screen.ts';
import { conditionText, gainUsdText, searchHint, tierText } from './words.ts';

const percentMax = 500;

/** The terms of a purchase; without them, the defaults of the server. */
const termFlags = {
  share: {
    help: 'Chance to keep the margin, from 0.5 to 0.95 (default 0.8)',
    value: 'SHARE',
    read: readDecimal({ min: 0.5, max: 0.95 }),
  },
  margin: {
    help: 'Margin on cost in percent (default 25)',
    value: 'PERCENT',
    read: readDecimal({ min: 0, max: percentMax }),
  },
} as const satisfies Flags;

/** Left out if null, so that the server's default applies. */
function termsOf({ share, margin }: Input<Nothing, typeof termFlags>) {
  return { share: share ?? undefined, margin_pct: margin ?? undefined };
}

const amount = (help: string) =>
  ({ help, value: 'USD', read: readDecimal({ min: 0, max: amountMax }) }) as const;

const dealFlags = {
  retailer: { help: 'Only this retailer', value: 'RETAILER', choices: retailers },
  theme: { help: 'Only this theme, spelled as in a set', value: 'THEME' },
  status: {
    help: 'Only sets with this status_id, 1 to 4',
    value: 'ID',
    integer: { min: 1, max: 4 },
  },
  'min-tier': {
    help: 'Lowest data tier: medium (default), low or high',
    value: 'TIER',
    choices: dealTiers,
  },
  'min-profit': amount('Only deals with at least this profit'),
  'min-roi': {
    help: 'Only deals with at least this return on cost, in percent',
    value: 'PERCENT',
    read: readDecimal({ min: 0, max: amountMax }),
  },
  'max-price': amount('Only offers at or below this price'),
  'min-part-out': {
    help: 'Only deals whose parts sell for at least this multiple of the price',
    value: 'RATIO',
    read: readDecimal({ min: 0, max: amountMax }),
  },
  grade: {
    help: 'Grade in which you expect to sell the units',
    value: 'GRADE',
    choices: sealedGrades,
  },
} as const satisfies Flags;

function filtersOf(given: Input<Nothing, typeof dealFlags>) {
  return {
    retailer: given.retailer ?? undefined,
    theme: given.theme ?? undefined,
    status_id: given.status ?? undefined,
    min_tier: given.minTier ?? undefined,
    min_profit_usd: given.minProfit ?? undefined,
    min_roi_pct: given.minRoi ?? undefined,
    max_price_usd: given.maxPrice ?? undefined,
    min_part_out_ratio: given.minPartOut ?? undefined,
    grade: given.grade ?? undefined,
  };
}

export const buyingCommands = [
  callCommand({
    name: 'max-buy',
    operands: { number: { label: 'NUMBER' } },
    summary: 'Show the max buy price of a set by channel',
    flags: {
      condition: { help: 'sealed (default) or used', value: 'CONDITION', choices: conditions },
      minifig: { help: 'NUMBER is a minifig number' },
      grade: { help: 'Grade of the unit, such as damaged_box or incomplete_85', value: 'GRADE' },
      channel: { help: 'Only this channel', value: 'CHANNEL', choices: sellingChannels },
      ...termFlags,
    },
    missingHint: ({ minifig }) =>
      minifig ? searchHint : `For a minifig, add --minifig. ${searchHint}`,
    call: async ({ number, condition, minifig, grade, channel, ...terms }, brickmark) => {
      const item = minifig ? { minifig: number } : { set: number };
      // The server's default depends on the kind of item.
      const unit = { ...item, condition: condition ?? undefined, grade: grade ?? undefined };
      const query = { ...unit, channel: channel ?? undefined, ...termsOf(terms) };
      return answerOf(await brickmark.plus.getMaxBuy(query), maxBuyFormats);
    },
  }),
  callCommand({
    name: 'ways-to-sell',
    operands: { number: { label: 'NUMBER' } },
    summary: 'Compare what a set brings sealed, used, without its minifigs and in parts',
    flags: {
      condition: { help: 'sealed (default) or used', value: 'CONDITION', choices: conditions },
      price: amount('What you pay for the set'),
    },
    missingHint: () => searchHint,
    call: async ({ number, condition, price }, brickmark) => {
      const query = { condition: condition ?? undefined, price_usd: price ?? undefined };
      return answerOf(await brickmark.plus.getWaysToSell(number, query), wayFormats);
    },
  }),
  callCommand({
    name: 'deals',
    summary: 'List offers below your max buy price, most profit per month first',
    flags: {
      limit: countFlag(`Number of results, up to ${pageSizeMax}`, pageSizeMax, 20),
      ...termFlags,
      ...dealFlags,
    },
    call: async ({ limit, ...flags }, brickmark) => {
      const query = { limit, ...termsOf(flags), ...filtersOf(flags) };
      return answerOf(await brickmark.plus.listDeals(query), dealFormats);
    },
  }),
];

const maxBuyFormats: Formats<MaxBuy> = {
  csv: ({ number, condition, channels }) =>
    csvTable(channels, [
      ['number', () => number],
      ['condition', () => condition],
      'channel',
      'assumed',
      'price_usd',
      'fees_usd',
      'postage_usd',
      'net_usd',
      'max_buy_usd',
      'wait_days',
      'rivals',
      'cheapest',
      'wait_assumed',
    ]),
  text: maxBuyText,
};

function maxBuyText(answer: MaxBuy, screen: Screen): string {
  const { number, title, condition, reason, channels, data_tier: tier } = answer;
  const best = channels.find(({ channel }) => channel === answer.best_channel);
  return [
    screen.paint('heading', `${number}  ${title}, ${conditionText(condition).toLowerCase()}`),
    screenFacts(
      [
        [
          'Max buy',
          best
            ? `${usdText(best.max_buy_usd)} to sell on ${sellingChannelName(best.channel)}`
            : null,
        ],
        ['Why not', reason === null ? null : noBuyWords[reason]],
        ['Value', answer.value_usd === null ? null : usdText(answer.value_usd)],
        ['Data tier', tier === null ? null : tierText(tier)],
        ['Sells', answer.sales_per_month === null ? null : paceText(answer.sales_per_month)],
        ['Terms', termsText(answer)],
      ],
      screen,
    ),
    ...(channels.length === 0 ? [] : ['', screenTable(channelColumns, channels, screen)]),
    ...(channels.some(({ assumed }) => assumed)
      ? [screen.paint('quiet', '* No prices for this channel; prices of other channels are used.')]
      : []),
    ...(channels.some(({ wait_assumed }) => wait_assumed)
      ? [screen.paint('quiet', '~ Other units for sale, or sales on the channel, are assumed.')]
      : []),
    ...leftOutFees
      .filter((fee) => channels.some(({ not_included }) => not_included.includes(fee)))
      .map((fee) => screen.paint('quiet', leftOutTexts[fee])),
  ].join('\n');
}

function paceText(salesPerMonth: number): string {
  const times = salesPerMonth < 0.1 ? 'under 0.1' : salesPerMonth.toFixed(1);
  return `${times} times a month, in all channels`;
}

const channelColumns: readonly Column<ChannelQuote>[] = [
  {
    title: 'CHANNEL',
    text: ({ channel, assumed }) => `${sellingChannelName(channel)}${assumed ? ' *' : ''}`,
    isCut: true,
  },
  { title: 'PRICE', text: ({ price_usd }) => usdText(price_usd), isNumber: true },
  { title: 'FEES', text: ({ fees_usd }) => usdText(fees_usd), isNumber: true },
  { title: 'SHIPPING', text: ({ postage_usd }) => usdText(postage_usd), isNumber: true },
  { title: 'NET', text: ({ net_usd }) => usdText(net_usd), isNumber: true },
  { title: 'MAX BUY', text: ({ max_buy_usd }) => usdText(max_buy_usd), isNumber: true },
  {
    title: 'OTHERS',
    text: ({ rivals }) => (rivals === null ? '-' : countText(rivals)),
    isNumber: true,
  },
  {
    title: 'SELLS IN',
    text: ({ wait_days, wait_assumed }) =>
      `${wait_assumed && wait_days !== null ? '~' : ''}${waitText(wait_days)}`,
    isNumber: true,
  },
];

function termsText({ margin_pct, share }: Pick<MaxBuy, 'margin_pct' | 'share'>): string {
  return `${margin_pct}% margin, ${Math.round(share * 100)}% chance to keep it`;
}

const wayFormats: Formats<WaysToSell> = {
  csv: ({ set_number, condition, ways }) =>
    csvTable(ways, [
      ['set_number', () => set_number],
      ['condition', () => condition],
      'way',
      'revenue_usd',
      'fees_usd',
      'postage_usd',
      'hours',
      'work_usd',
      'net_usd',
      'profit_usd',
      'uncertainty_usd',
      'half_days',
      'most_days',
      'data_tier',
      'rest_value_pct',
      ['assumed', ({ assumed }) => assumed.join(' ')],
    ]),
  text: (found, screen) => {
    const { set_number, title, condition, best, ways, missing } = found;
    return [
      screen.paint('heading', `${set_number}  ${title}, ${conditionText(condition).toLowerCase()}`),
      ...(best === null ? [] : [`Best: ${wayTexts[best]}`]),
      ...(found.no_best_reason === null ? [] : [noBestTexts[found.no_best_reason]]),
      ...(ways.length === 0 ? [] : ['', screenTable(wayColumns, ways, screen)]),
      ...missing.map(({ way, reason }) =>
        screen.paint('quiet', `${wayTexts[way]}: ${noWayTexts[reason]}.`),
      ),
      ...assumedIn(ways).map((each) => screen.paint('quiet', wayAssumptionTexts[each])),
    ].join('\n');
  },
};

const wayColumns: readonly Column<WayToSell>[] = [
  { title: 'WAY', text: ({ way }) => wayTexts[way], isCut: true },
  { title: 'REVENUE', text: ({ revenue_usd }) => usdText(revenue_usd), isNumber: true },
  { title: 'FEES', text: ({ fees_usd }) => usdText(fees_usd), isNumber: true },
  { title: 'SHIPPING', text: ({ postage_usd }) => usdText(postage_usd), isNumber: true },
  { title: 'HOURS', text: ({ hours }) => String(hours), isNumber: true },
  { title: 'NET', text: ({ net_usd }) => usdText(net_usd), isNumber: true },
  { title: '±', text: ({ uncertainty_usd }) => usdText(uncertainty_usd), isNumber: true },
  { title: 'PROFIT', text: ({ profit_usd }) => usdText(profit_usd), isNumber: true },
  { title: 'HALF IN', text: ({ half_days }) => waitText(half_days), isNumber: true },
];

const dealFormats: Formats<DealPage> = {
  csv: ({ deals }) =>
    csvTable(deals, [
      'set_number',
      'title',
      'theme',
      'retailer',
      'price_usd',
      'max_buy_usd',
      'best_channel',
      'net_usd',
      'profit_usd',
      'roi_pct',
      'wait_days',
      'profit_per_month_usd',
      ['warnings', ({ warnings }) => warnings.join(' ')],
      'observed_at',
      'product_url',
      'part_out_ratio',
    ]),
  text: ({ deals, pagination }, screen) => {
    if (deals.length === 0) return 'No deals right now.';
    const left = pagination.total - deals.length;
    return [
      screenTable(dealColumns, deals, screen, ({ warnings }) =>
        warnings.map((warning) => dealWarningTexts[warning]).join(' '),
      ),
      ...(left > 0 ? [screen.paint('quiet', `${countText(left)} more: --limit N`)] : []),
    ].join('\n');
  },
};

const dealColumns: readonly Column<Deal>[] = [
  { title: 'SET', text: ({ set_number }) => set_number },
  { title: 'TITLE', text: ({ title }) => title, isCut: true },
  { title: 'AT', text: ({ retailer }) => retailer.slice(-1).toUpperCase() },
  { title: 'PRICE', text: ({ price_usd }) => usdText(price_usd), isNumber: true },
  { title: 'MAX BUY', text: ({ max_buy_usd }) => usdText(max_buy_usd), isNumber: true },
  { title: 'PROFIT', text: ({ profit_usd }) => gainUsdText(profit_usd), isNumber: true },
  { title: 'ROI', text: ({ roi_pct }) => percentText(roi_pct), isNumber: true },
  { title: 'SELLS IN', text: ({ wait_days }) => waitText(wait_days), isNumber: true },
];
