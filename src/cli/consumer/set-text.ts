/** Sets as text and CSV. */
import type {
  Batch,
  FoundSet,
  RetailerSummary,
  Set as SetRecord,
} from '../../../clients/typescript/src/index.ts';
import { dayText, momentText, nounText, rangeText, usdText } from '../../kernel/format.ts';
import {
  type CsvField,
  type CsvTable,
  csvTable,
  type Formats,
  type MaybeFound,
} from './call-command.ts';
import { type Column, type Screen, screenFacts, screenTable } from './screen.ts';
import { statusText, tierText } from './words.ts';

export const formatsOfSet: Formats<SetRecord> = {
  csv: (set) => setCsv([{ ...set, found: true }]),
  text: setText,
};

export const formatsOfSets: Formats<Batch> = {
  csv: ({ sets }) => setCsv(sets),
  text: ({ sets }, screen) =>
    screenTable(
      listColumns,
      sets.filter(({ found }) => found),
      screen,
    ),
};

function setText(set: SetRecord, screen: Screen): string {
  const { retailers } = set;
  const facts = [
    ['Theme', [set.theme, set.subtheme].filter((name) => name !== null).join(', ')],
    ['Status', statusWithDays(set)],
    ['Contents', contentsText(set)],
    ['MSRP', set.msrp_usd === null ? null : usdText(set.msrp_usd)],
  ] as const;
  const values = [
    ['Sealed', [usdText(set.new_value_usd), rangeText(set.value_range)].join('   ').trimEnd()],
    ['Used', usdText(set.used_value_usd)],
    ['Data tier', tierText(set.data_tier)],
  ] as const;
  return [
    screen.paint('heading', `${set.set_number}  ${set.title}`),
    screenFacts([...facts, ...values], screen),
    ...(retailers.length === 0 ? [] : ['', screenTable(retailerColumns, retailers, screen)]),
  ].join('\n');
}

function statusWithDays({ status_id, release_date, retire_date }: SetRecord): string {
  const days = [
    release_date === null ? null : `released ${dayText(release_date)}`,
    retire_date === null ? null : `retired ${dayText(retire_date)}`,
  ].filter((day) => day !== null);
  return [statusText(status_id), ...days].join(', ');
}

function contentsText({ pieces, minifigs_count: minifigs }: SetRecord): string {
  const parts = [
    pieces === null ? null : nounText(pieces, 'piece'),
    minifigs === 0 ? null : nounText(minifigs, 'minifig'),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const retailerColumns: readonly Column<RetailerSummary>[] = [
  { title: 'RETAILER', text: ({ retailer_name }) => retailer_name, isCut: true },
  { title: 'PRICE', text: ({ current_price }) => usdText(current_price), isNumber: true },
  {
    title: 'DISCOUNT',
    text: ({ discount_percent: percent }) => (percent > 0 ? `${percent.toFixed(2)}%` : '–'),
    tone: ({ discount_percent: percent }) => (percent > 0 ? 'good' : null),
    isNumber: true,
  },
  { title: 'STOCK', text: ({ in_stock }) => (in_stock ? 'In stock' : 'Out of stock') },
  {
    title: 'SOLD BY',
    text: ({ is_first_party }) => (is_first_party ? 'Retailer' : 'Third party'),
  },
  { title: 'CHECKED', text: ({ last_checked_at }) => momentText(Date.parse(last_checked_at)) },
];

const listColumns: readonly Column<FoundSet>[] = [
  { title: 'SET', text: ({ set_number }) => set_number },
  { title: 'TITLE', text: ({ title }) => title, isCut: true },
  { title: 'STATUS', text: ({ status_id }) => statusText(status_id) },
  { title: 'MSRP', text: ({ msrp_usd }) => usdText(msrp_usd), isNumber: true },
  { title: 'SEALED', text: ({ new_value_usd }) => usdText(new_value_usd), isNumber: true },
  { title: 'USED', text: ({ used_value_usd }) => usdText(used_value_usd), isNumber: true },
  { title: 'TIER', text: ({ data_tier }) => data_tier },
  { title: 'RETAIL', text: (set) => usdText(bestPrice(set)), isNumber: true },
];

/** The lowest price in stock. */
function bestPrice({ retailers }: SetRecord): number | null {
  const prices = retailers.filter(({ in_stock }) => in_stock).map((each) => each.current_price);
  return prices.length === 0 ? null : Math.min(...prices);
}

/** Sets that were not found have empty cells. */
function setCsv(sets: readonly MaybeFound<FoundSet>[]): CsvTable {
  return csvTable(sets, [
    'set_number',
    'found',
    'title',
    'theme',
    'subtheme',
    'pieces',
    'minifigs_count',
    ['upc', ({ barcodes }) => barcodes?.upc],
    ['ean', ({ barcodes }) => barcodes?.ean],
    'msrp_usd',
    'release_date',
    'retire_date',
    'status_id',
    'data_tier',
    'new_value_usd',
    'used_value_usd',
    ['range_low_usd', ({ value_range }) => value_range?.low],
    ['range_high_usd', ({ value_range }) => value_range?.high],
    ['calculated_at', ({ value_range }) => value_range?.calculated_at],
    ...(['retailer_a', 'retailer_b'] as const).flatMap(retailerFields),
  ]);
}

function retailerFields(retailer: string): CsvField<MaybeFound<FoundSet>>[] {
  const field = (
    name: string,
    value: (summary: RetailerSummary) => unknown,
  ): CsvField<MaybeFound<FoundSet>> => [
    `${retailer}_${name}`,
    ({ retailers = [] }) => {
      const summary = retailers.find((each) => each.retailer === retailer);
      return summary && value(summary);
    },
  ];
  return [
    field('price_usd', ({ current_price }) => current_price),
    field('list_price_usd', ({ list_price }) => list_price),
    field('discount_percent', ({ discount_percent }) => discount_percent),
    field('in_stock', ({ in_stock }) => in_stock),
    field('is_first_party', ({ is_first_party }) => is_first_party),
    field('last_checked_at', ({ last_checked_at }) => last_checked_at),
  ];
}
