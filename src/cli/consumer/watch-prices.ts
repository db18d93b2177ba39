/** `watch` without a folder: held sets whose price at a retailer has changed. */
import type { ListRetailWatchQuery, PriceBlock, RetailRow } from '../../client/index.ts';
import { dayText, usdText } from '../../domain/kernel/format.ts';
import { parseInstant } from '../../domain/kernel/time.ts';
import { type Arguments, flagText, takeWords, UsageError } from '../command.ts';
import { answerOf, askingCommand, type Forms } from './asking.ts';
import { type Column, gainTone, screenTable } from './screen.ts';
import { gainUsdText } from './words.ts';

/** Which changes are shown when nobody says. */
const changedDefault = '24h';

/** The command for key holders; an operator's `watch` is given a folder. */
export const watchPricesCommand = askingCommand({
  name: 'watch',
  operands: '',
  summary: 'Show retail price changes of the sets you own',
  flags: {
    changed: {
      help: `Time window such as 30m, 3h or 7d (default ${changedDefault})`,
      value: 'TIME',
    },
    since: { help: 'Start time such as 2026-11-15T12:00:00Z', value: 'ISO' },
    all: { help: 'Include sets whose price has not changed' },
  },
  read: (args) => {
    takeWords(args, []);
    const query = readQuery(args);
    return async (brickmark) => answerOf(await brickmark.listRetailWatch(query), watchForms);
  },
});

function readQuery(args: Arguments): ListRetailWatchQuery {
  const changed = flagText(args, 'changed');
  const since = flagText(args, 'since');
  if (args.flags.all === true) {
    if (changed === null && since === null) return {};
    throw new UsageError('Use --all without --changed or --since.');
  }
  if (changed !== null && !/^\d+[mhd]$/.test(changed)) {
    throw new UsageError(`--changed must be a time such as 30m, 3h or 7d, not '${changed}'.`);
  }
  if (since !== null && parseInstant(since) === null) {
    throw new UsageError(`--since '${since}' is not a time such as 2026-11-15T12:00:00Z.`);
  }
  if (changed === null && since === null) return { changed_within: changedDefault };
  return { changed_within: changed ?? undefined, since: since ?? undefined };
}

const retailers = ['retailer_a', 'retailer_b'] as const;

const watchForms: Forms<readonly RetailRow[]> = {
  csv: (rows) => ({
    columns: csvFields.map(([name]) => name),
    rows: rows.map((row) => csvFields.map(([, value]) => value(row))),
  }),
  text: (rows, screen) => {
    const lines = rows.flatMap(priceLines);
    return lines.length === 0 ? 'No prices changed.' : screenTable(columns, lines, screen);
  },
};

/** A set at one retailer; what is the same for both is on the first line. */
interface PriceLine {
  readonly set: RetailRow | null;
  readonly at: string;
  readonly block: PriceBlock;
}

/** A line for each retailer that ever had the set, the later change first. */
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
    // Whoever buys is glad of a lower price.
    tone: ({ block }) => gainTone(block.lastChange === null ? null : -block.lastChange),
    isNumber: true,
  },
  { title: 'CHANGED', text: ({ block }) => changedText(block.changedAt) },
  { title: 'NOTE', text: ({ block }) => noteText(block) },
];

/** The day of a change: its time is left to `--json`, for want of room in 80 columns. */
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

const csvFields: readonly (readonly [name: string, value: (row: RetailRow) => unknown])[] = [
  ['set_number', ({ setNumber }) => setNumber],
  ['name', ({ name }) => name],
  ['asin', ({ asin }) => asin],
  ['upc', ({ upc }) => upc],
  ['ean', ({ ean }) => ean],
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
