/** `explain`: what stands behind a published value, and whether it comes out the same again. */

import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import { formatMonth } from '../domain/kernel/time.ts';
import type { ItemEvidence } from '../domain/market/market-store.ts';
import type { Store } from '../domain/store.ts';
import type { Verification, VerifiedMonth } from '../publish/verify.ts';
import { type Command, CommandError, type Context, takeWords, UsageError } from './command.ts';
import { evidenceJson } from './explain-json.ts';
import { type Explained, evidenceText } from './explain-text.ts';
import { meant } from './suggestion.ts';
import { withExistingStore } from './with-store.ts';

const kinds: readonly ItemKind[] = ['set', 'minifig'];

/** The explain command. */
export const explainCommand: Command = {
  name: 'explain',
  operands: 'set|minifig NUMBER',
  summary: 'shows what stands behind a value: sales by count, what was left out and why, versions',
  flags: {
    verify: { help: 'makes the value and its months once more from the rows, and compares' },
  },
  run: async (args, context) => {
    const [word = '', number = ''] = takeWords(args, ['set or minifig', 'NUMBER']);
    const kind = kinds.find((name) => name === word);
    if (!kind) throw new UsageError(`'${word}' is neither set nor minifig.`);
    await withExistingStore(context, async (store) => {
      const item = await findItem(store, kind, number);
      const publisher = context.makePublisher(store);
      const madeBy = item.evidence.engine;
      const isOld = madeBy !== publisher.engine;
      const hint = `This is ${publisher.engine}, and the value was made by ${madeBy}`;
      if (isOld && args.flags.verify) {
        throw new CommandError(`${hint}: run 'brickmark value' before it can be verified.`);
      }
      const verification = args.flags.verify ? await publisher.verify(item.id) : null;
      const json = evidenceJson(kind, item);
      context.result(
        verification ? { ...json, verify: verifyJson(verification) } : json,
        [evidenceText(kind, item), ...(verification ? ['', ...verifyText(verification)] : [])].join(
          '\n',
        ),
      );
      if (isOld) context.say(`${hint}: 'brickmark value' makes it anew.`);
      checkSame(verification, `${kind} ${item.number}`);
      sayStale(item, context);
    });
  },
};

async function findItem(store: Store, kind: ItemKind, number: string): Promise<Explained> {
  const found = await store.market.findEvidence(kind, itemKey(kind, number));
  if (!found) {
    const entries = await store.market.listSearchEntries(kind);
    const hint = meant(
      itemKey(kind, number),
      entries.map(({ key }) => key),
    );
    throw new CommandError(
      hint
        ? `There is no ${kind} '${number}'; did you mean 'brickmark explain ${kind} ${hint}'?`
        : `There is no ${kind} '${number}': 'brickmark import feed PATH' brings ${kind}s in.`,
    );
  }
  const { evidence, name } = found;
  if (evidence === null) {
    throw new CommandError(
      `The ${kind} ${found.number} is not valued yet: run 'brickmark value' first.`,
    );
  }
  return { ...found, evidence, name: name ?? '' };
}

function sayStale({ isStale }: ItemEvidence, context: Context): void {
  if (isStale) context.say("Rows have come in since: 'brickmark value' takes them in.");
}

function verifyJson({ value, months }: Verification): unknown {
  const list = (some: readonly VerifiedMonth[]) =>
    some.map(({ condition, month }) => ({ condition, month: formatMonth(month) }));
  return {
    value,
    months: {
      checked: months.checked,
      unchecked: months.unchecked,
      matches: months.matches,
      inputs_changed: list(months.inputsChanged),
      differs: list(months.differs),
    },
  };
}

const valueSentences: Readonly<Record<Verification['value'], string>> = {
  matches: 'Verified: the value comes out the same from the rows.',
  inputs_changed:
    'The value has other inputs by now: a row or a fact was corrected, or came in since.',
  differs: 'The value comes out differently from the same inputs, which is a fault.',
};

function verifyText({ value, months }: Verification): string[] {
  const list = (some: readonly VerifiedMonth[]) =>
    some.map(({ condition, month }) => `${condition} ${formatMonth(month)}`).join(', ');
  const lines = [valueSentences[value]];
  if (months.checked > 0) {
    lines.push(`Of ${months.checked} stored months, ${months.matches} come out the same.`);
  }
  if (months.inputsChanged.length > 0) {
    lines.push(`Months that have other inputs by now: ${list(months.inputsChanged)}.`);
  }
  if (months.differs.length > 0) {
    lines.push(`Months that differ although their inputs are the same: ${list(months.differs)}.`);
  }
  if (months.unchecked > 0) {
    lines.push(
      `Of ${months.unchecked} months nobody wrote down what they were made from; they are as ` +
        'an earlier version made them.',
    );
  }
  return lines;
}

/** Throws when something differs: the exit status tells scripts. */
function checkSame(verification: Verification | null, name: string): void {
  if (!verification) return;
  const months = verification.months.differs.length;
  if (verification.value !== 'differs' && months === 0) return;
  const what = verification.value === 'differs' ? 'The value' : 'A stored month';
  throw new CommandError(`${what} of ${name} differs from what its inputs make.`);
}
