/** `get set`, `get minifig`: one of them in full, or many at once as a table. */
import { text as readAll } from 'node:stream/consumers';
import type { Brickmark } from '../../client/index.ts';
import { batchItemsMax } from '../../contract/limits.ts';
import { CommandError, UsageError } from '../command.ts';
import { type Answer, answerOf, askingCommand, requireCalls } from './asking.ts';
import { itemNumber } from './choices.ts';
import type { ConsumerCommand, ConsumerContext } from './consumer-command.ts';
import { minifigForms, minifigListForms } from './minifig-text.ts';
import { showable } from './screen.ts';
import { setForms, setListForms } from './set-text.ts';
import { searchHint } from './words.ts';

/** What differs between sets and minifigs. */
interface Kind {
  readonly name: 'set' | 'minifig';
  readonly summary: string;
  getOne(brickmark: Brickmark, number: string): Promise<Answer>;
  getMany(brickmark: Brickmark, numbers: readonly string[]): Promise<Found>;
}

/** Many of them, and which of them there are not. */
interface Found {
  readonly answer: Answer;
  readonly missing: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'set',
    summary: 'Show value, range and retail prices of one or more sets',
    getOne: async (brickmark, number) => answerOf(await brickmark.getSet(number), setForms),
    getMany: async (brickmark, sets) => {
      const batch = await brickmark.getBatch({ sets });
      const missing = batch.sets.filter(({ found }) => !found);
      return {
        answer: answerOf(batch, setListForms),
        missing: missing.map(({ set_number }) => set_number),
      };
    },
  },
  {
    name: 'minifig',
    summary: 'Show value and range of one or more minifigs',
    getOne: async (brickmark, number) => answerOf(await brickmark.getMinifig(number), minifigForms),
    getMany: async (brickmark, minifigs) => {
      const batch = await brickmark.getBatch({ minifigs });
      const missing = batch.minifigs.filter(({ found }) => !found);
      return {
        answer: answerOf(batch, minifigListForms),
        missing: missing.map(({ minifig_number }) => minifig_number),
      };
    },
  },
];

/** The commands that look items up. */
export const getCommands: readonly ConsumerCommand[] = kinds.map((kind) =>
  askingCommand({
    name: `get ${kind.name}`,
    operands: 'NUMBER…|-',
    summary: kind.summary,
    flags: {},
    missingHint: () => searchHint,
    read: ({ words }, context) => {
      if (words.length === 0) throw new UsageError('NUMBER is missing.');
      const isInput = words.includes('-');
      if (isInput && words.length > 1) throw new UsageError("Use '-' without other numbers.");
      if (words.length === 1 && !isInput) {
        const number = itemNumber(words[0]);
        return (brickmark) => kind.getOne(brickmark, number);
      }
      return async (brickmark) => {
        const numbers = isInput ? await readNumbers(context) : words;
        return getMany(kind, brickmark, { numbers, context });
      };
    },
  }),
);

/** Numbers from standard input, between spaces, commas or line ends. */
async function readNumbers({ stdin }: ConsumerContext): Promise<string[]> {
  const numbers = (await readAll(stdin)).split(/[\s,;]+/).filter((word) => word !== '');
  if (numbers.length > 0) return numbers;
  throw new CommandError('No numbers in standard input.');
}

async function getMany(
  kind: Kind,
  brickmark: Brickmark,
  { numbers, context }: { numbers: readonly string[]; context: ConsumerContext },
): Promise<Answer> {
  const { size } = new Set(numbers);
  // The server takes one batch whole, or not at all.
  if (size > batchItemsMax) await requireCalls(brickmark, size, 'Ask for fewer.');
  const { answer, missing } = await kind.getMany(brickmark, numbers);
  if (missing.length > 0) context.say(`Not found: ${showable(missing).join(', ')}.`);
  return answer;
}
