/** `minifigs …`: which minifigs of two catalogs are one, where only a person can tell. */
import { nearest } from '../contract/nearest.ts';
import { itemKey } from '../domain/catalog/numbers.ts';
import { nounText } from '../domain/kernel/format.ts';
import type { MinifigProfile, UnsureMinifigs } from '../domain/market/minifig-store.ts';
import type { Store } from '../domain/store.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagInteger,
  takeWords,
  UsageError,
} from './command.ts';
import { finishMonths } from './import-run.ts';
import { publishWithProgress } from './progress.ts';
import { table } from './table.ts';
import { withExistingStore } from './with-store.ts';

/** Pairs that are shown unless more are asked for; JSON has all of them. */
const pairsShown = 20;

const limits = { min: 1, max: 100_000 };

/** Sets of a minifig that are shown. */
const setsShown = 3;

/** How much of a name is shown. */
const nameLengthMax = 70;

/** All commands about minifigs. */
export const minifigCommands: readonly Command[] = [
  {
    name: 'minifigs unsure',
    operands: '',
    summary: 'List BrickLink and Rebrickable minifigs that may be the same',
    flags: { limit: { help: `Number of pairs to show (default ${pairsShown})`, value: 'N' } },
    run: async (args, context) => {
      takeWords(args, []);
      const limit = flagInteger(args, 'limit', limits) ?? pairsShown;
      await withExistingStore(context, async (store) => {
        const pairs = await store.market.listUnsureMinifigs();
        context.result({ pairs: pairs.map(asJson) }, asText(pairs, limit));
      });
    },
  },
  {
    name: 'minifigs join',
    operands: 'NUMBER NUMBER',
    summary: 'Merge two minifig numbers',
    flags: {},
    run: (args, context) => decide(args, context, true),
  },
  {
    name: 'minifigs part',
    operands: 'NUMBER NUMBER',
    summary: 'Keep two minifig numbers apart',
    flags: {},
    run: (args, context) => decide(args, context, false),
  },
];

function asJson({ bricklink, rebrickable, by, score, rival }: UnsureMinifigs) {
  return { bricklink, rebrickable, by, score: rounded(score), rival };
}

function rounded(score: number): number {
  return Math.round(score * 10) / 10;
}

function asText(pairs: readonly UnsureMinifigs[], limit: number): string {
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

function reasonOf({ rival }: UnsureMinifigs): string {
  return rival === null ? 'the names differ too much' : `${rival} matches almost as well`;
}

async function decide(args: Arguments, context: Context, isOne: boolean): Promise<void> {
  const [first = '', second = ''] = takeWords(args, ['NUMBER', 'NUMBER']);
  const keys = [itemKey('minifig', first), itemKey('minifig', second)] as const;
  if (keys[0] === keys[1]) {
    throw new UsageError(`Give two minifig numbers; got only '${first}'.`);
  }
  context.lowerPriority();
  await withExistingStore(context, async (store) => {
    await finishMonths(store, context);
    const at = context.config.clock();
    const outcome = await store.market.decideMinifigs({ keys, isOne, at });
    if (outcome.kind === 'unknown') {
      throw await unknownMinifig(store, outcome.key === keys[0] ? first : second);
    }
    await publishWithProgress(store, context, 'Valuing');
    const { shown } = outcome;
    const json = { numbers: [first, second], shown, is_one: shown[0] === shown[1] };
    context.result(json, outcomeText([first, second], shown, isOne));
  });
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

async function unknownMinifig(store: Store, number: string): Promise<CommandError> {
  const there = `No minifig '${number}'`;
  const hint = nearest(itemKey('minifig', number), await store.market.listKeys('minifig'));
  return new CommandError(
    hint
      ? `${there}; did you mean '${hint}'?`
      : `${there}. Import minifigs with 'brickmark import FORMAT PATH'.`,
  );
}
