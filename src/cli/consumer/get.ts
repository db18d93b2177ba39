/** `get set`, `get minifig`: one item in full, or several as a table. */
import { text as readAll } from 'node:stream/consumers';
import type { Batch, Brickmark } from '../../../clients/typescript/src/index.ts';
import { batchItemsMax } from '../../contract/limits.ts';
import { at } from '../../kernel/at.ts';
import { CommandError } from '../command.ts';
import { UsageError } from '../row.ts';
import { type Answer, answerOf, callCommand, type Formats, requireCalls } from './call-command.ts';
import type { ConsumerContext } from './consumer-command.ts';
import { formatsOfMinifig, formatsOfMinifigs } from './minifig-text.ts';
import { showable } from './screen.ts';
import { formatsOfSet, formatsOfSets } from './set-text.ts';
import { readItemNumber, searchHint } from './words.ts';

interface Kind {
  readonly name: 'set' | 'minifig';
  readonly summary: string;
  getOne(brickmark: Brickmark, number: string): Promise<Answer>;
  getMany(brickmark: Brickmark, numbers: readonly string[]): Promise<Batch>;
  readonly batchFormats: Formats<Batch>;
  missingIn(batch: Batch): readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'set',
    summary: 'Show value, range and retail prices of one or more sets',
    getOne: async (brickmark, number) => answerOf(await brickmark.getSet(number), formatsOfSet),
    getMany: (brickmark, sets) => brickmark.getBatch({ sets }),
    batchFormats: formatsOfSets,
    missingIn: ({ sets }) => sets.flatMap((set) => (set.found ? [] : set.set_number)),
  },
  {
    name: 'minifig',
    summary: 'Show value and range of one or more minifigs',
    getOne: async (brickmark, number) =>
      answerOf(await brickmark.getMinifig(number), formatsOfMinifig),
    getMany: (brickmark, minifigs) => brickmark.getBatch({ minifigs }),
    batchFormats: formatsOfMinifigs,
    missingIn: ({ minifigs }) => minifigs.flatMap((fig) => (fig.found ? [] : fig.minifig_number)),
  },
];

export const getCommands = kinds.map((kind) =>
  callCommand({
    name: `get ${kind.name}`,
    operands: {
      numbers: { label: 'NUMBER', isMany: true, takesInput: true, read: readItemNumber },
    },
    summary: kind.summary,
    missingHint: () => searchHint,
    check: ({ numbers }) => {
      if (!numbers.includes('-') || numbers.length === 1) return;
      throw new UsageError("Use '-' without other numbers.");
    },
    call: async ({ numbers }, brickmark, context) => {
      const isInput = numbers.includes('-');
      if (numbers.length === 1 && !isInput) return kind.getOne(brickmark, at(numbers, 0));
      const all = isInput ? await readNumbers(context) : numbers;
      return getMany(kind, brickmark, { numbers: all, context });
    },
  }),
);

/** Separated by spaces, commas, semicolons or line breaks. */
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
  // The client splits larger requests; the server charges one batch completely or not at all.
  if (size > batchItemsMax) await requireCalls(brickmark, size, 'Ask for fewer.');
  const batch = await kind.getMany(brickmark, numbers);
  const missing = kind.missingIn(batch);
  if (missing.length > 0) context.say(`Not found: ${showable(missing).join(', ')}.`);
  return answerOf(batch, kind.batchFormats);
}
