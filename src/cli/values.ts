/** `value` and `history …`: computing values, and making months unchangeable. */

import { momentText, monthText, nounText } from '../domain/kernel/format.ts';
import { hasHiddenCharacters } from '../domain/kernel/text.ts';
import {
  formatInstant,
  formatMonth,
  lastFinalMonth,
  parseInstant,
  parseMonth,
} from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagText,
  takeWords,
  UsageError,
} from './command.ts';
import { progressLine, publishWithProgress } from './progress.ts';
import { withExistingStore } from './with-store.ts';

/** How often sealing tries again while imports go on beside it. */
const sealTriesMax = 5;

const reasonLengthMax = 500;

/** All commands about values and history. */
export const valueCommands: readonly Command[] = [
  {
    name: 'value',
    operands: '',
    summary: 'Recompute all values, finalize months and publish',
    flags: { 'as-of': { help: 'Compute values as of an earlier time', value: 'ISO' } },
    run: async (args, context) => {
      takeWords(args, []);
      const asOf = readAsOf(args, context.config.clock());
      context.lowerPriority();
      await withExistingStore(context, async (store) => {
        const documents = await publishAll(store, context, asOf ?? undefined);
        context.result({ documents }, `${nounText(documents, 'document')} valued and published.`);
      });
    },
  },
  {
    name: 'history seal',
    operands: '',
    summary: 'Lock final months; do this once, after importing past sales',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withExistingStore(context, async (store) => {
        const before = await store.market.findHistoryState();
        if (before.sealedAt === null) {
          context.lowerPriority();
          await seal(store, context);
        }
        const { sealedAt } = await store.market.findHistoryState();
        const at = sealedAt === null ? '' : formatInstant(sealedAt);
        const when = sealedAt === null ? '' : ` since ${momentText(sealedAt)}`;
        context.result({ sealed_at: at }, `History is sealed${when}.`);
      });
    },
  },
  {
    name: 'history restate',
    operands: '',
    summary: 'Recompute sealed months, with a public reason',
    flags: {
      from: { help: 'First month to recompute', value: 'YYYY-MM' },
      reason: { help: 'Public reason, in one sentence', value: 'TEXT' },
    },
    run: async (args, context) => {
      takeWords(args, []);
      const at = context.config.clock();
      const fromMonth = readFrom(args, at);
      const reason = readReason(args);
      await withExistingStore(context, async (store) => {
        const { sealedAt } = await store.market.findHistoryState();
        if (sealedAt === null) {
          throw new CommandError(
            "History is not sealed yet. Run 'brickmark value' to recompute all of it.",
          );
        }
        context.lowerPriority();
        const restatement = await store.market.restateHistory({ fromMonth, reason, at });
        await publishWithProgress(store, context, 'Restating');
        context.result(
          { restatement_id: restatement.id, from: formatMonth(fromMonth), reason },
          `Restatement ${restatement.id}: months recomputed from ` +
            `${monthText(formatMonth(fromMonth))} on.`,
        );
      });
    },
  },
  {
    name: 'history list',
    operands: '',
    summary: 'Show when history was sealed, and all restatements',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withExistingStore(context, async (store) => {
        const { sealedAt, restatements } = await store.market.findHistoryState();
        const rows = restatements.map((restatement) => ({
          restatement_id: restatement.id,
          from: formatMonth(restatement.fromMonth),
          reason: restatement.reason,
          recorded_at: formatInstant(restatement.at),
        }));
        const sealed = sealedAt === null ? null : formatInstant(sealedAt);
        const lines = restatements.map(({ id, at, fromMonth, reason }) => {
          const from = monthText(formatMonth(fromMonth));
          return `  ${id}  ${momentText(at)}  from ${from}: ${reason}`;
        });
        const text =
          sealedAt === null
            ? 'Not sealed. Past months can still change.'
            : `Sealed since ${momentText(sealedAt)}.`;
        context.result({ sealed_at: sealed, restatements: rows }, [text, ...lines].join('\n'));
      });
    },
  },
];

async function publishAll(store: Store, context: Context, at?: number): Promise<number> {
  const progress = progressLine(context, 'Valuing');
  const documents = await context.makePublisher(store).publishAll(at, progress.update);
  progress.end();
  return documents;
}

/** Values everything first, so that what is sealed is what all rows say. */
async function seal(store: Store, context: Context): Promise<void> {
  for (let tries = 0; tries < sealTriesMax; tries++) {
    await publishAll(store, context);
    if (await store.market.sealHistory(context.config.clock())) return;
  }
  throw new CommandError('New rows keep arriving. Try again when no import is running.');
}

function readAsOf(args: Arguments, now: number): number | null {
  const text = flagText(args, 'as-of');
  if (text === null) return null;
  const at = parseInstant(text);
  if (at === null) {
    throw new UsageError(`--as-of '${text}' is not a time such as 2026-11-15T12:00:00Z.`);
  }
  if (at > now) throw new UsageError(`--as-of '${text}' is in the future.`);
  return at;
}

function readFrom(args: Arguments, now: number): number {
  const text = flagText(args, 'from');
  if (text === null) throw new UsageError('--from YYYY-MM is missing.');
  const month = parseMonth(text);
  if (month === null) throw new UsageError(`--from '${text}' is not a month such as 2026-01.`);
  if (month > lastFinalMonth(now)) throw new UsageError(`The month ${text} is not final yet.`);
  return month;
}

function readReason(args: Arguments): string {
  const reason = flagText(args, 'reason')?.trim();
  if (!reason)
    throw new UsageError('--reason TEXT is missing. Every restatement needs a public reason.');
  if (hasHiddenCharacters(reason))
    throw new UsageError('--reason must be one line of text without hidden characters.');
  if (reason.length > reasonLengthMax) {
    throw new UsageError(`--reason is longer than ${reasonLengthMax} characters.`);
  }
  return reason;
}
