/** Output of the sync commands, as text and JSON: rounds, plans, status. */

import { countText, momentText, nounText } from '../../kernel/format.ts';
import { escapeHiddenCharacters } from '../../kernel/text.ts';
import { dayMs, formatDay, formatInstant, formatInstantOrNull } from '../../kernel/time.ts';
import type { WaitingRows } from '../../market/source-rows/market-ingest.ts';
import type { Plan } from '../../sync/connector.work.ts';
import { freshnessOf } from '../../sync/freshness.ts';
import type { RoundResult } from '../../sync/round.work.ts';
import type { KeylessSource } from '../../sync/secret-reader.work.ts';
import type { SourceState } from '../../sync/source-state.ts';
import { table, tableOf } from '../table.ts';

export function roundText({ source, calls, rows, rejects, error, nextAt }: RoundResult): string {
  const counts =
    `${source}: ${nounText(calls, 'call')}, ${nounText(rows, 'row')}, ` +
    `${countText(rejects)} rejected.`;
  if (error === null) return counts;
  return `${counts} ${escapeHiddenCharacters(error)} Next attempt: ${momentText(nextAt)}.`;
}

export function roundJson({ source, calls, rows, rejects, error, nextAt }: RoundResult): object {
  return { source, calls, rows, rejects, error, next_at: formatInstant(nextAt) };
}

export function keylessText({ name, problem }: KeylessSource): string {
  return `${name} is stopped: ${escapeHiddenCharacters(problem)}`;
}

export function keylessJson({ name, problem }: KeylessSource): object {
  return { source: name, calls: 0, rows: 0, rejects: 0, error: problem, next_at: null };
}

interface SourcePlan {
  readonly source: string;
  readonly nextAt: number;
  readonly plan: Plan;
}

export function planText(plans: readonly SourcePlan[], at: number): string {
  const rows = plans.flatMap(({ source, nextAt, plan }) =>
    plan.calls.map(({ subject, cost, reason }) => [
      source,
      nextAt <= at ? 'now' : momentText(nextAt),
      subject,
      cost,
      reason,
    ]),
  );
  const idle = plans
    .filter(({ plan }) => plan.calls.length === 0)
    .map(({ source }) => `${source}: nothing due now.`);
  const calls = rows.length === 0 ? [] : [table(['source', 'when', 'call', 'cost', 'why'], rows)];
  return [...calls, ...idle].join('\n');
}

export function planJson(plans: readonly SourcePlan[]): object {
  return {
    sources: plans.map(({ source, nextAt, plan }) => ({
      source,
      next_at: nextAt === 0 ? null : formatInstant(nextAt),
      calls: plan.calls.map(({ subject, reason, cost }) => ({ subject, reason, cost })),
    })),
  };
}

/** A source that is no longer configured may still have a state. */
export interface SourceStatus {
  readonly source: string;
  readonly isOn: boolean;
  /** Whether it was last called with other settings. */
  readonly isChanged: boolean;
  readonly state: SourceState;
}

/** A table, followed by the last error of each source. */
export function statusText(sources: readonly SourceStatus[], at: number): string {
  const rows = sources.map(({ source, isOn, state }) => ({
    ...state,
    ...freshnessOf(state, at),
    source,
    next: isOn ? nextText(state, at) : 'not configured',
  }));
  const text = tableOf(rows, {
    source: ({ source }) => source,
    'last success': ({ lastSuccessAt: last }) => (last === null ? 'never' : momentText(last)),
    'next call': ({ next }) => next,
    'budget left': ({ left }) => left ?? '-',
    resets: ({ moreAt }) => (moreAt === null ? '-' : momentText(moreAt)),
    'never fetched': ({ coverage }) =>
      coverage ? `${countText(coverage.neverAsked)} of ${countText(coverage.questions)}` : '-',
    oldest: ({ coverage }) => (coverage ? ageText(coverage.oldestAt, at) : '-'),
    median: ({ coverage }) => (coverage ? ageText(coverage.medianAt, at) : '-'),
    'rows today': ({ today }) => today.rows,
    rejects: ({ today }) => today.rejects,
  });
  const problems = sources.flatMap(({ source, state }) => problemLines(source, state));
  const changed = sources.filter(({ isChanged }) => isChanged).map(({ source }) => source);
  const notice =
    changed.length === 0
      ? []
      : [`New settings of ${changed.join(', ')} apply after 'brickmark reload' or a restart.`];
  return [text, ...problems, ...notice].join('\n');
}

export function statusJson({ source, isOn, isChanged, state }: SourceStatus, at: number): object {
  const { lastError, coverage } = state;
  const { left, moreAt } = freshnessOf(state, at);
  return {
    source,
    enabled: isOn,
    settings_changed: isChanged,
    last_success_at: formatInstantOrNull(state.lastSuccessAt),
    last_error: lastError && {
      at: formatInstant(lastError.at),
      message: lastError.message,
      stopped: lastError.isStopped,
    },
    failures: state.failures,
    next_at: state.nextAt === 0 ? null : formatInstant(state.nextAt),
    budget: { left, resets_at: formatInstantOrNull(moreAt) },
    coverage: coverage && {
      questions: coverage.questions,
      never_asked: coverage.neverAsked,
      oldest_at: formatInstantOrNull(coverage.oldestAt),
      median_at: formatInstantOrNull(coverage.medianAt),
    },
    days: state.days.map(({ day, calls, rows, rejects }) => {
      return { day: formatDay(day * dayMs), calls, rows, rejects };
    }),
  };
}

/** Rows in a currency that wait for exchange rates. */
export function waitingJson({ currency, count, firstDate, lastDate }: WaitingRows): object {
  return { currency, rows: count, from: firstDate, to: lastDate };
}

function nextText({ nextAt, lastError }: SourceState, at: number): string {
  if (lastError?.isStopped) return 'stopped';
  return nextAt <= at ? 'now' : momentText(nextAt);
}

function problemLines(source: string, { lastError, failures }: SourceState): string[] {
  if (lastError === null) return [];
  const failed = failures > 0 ? `failed ${nounText(failures, 'time')}` : 'works';
  const since = lastError.isStopped ? 'is stopped' : failed;
  const message = escapeHiddenCharacters(lastError.message);
  const next = lastError.isStopped
    ? " Then run 'brickmark reload', or restart the server if the key is in its environment."
    : '';
  return [`${source} ${since}; last error ${momentText(lastError.at)}: ${message}${next}`];
}

function ageText(since: number | null, at: number): string {
  if (since === null) return '-';
  return `${Math.max(0, Math.floor((at - since) / dayMs))} d`;
}
