/** `portfolio …`: summary, lots and sales of the key's account. */
import type {
  Analytics,
  Brickfolio,
  BrickfolioList,
  Holding,
  OwnHolding,
  Sale,
} from '../../../clients/typescript/src/index.ts';
import { countText, dayText, nounText, percentText, usdText } from '../../kernel/format.ts';
import { platformNames } from '../../market/fees/platforms.ts';
import { periods } from '../../portfolio/returns/periods.ts';
import { answerOf, callCommand, csvTable, type Formats, requireCalls } from './call-command.ts';
import { type Column, gainTone, type Screen, screenFacts, screenTable } from './screen.ts';
import { sparkline } from './sparkline.ts';
import { conditionText, gainUsdText, gainWithPercent } from './words.ts';

/** Maximum width of the sparkline. */
const lineWidthMax = 40;

const collectionFlag = {
  help: 'Show one collection only',
  value: 'ID',
  integer: { min: 1, max: Number.MAX_SAFE_INTEGER },
} as const;

/** Of commands that can show one collection only. */
const ofCollection = {
  flags: { collection: collectionFlag },
  missingHint: () => "'brickmark portfolio' shows their ids.",
};

export const portfolioCommands = [
  callCommand({
    name: 'portfolio',
    summary: 'Show the value, gain and collections of your portfolio',
    flags: {
      period: {
        help: '30d, 90d or 1y (default)',
        value: 'PERIOD',
        choices: periods,
        default: '1y',
      },
    },
    call: async ({ period }, brickmark) => {
      await requireCalls(brickmark, 2, "'brickmark usage' shows when they reset.");
      const analytics = await brickmark.getAnalytics({ period });
      const brickfolio = await brickmark.listBrickfolios();
      return answerOf({ analytics, brickfolio }, portfolioFormats);
    },
  }),
  callCommand({
    name: 'portfolio entries',
    summary: 'List all your lots of sets; one call per 250',
    ...ofCollection,
    call: async ({ collection }, brickmark) => {
      const query = { brickfolio_id: collection ?? undefined };
      const entries = await brickmark.all.listEntries(query).toArray();
      return answerOf({ entries }, entryFormats);
    },
  }),
  callCommand({
    name: 'portfolio minifigs',
    summary: 'List all minifigs you hold; one call per 250',
    ...ofCollection,
    call: async ({ collection }, brickmark) => {
      const query = { item_type: 'minifig', brickfolio_id: collection ?? undefined } as const;
      const minifigs = await brickmark.plus.all.listHoldings({ ...query, after: 0 }).toArray();
      return answerOf({ minifigs }, minifigFormats);
    },
  }),
  callCommand({
    name: 'portfolio sales',
    summary: 'List all your sales; one call per 250',
    call: async (_, brickmark) => {
      const sales = await brickmark.all.listSales().toArray();
      return answerOf({ sales }, saleFormats);
    },
  }),
];

interface Portfolio {
  readonly analytics: Analytics;
  readonly brickfolio: BrickfolioList;
}

const portfolioFormats: Formats<Portfolio> = {
  csv: ({ brickfolio }) =>
    csvTable(brickfolio.brickfolios, [
      'id',
      'name',
      'description',
      'is_default',
      'owned_set_count',
      'owned_item_count',
      'total_cost_basis_usd',
      'total_current_value_usd',
      'unrealized_gain_loss_usd',
      'created_at',
    ]),
  text: portfolioText,
};

function portfolioText({ analytics, brickfolio }: Portfolio, screen: Screen): string {
  const { brickfolios } = brickfolio;
  if (brickfolios.length === 0) return 'No collections yet.';
  return [
    screenFacts(summaryFacts(analytics, screen), screen),
    '',
    screenTable(collectionColumns, brickfolios, screen),
  ].join('\n');
}

function summaryFacts({ period, summary, value_history: history }: Analytics, screen: Screen) {
  const { unrealized_gain_loss_usd: gain, unrealized_gain_loss_pct: percent } = summary;
  const { top_gainer: gainer, top_loser: loser } = summary;
  const values = history.map(({ total_value_usd }) => total_value_usd);
  const ends = [values[0], values.at(-1)].map((value) => usdText(value ?? null));
  const gained = paintGain(gain, gainWithPercent(gain, percent), screen);
  return [
    ['Sets', `${countText(summary.total_sets)}, ${nounText(summary.total_items, 'unit')}`],
    ['Cost basis', usdText(summary.total_cost_basis_usd)],
    ['Market value', usdText(summary.total_current_value_usd)],
    ['Unrealized gain', gained],
    [`Last ${periodNames[period]}`, `${ends[0]} ${sparkline(values, lineWidthMax)} ${ends[1]}`],
    ['Top gainer', gainer && extremeText(gainer, gainer.gain_pct, screen)],
    ['Top loser', loser && extremeText(loser, loser.loss_pct, screen)],
  ] as const;
}

const periodNames: Readonly<Record<string, string>> = {
  '30d': '30 days',
  '90d': '90 days',
  '1y': 'year',
};

function paintGain(gain: number | null, text: string, screen: Screen): string {
  const tone = gainTone(gain);
  return tone === null ? text : screen.paint(tone, text);
}

