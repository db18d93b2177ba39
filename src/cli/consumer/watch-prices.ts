/** `watch` without a folder: retail price changes of owned sets. */
import type { PriceBlock, RetailRow } from '../../../clients/typescript/src/index.ts';
import { dayText, usdText } from '../../kernel/format.ts';
import { type ReadOptions, readInstant, UsageError } from '../row.ts';
import { answerOf, type CsvField, callCommand, csvTable, type Formats } from './call-command.ts';
import { type Column, gainTone, screenTable } from './screen.ts';
import { gainUsdText } from './words.ts';

const changedDefault = '24h';

/** The operator's `watch` has an operand. */
export const watchPricesCommand = callCommand({
  name: 'watch',
  summary: 'Show retail price changes of the sets you own',
  flags: {
    changed: {
      help: `Time window such as 30m, 3h or 7d (default ${changedDefault})`,
      value: 'TIME',
      read: readWindow,
    },
    since: {
      help: 'Start time such as 2026-11-15T12:00:00Z',
      value: 'ISO',
      read: readSince,
    },
    all: { help: 'Include sets whose price has not changed' },
  },
  check: ({ all, changed, since }) => {
    if (!all || (changed === null && since === null)) return;
    throw new UsageError('Use --all without --changed or --since.');
  },
  call: async ({ all, changed, since }, brickmark) => {
    const window = changed ?? (since === null ? changedDefault : undefined);
    const query = all ? {} : { changed_within: window, since: since ?? undefined };
    return answerOf(await brickmark.listRetailWatch(query), watchFormats);
  },
});

function readWindow(text: string, { name }: ReadOptions): string {
  if (/^\d+[mhd]$/.test(text)) return text;
  throw new UsageError(`${name} must be a time such as 30m, 3h or 7d, not '${text}'.`);
}

/** The server parses it again, so the text is sent unchanged. */
function readSince(text: string, options: ReadOptions): string {
  readInstant(text, options);
  return text;
}

const retailers = ['retailer_a', 'retailer_b'] as const;

const watchFormats: Formats<readonly RetailRow[]> = {
  csv: (rows) => csvTable(rows, csvFields),
  text: (rows, screen) => {
    const lines = rows.flatMap(priceLines);
    return lines.length === 0 ? 'No prices changed.' : screenTable(columns, lines, screen);
  },
};

/** A set at one retailer; `set` is null below its first line. */
interface PriceLine {
  readonly set: RetailRow | null;
  readonly at: string;
  readonly block: PriceBlock;
}

/** One line per retailer that ever offered the set, latest change first. */
function priceLines(row: RetailRow): PriceLine[] {
  const lines = retailers
    .map((retailer) => ({ at: retailer.slice(-1).toUpperCase(), block: row[retailer] }))
    .filter(({ block }) => block.price !== null || block.changedAt !== null)
    .sort((a, b) => (b.block.changedAt ?? '').localeCompare(a.block.changedAt ?? ''));
  return lines.map((line, index) => ({ ...line, set: index === 0 ? row : null }));
}

const columns: readonly Column<PriceLine>[] = [
  { title: 'SET', text: ({ set }) => set?.setNumber ?? '' },
  { title: 'NAME', text: ({ set }) => set?.name ?? '', isCut: true },
  { title: 'PAID', text: ({ set }) => (set ? usdText(set.paid ?? null) : ''), isNumber: true },
  { title: 'AT', text: ({ at }) => at },
  { title: 'PRICE', text: ({ block }) => usdText(block.price), isNumber: true },
  {
    title: 'CHANGE',
    text: ({ block }) => gainUsdText(block.lastChange),
    // A lower price is good for a buyer.
    tone: ({ block }) => gainTone(block.lastChange === null ? null : -block.lastChange),
    isNumber: true,
  },
  { title: 'CHANGED', text: ({ block }) => changedText(block.changedAt) },
  { title: 'NOTE', text: ({ block }) => noteText(block) },
];

/** The day only, to fit into 80 columns; `--json` has the time. */
function changedText(instant: string | null): string {
  return instant === null ? '' : dayText(instant.slice(0, 10));
}

function noteText({ price, atLowest, flip1pTo3p, inStock }: PriceBlock): string {
  const notes = [
    price === null && 'no offer',
    atLowest && 'lowest',
    flip1pTo3p && '3P only',
    price !== null && inStock === false && 'no stock',
  ];
  return notes.filter((note) => note !== false).join(', ');
}

const csvFields: readonly CsvField<RetailRow>[] = [
  ['set_number', ({ setNumber }) => setNumber],
  'name',
  'asin',
  'upc',
  'ean',
  ['paid_usd', ({ paid }) => paid],
  ...retailers.flatMap((retailer) => {
    const field = (name: string, value: (block: PriceBlock) => unknown) =>
      [`${retailer}_${name}`, (row: RetailRow) => value(row[retailer])] as const;
    return [
      field('price_usd', ({ price }) => price),
      field('seller_type', ({ sellerType }) => sellerType),
      field('changed_at', ({ changedAt }) => changedAt),
      field('last_change_usd', ({ lastChange }) => lastChange),
      field('flip_1p_to_3p', ({ flip1pTo3p }) => flip1pTo3p),
      field('at_lowest', ({ atLowest }) => atLowest),
      field('lowest_usd', ({ lowest }) => lowest),
      field('in_stock', ({ inStock }) => inStock),
    ];
  }),
  ['lowest_fba_usd', ({ retailer_aExit }) => retailer_aExit.lowestFba],
  ['fba_sellers', ({ retailer_aExit }) => retailer_aExit.fbaSellers],
  ['buy_box_usd', ({ retailer_aExit }) => retailer_aExit.buyBox],
  ['net_fba_usd', ({ retailer_aExit }) => retailer_aExit.netFba],
];
