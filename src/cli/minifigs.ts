/** `minifigs …`: which minifigs of two catalogs are one, where only a person can tell. */
import { nearest } from '../contract/nearest.ts';
import { itemKey } from '../domain/catalog/numbers.ts';
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
    summary: "lists minifigs of BrickLink's and Rebrickable's catalogs that may be one",
    flags: { limit: { help: `shows so many pairs (${pairsShown})`, value: 'N' } },
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
    summary: 'says that two numbers are one minifig, whatever sources say',
    flags: {},
    run: (args, context) => decide(args, context, true),
  },
  {
    name: 'minifigs part',
    operands: 'NUMBER NUMBER',
    summary: 'says that two numbers are two minifigs, whatever sources say',
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
  if (pairs.length === 0) return 'No minifigs are left to decide about.';
  const rows = pairs
    .slice(0, limit)
    .flatMap((pair) => [
      [...cellsOf(pair.bricklink), rounded(pair.score).toFixed(1), reasonOf(pair)],
      [...cellsOf(pair.rebrickable), '', ''],
      [],
    ]);
  const count = pairs.length === 1 ? 'One pair' : `${pairs.length} pairs`;
  const more = pairs.length > limit ? ` Shown are ${limit}; --limit N shows more.` : '';
  return [
    `${count} of minifigs may be one.${more}`,
    '',
    table(['number', 'year', 'name', 'sets', 'score', 'why it is unsure'], rows.slice(0, -1)),
    '',
    "'brickmark minifigs join NUMBER NUMBER' says that they are one, 'minifigs part' that not.",
  ].join('\n');
}

function cellsOf({ number, year, name, sets }: MinifigProfile): string[] {
  const more = sets.length > setsShown ? ` and ${sets.length - setsShown} more` : '';
  const short = name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name;
  return [number, String(year ?? ''), short, sets.slice(0, setsShown).join(' ') + more];
}

function reasonOf({ rival }: UnsureMinifigs): string {
  return rival === null ? 'the names differ too much' : `${rival} fits nearly as well`;
}

async function decide(args: Arguments, context: Context, isOne: boolean): Promise<void> {
  const [first = '', second = ''] = takeWords(args, ['NUMBER', 'NUMBER']);
  const keys = [itemKey('minifig', first), itemKey('minifig', second)] as const;
  if (keys[0] === keys[1]) {
    throw new UsageError(`'${first}' is one number; name the other one, too.`);
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
  if (isOne) return `${first} and ${second} are one minifig now, shown as ${shown[0]}.`;
  if (shown[0] !== shown[1]) return `${first} and ${second} are two minifigs now.`;
  return (
    `${first} and ${second} are still one minifig, by way of another number of ${shown[0]}: ` +
    `'brickmark sources ${shown[0]} --minifig' shows its numbers; part them as well.`
  );
}

async function unknownMinifig(store: Store, number: string): Promise<CommandError> {
  const there = `There is no minifig '${number}'`;
  const hint = nearest(itemKey('minifig', number), await store.market.listKeys('minifig'));
  return new CommandError(
    hint
      ? `${there}; did you mean '${hint}'?`
      : `${there}: 'brickmark import FORMAT PATH' brings minifigs in.`,
  );
}
