/** When sources were asked about an item by themselves, when they will be, and why. */

import { type Config, ConfigError } from '../config.ts';
import { countText, momentText } from '../domain/kernel/format.ts';
import { dayMs, formatInstant, minuteMs } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import type { ItemName } from '../domain/sync/planning.ts';
import type { SourceState } from '../domain/sync/source-state.ts';
import type { Connector } from '../sync/connector.ts';
import { makePlanner } from '../sync/planner.ts';
import { listConnectors } from './sync-sources.ts';
import { table } from './table.ts';

/** A question about an item; one without a topic is about everything that the source has. */
export interface AskedOfItem {
  readonly source: string;
  readonly topic: string | null;
  readonly askedAt: number | null;
  /** Whether the source knew the item when it was asked. */
  readonly isKnown: boolean;
  /** How many questions are asked before it, and itself; null: it is in no line. */
  readonly place: number | null;
  /** When it is expected to be asked, or not asked before; null: nobody can say. */
  readonly nextAt: number | null;
  readonly why: string;
}

/** What is asked about an item, by every source that is turned on or was asked before. */
export async function listAskedOfItem(
  store: Store,
  item: ItemName & { readonly sources: readonly string[] },
  config: Config,
): Promise<AskedOfItem[]> {
  const at = config.clock();
  const states = new Map(
    (await store.sync.listSources()).map(({ source, state }) => [source, state] as const),
  );
  const asked: AskedOfItem[] = [];
  const connectors = turnedOn(config);
  for (const connector of connectors) {
    const state = states.get(connector.name) ?? null;
    if (connector.topics) asked.push(...(await listPlaces(store, item, { connector, state, at })));
    else if (item.sources.includes(connector.name)) asked.push(wholeSource(connector, state));
  }
  const isOn = (source: string) => connectors.some(({ name }) => name === source);
  const others = await store.sync.listQuestions(item.kind, item.key);
  for (const { source, topic, askedAt, isKnown } of others.filter((each) => !isOn(each.source))) {
    const why = 'not configured';
    asked.push({ source, topic, askedAt, isKnown, place: null, nextAt: null, why });
  }
  return asked;
}

/** Settings that cannot be read keep nobody from looking at an item. */
function turnedOn(config: Config): readonly Connector[] {
  try {
    return listConnectors(config);
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

async function listPlaces(
  store: Store,
  item: ItemName,
  source: {
    readonly connector: Connector;
    readonly state: SourceState | null;
    readonly at: number;
  },
): Promise<AskedOfItem[]> {
  const { connector, state, at } = source;
  const { name, topics = [], budget } = connector;
  const planner = makePlanner(store.sync);
  const asked: AskedOfItem[] = [];
  // What changes a value and what counts for its age alone are not held against each other.
  for (const alike of Map.groupBy(topics, ({ condition }) => condition !== null).values()) {
    const places = await planner.findPlaces({ source: name, topics: alike, at }, item);
    for (const { topic, askedAt, isKnown, place, notBefore, reason } of places) {
      const from = Math.max(at, state?.nextAt ?? 0);
      const nextAt =
        place !== null && budget?.kind === 'day'
          ? toMinute(from + ((place - 1) / budget.calls) * dayMs)
          : notBefore;
      asked.push({ source: name, topic, askedAt, isKnown, place, nextAt, why: reason });
    }
  }
  return asked;
}

/** What is expected is not told to the second. */
function toMinute(at: number): number {
  return Math.floor(at / minuteMs) * minuteMs;
}

function wholeSource({ name }: Connector, state: SourceState | null): AskedOfItem {
  return {
    source: name,
    topic: null,
    askedAt: state?.lastSuccessAt ?? null,
    isKnown: true,
    place: null,
    nextAt: state?.nextAt ?? null,
    why: 'fetches everything at once',
  };
}

/** For people: a table with a heading; nothing without questions. */
export function askedText(asked: readonly AskedOfItem[], at: number): string[] {
  if (asked.length === 0) return [];
  const rows = asked.map((each) => [
    each.source,
    each.topic ?? 'everything',
    each.askedAt === null ? 'never' : momentText(each.askedAt),
    nextText(each, at),
    each.isKnown ? each.why : `${each.why}; not found last time`,
  ]);
  return ['', table(['asked', 'about', 'last', 'next', 'why'], rows)];
}

function nextText({ place, nextAt }: AskedOfItem, at: number): string {
  const when = nextAt === null ? '' : nextAt <= at ? 'now' : momentText(nextAt);
  if (place === null) return when === '' ? '-' : when;
  const inLine = `number ${countText(place)} in the queue`;
  return when === '' ? inLine : `${when}, ${inLine}`;
}

/** For programs. */
export function askedJson(asked: readonly AskedOfItem[]) {
  const instant = (at: number | null) => (at === null ? null : formatInstant(at));
  return asked.map(({ source, topic, askedAt, isKnown, place, nextAt, why }) => ({
    source,
    topic,
    asked_at: instant(askedAt),
    is_known: isKnown,
    place,
    next_at: instant(nextAt),
    why,
  }));
}
