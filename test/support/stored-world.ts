/** A real store with a publisher for tests, in a temporary folder and with a settable clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/accounts/keys/api-keys.work.ts';
import type { Plan } from '../../src/accounts/keys/quota.ts';
import { readFeedLine } from '../../src/ingest/feed/feed.work.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import type { ImportReport } from '../../src/ingest/runner/report.ts';
import { parseInstant } from '../../src/kernel/time.ts';
import type { ValueEngine } from '../../src/market/values/estimator.ts';
import { BulkMaker } from '../../src/publish/bulk/bulk-maker.work.ts';
import { makePublisher, type Publisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { anAccount } from './builders.ts';
import { keepStore, type OpenStore, openTestStore } from './engines.ts';
import { plainEngine } from './plain-engine.ts';
import { publishSettings } from './publish-settings.ts';

/** The terms of a key: by default, 1,000 calls a day for everything. */
type KeyOptions = Partial<Omit<Parameters<typeof createKey>[1], 'email'>>;

export type FeedLine = Readonly<Record<string, unknown>>;

/** A world without a server, which would take as long to start and stop as all else. */
export interface StoredWorld {
  readonly folder: string;
  readonly store: Store;
  readonly publisher: Publisher;
  now: number;
  /** Imports lines without publishing. */
  ingest(lines: readonly FeedLine[]): Promise<ImportReport>;
  /** Imports lines and publishes. */
  load(lines: readonly FeedLine[]): Promise<ImportReport>;
  /** Creates the bulk files of everything published, as upkeep does once a day. */
  makeBulkFiles(): Promise<void>;
  addAccount(email: string, plan?: Plan): Promise<void>;
  addKey(email: string, options?: KeyOptions): Promise<string>;
  /** Stops everything; the folder stays. */
  stop(): Promise<void>;
  /** Stops everything and removes the folder. */
  close(): Promise<void>;
}

/** The middle of a month, so that no month is about to be sealed. */
export const noon = '2026-11-15T12:00:00Z';

/** Opens a world, by default with the plain engine on a new store. */
export async function openWorld(
  at: string = noon,
  engine: ValueEngine = plainEngine,
  open: OpenStore = openTestStore,
): Promise<StoredWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-'));
  const store = await open(folder);
  const clock = () => world.now;
  const publisher = makePublisher(store.market, { engine, ...publishSettings }, clock);
  const world: StoredWorld = {
    folder,
    store,
    publisher,
    now: parseInstant(at) ?? 0,
    ingest: (lines) => importFeed(store, lines, clock),
    load: async (lines) => {
      const report = await world.ingest(lines);
      await publisher.publishStale();
      return report;
    },
    makeBulkFiles: async () => {
      const maker = new BulkMaker(store.market, clock);
      while (await maker.step());
    },
    addAccount: async (email, plan = 'reseller') => {
      await store.accounts.addAccount(anAccount({ email, plan, at: world.now }));
    },
    addKey: async (email, options = {}) => {
      const key = {
        email,
        name: 'Test',
        allowance: 1000,
        expiresAt: null,
        at: world.now,
        ...options,
      };
      const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
      const made = await createKey(store.accounts, key, random);
      if ('refusal' in made) throw new Error(made.refusal);
      return made.key;
    },
    stop: () => store.close(),
    close: async () => {
      await world.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/**
 * Fills a world once. The result opens worlds with copies of its store, which is faster than
 * filling each.
 */
export async function prepareWorld(
  fill: (world: StoredWorld) => Promise<unknown>,
  at: string = noon,
  engine: ValueEngine = plainEngine,
): Promise<() => Promise<StoredWorld>> {
  const world = await openWorld(at, engine);
  await fill(world);
  await world.stop();
  const open = await keepStore(world.folder);
  rmSync(world.folder, { recursive: true, force: true });
  return () => openWorld(at, engine, open);
}

export function importFeed(
  store: Store,
  lines: readonly (FeedLine | string)[],
  clock: () => number,
): Promise<ImportReport> {
  async function* groups() {
    yield lines.map((line, index) => {
      const text = typeof line === 'string' ? line : JSON.stringify(line);
      return { where: `feed:${index + 1}`, text, result: readFeedLine(text, clock()) };
    });
  }
  return importRows(groups(), { ...store, clock, onReject: () => {} });
}
