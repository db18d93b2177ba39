/** `explain`: the evidence of a published value, and whether recomputing gives the same. */

import { type ItemKind, itemKey } from '../catalog/items/numbers.ts';
import { momentText, monthText, nounText } from '../kernel/format.ts';
import { toUsd } from '../kernel/money.ts';
import { formatInstant, formatMonth } from '../kernel/time.ts';
import {
  type ConditionEvidence,
  type Evidence,
  hashText,
  type ItemEvidence,
} from '../market/evidence/evidence.ts';
import { type EvidenceTable, reportEvidence } from '../market/evidence/evidence-report.ts';
import type { Verification, VerifiedMonth } from '../market/values/verify.ts';
import type { Store } from '../store/store.ts';
import { CommandError, type Context, command } from './command.ts';
import { table } from './table.ts';
import { unknownItem } from './unknown-item.ts';

const kinds: readonly ItemKind[] = ['set', 'minifig'];

export const explainCommand = command({
  name: 'explain',
  operands: { kind: { choices: kinds, isOptional: true }, number: { label: 'NUMBER' } },
  summary: 'Explain a value: sales counted, sales left out and why, versions',
  flags: {
    verify: { help: 'Recompute the value and its months, and compare' },
  },
  needs: 'store to read',
  run: async ({ kind: typedKind, number, verify }, context) => {
    const { store } = context;
    const item = await findItem(store, typedKind === null ? kinds : [typedKind], number);
    const { kind } = item;
    const publisher = context.makePublisher(store);
    const engine = item.evidence.engine;
    const isOld = engine !== publisher.engine;
    const hint = `The value was computed by ${engine}, and this is ${publisher.engine}`;
    if (isOld && verify) {
      throw new CommandError(`${hint}. Run 'brickmark value' first, then verify.`);
    }
    const verification = verify ? await publisher.verify(item.id) : null;
    const json = evidenceJson(kind, item);
    context.result(
      verification ? { ...json, verify: verifyJson(verification) } : json,
      [evidenceText(kind, item), ...(verification ? ['', ...verifyText(verification)] : [])].join(
        '\n',
      ),
    );
    if (isOld) context.say(`${hint}. Run 'brickmark value' to recompute it.`);
    checkSame(verification, `${kind} ${item.number}`);
    sayStale(item, context);
  },
});

interface Explained extends ItemEvidence {
  readonly kind: ItemKind;
  readonly name: string;
  readonly evidence: Evidence;
}

/** Looks for a set first if either kind may be meant. */
async function findItem(
  store: Store,
  candidates: readonly ItemKind[],
  number: string,
): Promise<Explained> {
  for (const kind of candidates) {
    const found = await store.market.findEvidence(kind, itemKey(kind, number));
    if (!found) continue;
    const { evidence, name } = found;
    if (evidence !== null) return { ...found, kind, evidence, name: name ?? '' };
    throw new CommandError(
      `No value yet for ${kind} ${found.number}. Run 'brickmark value' first.`,
    );
  }
  throw await unknownItem(
    store,
    { kinds: candidates, number },
    (near, kind) => `brickmark explain ${kind} ${near}`,
  );
}

function sayStale({ isStale }: ItemEvidence, context: Context): void {
  if (isStale) context.say("New rows have arrived since. Run 'brickmark value' to include them.");
}

/** Counts only: source rows are licensed and never shown. */
function evidenceText(kind: ItemKind, item: Explained): string {
  const { evidence } = item;
  const report = reportEvidence(kind, evidence);
  return [
    `${kind === 'set' ? 'Set' : 'Minifig'} ${item.number}, ${item.name}`,
    '',
    report.noValue ?? textTable(report.values),
    '',
    ...report.tier,
    '',
    report.outcomes.rows.length === 0 ? 'No sales recorded.' : textTable(report.outcomes),
    ...(report.channels.rows.length === 0 ? [] : ['', textTable(report.channels)]),
    '',
    ...report.others,
    '',
    `As of ${momentText(evidence.at)}. Engine ${evidence.engine}, parameters ` +
      `${evidence.parameters}, inputs ${hashText(evidence.inputHash)}.`,
  ].join('\n');
}

function textTable({ heading, rows }: EvidenceTable): string {
  return table(heading, rows);
}

function evidenceJson(kind: ItemKind, { number, name, isStale, evidence }: Explained) {
  const { modeled } = evidence;
  return {
    kind,
    number,
    name,
    stale: isStale,
    calculated_at: formatInstant(evidence.at),
    rows_until: evidence.learnedUntil === 0 ? null : formatInstant(evidence.learnedUntil),
    data_tier: evidence.tier,
    values: {
      sealed: conditionJson(evidence.sealed),
      used: conditionJson(evidence.used),
    },
    without_sales: modeled && {
      value_usd: toUsd(modeled.valueCents),
      spread: rounded(modeled.spread),
    },
    outcomes: evidence.outcomes,
    channels: evidence.channels.map((found) => ({ ...found, offset: rounded(found.offset) })),
    retail_weeks: evidence.retailWeeks,
    moves: evidence.moves,
    versions: {
      engine: evidence.engine,
      parameters: evidence.parameters,
      inputs: hashText(evidence.inputHash),
    },
  };
}

const rounded = (log: number) => Number(log.toFixed(4));

function conditionJson(condition: ConditionEvidence | null) {
  if (condition === null) return null;
  const { sales } = condition;
  return {
    value_usd: toUsd(condition.valueCents),
    low_usd: toUsd(condition.lowCents),
    high_usd: toUsd(condition.highCents),
    value_spread: condition.valueSpread,
    sale_spread: condition.saleSpread,
    sales: {
      ever: sales.ever,
      days_30: sales.days30,
      days_90: sales.days90,
      days_180: sales.days180,
      days_365: sales.days365,
    },
    first_sale: condition.firstSale,
    latest_sale: condition.latestSale,
  };
}

function verifyJson({ value, months }: Verification): unknown {
  const list = (some: readonly VerifiedMonth[]) =>
    some.map(({ condition, month }) => ({ condition, month: formatMonth(month) }));
  return {
    value,
    months: {
      checked: months.checked,
      matches: months.matches,
      inputs_changed: list(months.inputsChanged),
      differs: list(months.differs),
    },
  };
}

const valueSentences: Readonly<Record<Verification['value'], string>> = {
  matches: 'Verified: recomputing gives the same value.',
  inputs_changed: 'The inputs have changed: a row or a catalog field was added or corrected since.',
  differs: 'Recomputing from the same inputs gives a different value. This is a bug.',
};

function verifyText({ value, months }: Verification): string[] {
  const list = (some: readonly VerifiedMonth[]) =>
    some.map(({ condition, month }) => `${condition} ${monthText(formatMonth(month))}`).join(', ');
  const lines = [valueSentences[value]];
  if (months.checked > 0) {
    lines.push(`${months.matches} of ${nounText(months.checked, 'stored month')} match.`);
  }
  if (months.inputsChanged.length > 0) {
    lines.push(`Months whose inputs have changed: ${list(months.inputsChanged)}.`);
  }
  if (months.differs.length > 0) {
    lines.push(`Months that differ with the same inputs: ${list(months.differs)}.`);
  }
  return lines;
}

/** Throws if something differs, for the exit status. */
function checkSame(verification: Verification | null, name: string): void {
  if (!verification) return;
  const months = verification.months.differs.length;
  if (verification.value !== 'differs' && months === 0) return;
  const what = verification.value === 'differs' ? 'The value' : 'A stored month';
  throw new CommandError(`${what} of ${name} does not match its inputs.`);
}