function extremeText(
  { set_number, title }: { readonly set_number: string | null; readonly title: string | null },
  percent: number | null,
  screen: Screen,
): string {
  return `${paintGain(percent, percentText(percent), screen)}  ${set_number ?? ''} ${title ?? ''}`;
}

const collectionColumns: readonly Column<Brickfolio>[] = [
  { title: 'ID', text: ({ id }) => String(id), isNumber: true },
  { title: 'COLLECTION', text: ({ name }) => name, isCut: true },
  { title: 'SETS', text: ({ owned_set_count }) => countText(owned_set_count), isNumber: true },
  { title: 'UNITS', text: ({ owned_item_count }) => countText(owned_item_count), isNumber: true },
  { title: 'COST', text: (each) => usdText(each.total_cost_basis_usd), isNumber: true },
  { title: 'VALUE', text: (each) => usdText(each.total_current_value_usd), isNumber: true },
  {
    title: 'GAIN',
    text: ({ unrealized_gain_loss_usd }) => gainUsdText(unrealized_gain_loss_usd),
    tone: ({ unrealized_gain_loss_usd }) => gainTone(unrealized_gain_loss_usd),
    isNumber: true,
  },
];

const lotFields = [
  'title',
  'theme',
  'quantity',
  'condition',
  'purchase_price_usd',
  'purchase_date',
  'status',
  'current_value_usd',
  'total_current_value_usd',
  'unrealized_gain_loss_usd',
  'unrealized_gain_loss_pct',
] as const satisfies readonly (keyof Holding & keyof OwnHolding)[];

const entryFormats: Formats<{ readonly entries: readonly Holding[] }> = {
  csv: ({ entries }) => csvTable(entries, ['brickfolio_id', 'set_number', ...lotFields]),
  text: ({ entries }, screen) =>
    entries.length === 0
      ? 'No lots.'
      : screenTable(lotColumns<Holding>(setNumber), entries, screen),
};

const setNumber: Column<Holding> = { title: 'SET', text: ({ set_number }) => set_number };
const minifigNumber: Column<OwnHolding> = { title: 'MINIFIG', text: ({ number }) => number };

function lotColumns<Lot extends Pick<OwnHolding, (typeof lotFields)[number]>>(
  number: Column<Lot>,
): readonly Column<Lot>[] {
  return [
    { title: 'BOUGHT', text: ({ purchase_date }) => dayText(purchase_date) },
    number,
    { title: 'TITLE', text: ({ title }) => title, isCut: true },
    { title: 'QTY', text: ({ quantity }) => countText(quantity), isNumber: true },
    { title: 'COND', text: ({ condition }) => conditionText(condition) },
    { title: 'PAID', text: (lot) => usdText(lot.purchase_price_usd), isNumber: true },
    { title: 'VALUE', text: (lot) => usdText(lot.current_value_usd), isNumber: true },
    {
      title: 'GAIN',
      text: ({ unrealized_gain_loss_pct }) => percentText(unrealized_gain_loss_pct),
      tone: ({ unrealized_gain_loss_usd }) => gainTone(unrealized_gain_loss_usd),
      isNumber: true,
    },
  ];
}

const minifigFormats: Formats<{ readonly minifigs: readonly OwnHolding[] }> = {
  csv: ({ minifigs }) => csvTable(minifigs, ['brickfolio_id', 'number', ...lotFields]),
  text: ({ minifigs }, screen) =>
    minifigs.length === 0
      ? 'No minifigs.'
      : screenTable(lotColumns<OwnHolding>(minifigNumber), minifigs, screen),
};

const saleFormats: Formats<{ readonly sales: readonly Sale[] }> = {
  csv: ({ sales }) =>
    csvTable(sales, [
      'id',
      'set_number',
      'title',
      'platform',
      'sale_date',
      'quantity',
      'gross_proceeds_usd',
      'platform_fees_usd',
      'payment_fees_usd',
      'shipping_cost_usd',
      'net_proceeds_usd',
      'profit_loss_usd',
      'roi_pct',
    ]),
  text: ({ sales }, screen) =>
    sales.length === 0 ? 'No sales recorded.' : screenTable(saleColumns, sales, screen),
};

const saleColumns: readonly Column<Sale>[] = [
  { title: 'SOLD', text: ({ sale_date }) => dayText(sale_date) },
  { title: 'SET', text: ({ set_number }) => set_number },
  { title: 'TITLE', text: ({ title }) => title, isCut: true },
  { title: 'QTY', text: ({ quantity }) => countText(quantity), isNumber: true },
  { title: 'PLATFORM', text: ({ platform }) => platformNames[platform], isCut: true },
  { title: 'NET', text: ({ net_proceeds_usd }) => usdText(net_proceeds_usd), isNumber: true },
  {
    title: 'PROFIT',
    text: ({ profit_loss_usd }) => gainUsdText(profit_loss_usd),
    tone: ({ profit_loss_usd }) => gainTone(profit_loss_usd),
    isNumber: true,
  },
  { title: 'ROI', text: ({ roi_pct }) => percentText(roi_pct), isNumber: true },
];
