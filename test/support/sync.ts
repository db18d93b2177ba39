/** Fake sources with scripted responses, and a store for sync rounds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonValue } from '../../src/kernel/json.ts';
import { hourMs } from '../../src/kernel/time.ts';
import type { Store } from '../../src/store/store.ts';
import { AnswerFolders } from '../../src/sync/answers.work.ts';
import type { Answer, Connector, PlannedCall } from '../../src/sync/connector.work.ts';
import type { Planner } from '../../src/sync/planning.ts';
import type { RoundWork } from '../../src/sync/round.work.ts';
import type { Question } from '../../src/sync/source-state.ts';
import { openTestStore } from './engines.ts';
import { importFeed } from './stored-world.ts';

export interface SyncPlace {
  readonly folder: string;
  readonly store: Store;
  now: number;
  /** The dependencies of a round, with overrides. */
  work(changed?: Partial<RoundWork>): RoundWork;
  close(): Promise<void>;
}

export async function makeSyncPlace(): Promise<SyncPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-round-'));
  const store = await openTestStore(join(folder, 'data'));
  const place: SyncPlace = {
    folder,
    store,
    now: Date.UTC(2026, 10, 15, 12),
    work: (changed = {}) => ({
      store: store.sync,
      client: { send: () => Promise.reject(new Error('Nobody is asked over the network.')) },
      planner: emptyPlanner,
      answers: new AnswerFolders(join(folder, 'answers')),
      clock: () => place.now,
      random: () => 0.5,
      importFiles: async ({ paths }) => {
        const lines = paths.flatMap((path) =>
          gunzipSync(readFileSync(path)).toString().trim().split('\n'),
        );
        const report = await importFeed(store, lines, () => place.now);
        const { rejected, read, added, updated, missing = 0 } = report;
        const changed = added + updated;
        return { rows: read - rejected, rejects: rejected, missing, changed, problem: null };
      },
      keepLease: async () => {},
      isStopping: () => false,
      redact: (text) => text,
      ...changed,
    }),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return place;
}

/** Has no questions. */
const emptyPlanner: Planner = {
  rank: async () => [],
  findNames: async () => new Map(),
};

export const askedSet = (key: string): Question => ({ kind: 'set', key, topic: 'sold' });

/** A feed file with sets of these numbers. */
export function feedOf(...numbers: readonly string[]): Answer['files'] {
  const lines = numbers.map((number) =>
    JSON.stringify({ kind: 'set', set_number: number, title: `Set ${number}`, theme: 'Huts' }),
  );
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  return [{ name: `${numbers.join('+')}.ndjson`, bytes, format: 'feed' }];
}

/** A planned call with its response, or the error that it throws. */
export function callOf(
  subject: string,
  ask: () => Answer | Error,
  questions: readonly Question[] = [],
): PlannedCall {
  return {
    subject,
    reason: 'a test',
    cost: 1,
    questions,
    ask: async () => {
      const answer = ask();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

/** A source with calls that depend on the cursor, due again after an hour. */
export function sourceOf(
  calls: (cursor: JsonValue) => readonly PlannedCall[],
  changed: Partial<Connector> = {},
): Connector {
  return {
    name: 'huts',
    step: 'market',
    budget: null,
    check: async () => 'It works.',
    plan: async ({ cursor, at }) => ({ calls: calls(cursor), nextAt: at + hourMs }),
    ...changed,
  };
}
