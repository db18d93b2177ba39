/** Past and planned calls of synced sources about one item, for `sources`. */

import type { Config } from '../../config.ts';
import { countText, momentText } from '../../kernel/format.ts';
import { dayMs, formatInstantOrNull, minuteMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { Connector } from '../../sync/connector.work.ts';
import { makePlanner } from '../../sync/planner.work.ts';
import type { ItemName } from '../../sync/planning.ts';
import type { SourceState } from '../../sync/source-state.ts';
import { tableOf } from '../table.ts';
import { findConnectors } from './sync-sources.ts';

/** Without a topic, the source is fetched as a whole. */
interface ItemCall {
  readonly source: string;
  readonly topic: string | null;
  readonly askedAt: number | null;
  /** Whether the source had the item at the last call. */
  readonly isKnown: boolean;
  /** Position in the queue, from 1; null if it is not queued. */
  readonly queueNumber: number | null;
  /** Expected or earliest time of the next call; null if unknown. */
  readonly nextAt: number | null;
  readonly why: string;
}

/** Of configured sources, and of sources that were called before. */
export async function listItemCalls(
  store: Store,
  item: ItemName & { readonly sources: readonly string[] },
  config: Config,
): Promise<ItemCall[]> {
  const at = config.clock();
  const states = new Map(
    (await store.sync.listSources()).map(({ source, state }) => [source, state] as const),
  );
  const calls: ItemCall[] = [];
  const { connectors } = findConnectors(config);
  for (const connector of connectors) {
    const state = states.get(connector.name) ?? null;
    if (connector.topics) calls.push(...(await listQueued(store, item, { connector, state, at })));
    else if (item.sources.includes(connector.name)) calls.push(wholeSource(connector, state));
  }
  const isOn = (source: string) => connectors.some(({ name }) => name === source);
  const others = await store.sync.listQuestions(item.kind, item.key);
  for (const { source, topic, askedAt, isKnown } of others.filter((each) => !isOn(each.source))) {
    const why = 'not configured';
    calls.push({ source, topic, askedAt, isKnown, queueNumber: null, nextAt: null, why });
  }
  return calls;
}

async function listQueued(
  store: Store,
  item: ItemName,
  source: {
    readonly connector: Connector;
    readonly state: SourceState | null;
    readonly at: number;
  },
): Promise<ItemCall[]> {
  const { connector, state, at } = source;
  const { name, topics = [], budget } = connector;
  const planner = makePlanner(store.sync);
  const calls: ItemCall[] = [];
  // Topics with and without a condition have separate queues.
  for (const alike of Map.groupBy(topics, ({ condition }) => condition !== null).values()) {
    const queued = await planner.findQueued({ source: name, topics: alike, at }, item);
    for (const { topic, askedAt, isKnown, queueNumber, notBefore, reason } of queued) {
      const from = Math.max(at, state?.nextAt ?? 0);
      const nextAt =
        queueNumber !== null && budget?.kind === 'day'
          ? toMinute(from + ((queueNumber - 1) / budget.calls) * dayMs)
          : notBefore;
      calls.push({
        source: name,
        topic,
        askedAt,
        isKnown,
        queueNumber,
        nextAt,
        why: reason,
      });
    }
  }
  return calls;
}

function toMinute(at: number): number {
  return Math.floor(at / minuteMs) * minuteMs;
}

function wholeSource({ name }: Connector, state: SourceState | null): ItemCall {
  return {
    source: name,
    topic: null,
    askedAt: state?.lastSuccessAt ?? null,
    isKnown: true,
    queueNumber: null,
    nextAt: state?.nextAt ?? null,
    why: 'fetches everything at once',
  };
}

export function itemCallsText(calls: readonly ItemCall[], at: number): string[] {
  if (calls.length === 0) return [];
  const text = tableOf(calls, {
    asked: ({ source }) => source,
    about: ({ topic }) => topic ?? 'everything',
    last: ({ askedAt }) => (askedAt === null ? 'never' : momentText(askedAt)),
    next: (call) => nextText(call, at),
    why: ({ isKnown, why }) => (isKnown ? why : `${why}; not found last time`),
  });
  return ['', text];
}

function nextText({ queueNumber, nextAt }: ItemCall, at: number): string {
  const when = nextAt === null ? '' : nextAt <= at ? 'now' : momentText(nextAt);
  if (queueNumber === null) return when === '' ? '-' : when;
  const inLine = `number ${countText(queueNumber)} in the queue`;
  return when === '' ? inLine : `${when}, ${inLine}`;
}

export function itemCallsJson(calls: readonly ItemCall[]) {
  return calls.map(({ source, topic, askedAt, isKnown, queueNumber: place, nextAt, why }) => ({
    source,
    topic,
    asked_at: formatInstantOrNull(askedAt),
    is_known: isKnown,
    place,
    next_at: formatInstantOrNull(nextAt),
    why,
  }));
}
