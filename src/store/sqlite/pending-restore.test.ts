/** A restore that is interrupted at any point has no effect, or is finished at the next opening. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { onMachine } from '../../accounts/audit/audit.ts';
import { backUp } from './backup.ts';
import { seizeStore, shareStore } from './lock.ts';
import { finishRestore, pendingName } from './pending-restore.ts';
import { restoreBackup } from './restore.ts';
import { openSqliteStore } from './store.ts';

const at = Date.UTC(2026, 10, 15, 12);
const kept = 'before-restore-20261115T120000Z';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brickmark-restore-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A store with its name in both files. */
async function makeStore(name: string, sealedAt: number): Promise<string> {
  const folder = join(root, name);
  const { accounts, market, close } = openSqliteStore(folder);
  await accounts.addAccount(anAccount({ email: `${name}@example.com`, at }));
  await market.sealHistory(sealedAt);
  await close();
  return folder;
}

/** The names in both files. */
async function contents(folder: string): Promise<unknown> {
  const { accounts, market, close } = openSqliteStore(folder);
  const emails = (await accounts.listAccounts(at)).map(({ email }) => email);
  const { sealedAt } = await market.findHistoryState();
  await close();
  return { emails, sealedAt };
}

const unsigned = { signingKey: null, takesUnsigned: false, by: onMachine };

/** A folder with a committed restore: the new files are not in place yet. */
async function pendingRestore(): Promise<{ folder: string; older: string }> {
  const older = await makeStore('old', 1);
  const newer = await makeStore('new', 2);
  backUp({ folder: newer, path: join(root, 'backup'), version: '1.2.3', ...unsigned, at });
  const folder = join(root, 'pending');
  cpSync(older, folder, { recursive: true });
  writeFileSync(join(folder, 'market.db-wal'), 'of the old market');
  writeFileSync(join(folder, 'demo-unfinished'), '');
  const pending = join(folder, pendingName);
  mkdirSync(join(pending, kept), { recursive: true });
  for (const name of ['accounts.db', 'market.db']) {
    cpSync(join(root, 'backup', name), join(pending, name));
  }
  return { folder, older };
}

test('a restore interrupted at any move is finished when the store is opened', async () => {
  const { folder, older } = await pendingRestore();
  let isWhole = false;
  let moves = 0;
  for (; !isWhole; moves++) {
    const copy = join(root, `copy-${moves}`);
    cpSync(folder, copy, { recursive: true });
    let left = moves;
    const move = (from: string, to: string) => {
      if (left-- === 0) throw new Error('Killed.');
      renameSync(from, to);
    };
    try {
      finishRestore(copy, move);
      isWhole = true;
    } catch (error) {
      expect((error as Error).message).toBe('Killed.');
    }
    expect(await contents(copy)).toEqual({ emails: ['new@example.com'], sealedAt: 2 });
    expect(readdirSync(copy).sort()).toEqual(
      ['accounts.db', kept, 'market.db', 'store.lock'].toSorted(),
    );
    expect(readdirSync(join(copy, kept)).sort()).toEqual(
      ['accounts.db', 'demo-unfinished', 'market.db', 'market.db-wal'].toSorted(),
    );
    rmSync(join(copy, kept, 'market.db-wal'));
    expect(await contents(join(copy, kept))).toEqual(await contents(older));
  }
  expect(moves).toBe(8);
});

test('a backup of a store with a pending restore has the restored data', async () => {
  const { folder } = await pendingRestore();
  backUp({ folder, path: join(root, 'second'), version: '1.2.3', ...unsigned, at });
  const again = join(root, 'again');
  restoreBackup({ folder: again, path: join(root, 'second'), isForced: false, ...unsigned, at });
  expect(await contents(again)).toEqual({ emails: ['new@example.com'], sealedAt: 2 });
});

test('a store is locked exclusively only if no process has it open', async () => {
  const folder = join(root, 'locked');
  const store = openSqliteStore(folder);
  const backup = shareStore(folder);
  await store.close();
  expect(seizeStore(folder, 0)).toBeNull();
  backup.release();
  const alone = seizeStore(folder, 0);
  expect(alone).not.toBeNull();
  expect(seizeStore(folder, 0)).toBeNull();
  alone?.release();
  await openSqliteStore(folder).close();
});

test('an empty store is not kept; later restores keep the previous store under distinct names', async () => {
  const path = join(root, 'backup');
  backUp({ folder: await makeStore('new', 2), path, version: '1.2.3', ...unsigned, at });
  const folder = join(root, 'empty');
  await openSqliteStore(folder).close();
  expect(restoreBackup({ folder, path, isForced: false, ...unsigned, at }).kept).toBeNull();
  for (const name of [kept, `${kept}-2`]) {
    expect(restoreBackup({ folder, path, isForced: true, ...unsigned, at }).kept).toBe(
      join(folder, name),
    );
  }
  expect(existsSync(join(folder, kept, 'market.db'))).toBe(true);
});
