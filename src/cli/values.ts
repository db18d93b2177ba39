/** `value` and `history …`: compute values, and seal or restate months. */

import { momentText, monthText, nounText } from '../kernel/format.ts';
import { hasHiddenCharacters } from '../kernel/text.ts';
import {
  formatInstant,
  formatInstantOrNull,
  formatMonth,
  lastFinalMonth,
  parseMonth,
} from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import { CommandError, type Context, command } from './command.ts';
import { publishWithProgress, withProgress } from './progress.ts';
import { type ReadOptions, readInstant, UsageError } from './row.ts';

/** Sealing is retried while imports are running. */
const sealTriesMax = 5;

const reasonLengthMax = 500;
const reasonHint = 'Every restatement needs a public reason.';

export const valueCommands = [
  command({
    name: 'value',
    summary: 'Recompute all values, finalize months and publish',
    flags: {
      'as-of': { help: 'Compute values as of an earlier time', value: 'ISO', read: readPast },
    },
    needs: 'existing store',
    run: async ({ asOf }, context) => {
      context.lowerPriority();
      const documents = await publishAll(context.store, context, asOf ?? undefined);
      context.result({ documents }, `${nounText(documents, 'document')} valued and published.`);
    },
  }),
  command({
    name: 'history seal',
    summary: 'Lock final months; do this once, after importing past sales',
    needs: 'existing store',
    run: async (_, context) => {
      const { store } = context;
      const before = await store.market.findHistoryState();
      if (before.sealedAt === null) {
        context.lowerPriority();
        await seal(store, context);
      }
      const { sealedAt } = await store.market.findHistoryState();
      const at = sealedAt === null ? '' : formatInstant(sealedAt);
      const when = sealedAt === null ? '' : ` since ${momentText(sealedAt)}`;
      context.result({ sealed_at: at }, `History is sealed${when}.`);
    },
  }),
  command({
    name: 'history restate',
    summary: 'Recompute sealed months, with a public reason',
    flags: {
      from: {
        help: 'First month to recompute',
        value: 'YYYY-MM',
        read: readFinalMonth,
        isRequired: true,
      },
      reason: {
        help: 'Public reason, in one sentence',
        value: 'TEXT',
        read: readReason,
        isRequired: true,
        hint: reasonHint,
      },
    },
    needs: 'existing store',
    run: async ({ from: fromMonth, reason }, context) => {
      const { store } = context;
      const { sealedAt } = await store.market.findHistoryState();
      if (sealedAt === null) {
        throw new CommandError(
          "History is not sealed yet. Run 'brickmark value' to recompute all of it.",
        );
      }
      context.lowerPriority();
      const at = context.config.clock();
      const restatement = await store.market.restateHistory({ fromMonth, reason, at });
      await publishWithProgress(store, context, 'Restating');
      const from = formatMonth(fromMonth);
      context.result(
        { restatement_id: restatement.id, from, reason },
        `Restatement ${restatement.id}: months recomputed from ${monthText(from)} on.`,
      );
    },
  }),
  command({
    name: 'history list',
    summary: 'Show when history was sealed, and all restatements',
    needs: 'store to read',
    run: async (_, { store, result }) => {
      const { sealedAt, restatements } = await store.market.findHistoryState();
      const rows = restatements.map((restatement) => ({
        restatement_id: restatement.id,
        from: formatMonth(restatement.fromMonth),
        reason: restatement.reason,
        recorded_at: formatInstant(restatement.at),
      }));
      const sealed = formatInstantOrNull(sealedAt);
      const lines = restatements.map(({ id, at, fromMonth, reason }) => {
        const from = monthText(formatMonth(fromMonth));
        return `  ${id}  ${momentText(at)}  from ${from}: ${reason}`;
      });
      const text =
        sealedAt === null
          ? 'Not sealed. Past months can still change.'
          : `Sealed since ${momentText(sealedAt)}.`;
      result({ sealed_at: sealed, restatements: rows }, [text, ...lines].join('\n'));
    },
  }),
];

function publishAll(store: Store, context: Context, at?: number): Promise<number> {
  return withProgress(context, 'Valuing', (update) =>
    context.makePublisher(store).publishAll(at, update),
  );
}

/** Values everything first, so that the sealed months include all rows. */
async function seal(store: Store, context: Context): Promise<void> {
  for (let tries = 0; tries < sealTriesMax; tries++) {
    await publishAll(store, context);
    if (await store.market.sealHistory(context.config.clock())) return;
  }
  throw new CommandError('New rows keep arriving. Try again when no import is running.');
}

function readPast(text: string, options: ReadOptions): number {
  const at = readInstant(text, options);
  if (at > options.now) throw new UsageError(`${options.name} '${text}' is in the future.`);
  return at;
}

function readFinalMonth(text: string, { name, now }: ReadOptions): number {
  const month = parseMonth(text);
  if (month === null) throw new UsageError(`${name} '${text}' is not a month such as 2026-01.`);
  if (month > lastFinalMonth(now)) throw new UsageError(`The month ${text} is not final yet.`);
  return month;
}

function readReason(text: string, { name }: ReadOptions): string {
  const reason = text.trim();
  if (reason === '') throw new UsageError(`${name} TEXT is missing. ${reasonHint}`);
  if (hasHiddenCharacters(reason))
    throw new UsageError(`${name} must be one line of text without hidden characters.`);
  if (reason.length > reasonLengthMax) {
    throw new UsageError(`${name} is longer than ${reasonLengthMax} characters.`);
  }
  return reason;
}
