/** `minifigs …`: manual decisions on which minifigs of two catalogs are the same. */

import { itemKey } from '../catalog/items/numbers.ts';
import type { MinifigProfile, PossibleMatch } from '../catalog/minifigs/unsure-minifigs.ts';
import { nounText } from '../kernel/format.ts';
import { command, type StoreContext } from './command.ts';
import { finishMonths } from './imports/import-run.ts';
import { publishWithProgress } from './progress.ts';
import { countFlag, UsageError } from './row.ts';
import { table } from './table.ts';
import { unknownItem } from './unknown-item.ts';

const setsShown = 3;

const nameLengthMax = 70;

const pairRow = {
  operands: { first: { label: 'NUMBER' }, second: { label: 'NUMBER' } },
  needs: 'existing store',
  check: ({ first, second }: Pair) => {
    if (itemKey('minifig', first) !== itemKey('minifig', second)) return;
    throw new UsageError(`Give two minifig numbers; got only '${first}'.`);
  },
} as const;

interface Pair {
  readonly first: string;
  readonly second: string;
}

export const minifigCommands = [
  command({
    name: 'minifigs unsure',
    summary: 'List BrickLink and Rebrickable minifigs that may be the same',
    flags: {
      // JSON lists all pairs.
      limit: countFlag('Number of pairs to show', 100_000, 20),
    },
    needs: 'store to read',
    run: async ({ limit }, { store, result }) => {
      const pairs = await store.market.listUnsureMinifigs();
      result({ pairs: pairs.map(asJson) }, asText(pairs, limit));
    },
  }),
  command({
    ...pairRow,
    name: 'minifigs join',
    summary: 'Merge two minifig numbers',
    run: (pair, context) => decide(pair, context, true),
  }),
  command({
    ...pairRow,
    name: 'minifigs part',
    summary: 'Keep two minifig numbers apart',
    run: (pair, context) => decide(pair, context, false),
  }),
];

function asJson({ bricklink, rebrickable, by, score, rival }: PossibleMatch) {
  return { bricklink, rebrickable, by, score: rounded(score), rival };
}

function rounded(score: number): number {
  return Math.round(score * 10) / 10;
}

function asText(pairs: readonly PossibleMatch[], limit: number): string {
  if (pairs.length === 0) return 'No uncertain minifigs.';
  const rows = pairs
    .slice(0, limit)
    .flatMap((pair) => [
      [...cellsOf(pair.bricklink), rounded(pair.score).toFixed(1), reasonOf(pair)],
      [...cellsOf(pair.rebrickable), '', ''],
      [],
    ]);
  const more = pairs.length > limit ? ` Showing ${limit}; use --limit N to see more.` : '';
  return [
    `${nounText(pairs.length, 'pair')} of minifigs may be the same.${more}`,
    '',
    table(['number', 'year', 'name', 'sets', 'score', 'why uncertain'], rows.slice(0, -1)),
    '',
    "Run 'brickmark minifigs join NUMBER NUMBER' to merge a pair, 'minifigs part' to split it.",
  ].join('\n');
}

function cellsOf({ number, year, name, sets }: MinifigProfile): string[] {
  const more = sets.length > setsShown ? ` and ${sets.length - setsShown} more` : '';
  const short = name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name;
  return [number, String(year ?? ''), short, sets.slice(0, setsShown).join(' ') + more];
}

function reasonOf({ rival }: PossibleMatch): string {
  return rival === null ? 'the names differ too much' : `${rival} matches almost as well`;
}

async function decide({ first, second }: Pair, context: StoreContext, isOne: boolean) {
  const { store } = context;
  const keys = [itemKey('minifig', first), itemKey('minifig', second)] as const;
  context.lowerPriority();
  await finishMonths(store, context);
  const at = context.config.clock();
  const outcome = await store.market.decideMinifigs({ keys, isOne, at });
  if (outcome.kind === 'unknown') {
    const number = outcome.key === keys[0] ? first : second;
    throw await unknownItem(store, { kinds: ['minifig'], number }, (near) => near);
  }
  await publishWithProgress(store, context, 'Valuing');
  const { shown } = outcome;
  const json = { numbers: [first, second], shown, is_one: shown[0] === shown[1] };
  context.result(json, outcomeText([first, second], shown, isOne));
}

function outcomeText(
  [first, second]: readonly [string, string],
  shown: readonly [string, string],
  isOne: boolean,
): string {
  if (isOne) return `${first} and ${second} are now one minifig, shown as ${shown[0]}.`;
  if (shown[0] !== shown[1]) return `${first} and ${second} are now separate minifigs.`;
  return (
    `${first} and ${second} are still merged through another number of ${shown[0]}. Run ` +
    `'brickmark sources ${shown[0]} --minifig' to see its numbers, and part those too.`
  );
}
