/**
 * One store for all tests of a suite, which use separate accounts so that they do not interfere.
 */
import { afterAll, beforeAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivateRow } from '../../src/portfolio/lots/private-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { anAccount } from './builders.ts';
import { openTestStore } from './engines.ts';
import { applyRows, type OwnRows, rowsOf } from './own-rows.ts';

/** The current time in these suites. */
export const sharedNow = Date.UTC(2026, 10, 15, 12);

export interface SharedStore {
  readonly folder: string;
  readonly store: Store;
  /** Adds an account, with a unique email address by default. */
  addOwner(email?: string): Promise<Owner>;
}

export interface Owner extends OwnRows {
  readonly id: number;
  /** Applies rows; throws if one is rejected. */
  apply(...rows: PrivateRow[]): Promise<void>;
}

/** Opens a store before the tests of a suite and closes it after them. */
export function shareStore(): SharedStore {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-shared-'));
  let store: Store | null = null;
  let owners = 0;
  beforeAll(async () => {
    store = await openTestStore(folder);
  });
  afterAll(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const opened = (): Store => {
    if (!store) throw new Error('The store is opened before the first test, and not earlier.');
    return store;
  };
  return {
    folder,
    get store() {
      return opened();
    },
    addOwner: async (email = `owner-${++owners}@example.com`) => {
      const added = await opened().accounts.addAccount(
        anAccount({ email, at: sharedNow, passwordHash: `of ${email}` }),
      );
      if (!added) throw new Error(`There is an account of ${email} already.`);
      return { ...rowsOf(email), id: added.id, apply: (...rows) => applyAll(opened(), rows) };
    },
  };
}

async function applyAll({ accounts }: Store, rows: readonly PrivateRow[]): Promise<void> {
  for (const outcome of await applyRows(accounts, rows, sharedNow)) {
    if (outcome.kind === 'rejected') throw new Error(outcome.reason);
  }
}

/** A unique 32-byte hash per number. */
export function hashOf(number: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}
