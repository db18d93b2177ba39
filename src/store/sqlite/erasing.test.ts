/** Erased data leaves the files of the embedded store. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { byService } from '../../accounts/audit/audit.ts';
import { closedMs } from '../../accounts/people/account.ts';
import { openSqliteStore } from './store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'grace.hopper@example.com';
const secret = 'A note that nobody else may read';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-erasing-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The files that contain the email or the name of the list. */
function filesWithData(): string[] {
  return readdirSync(folder).filter((name) => {
    const content = readFileSync(join(folder, name)).toString('latin1').toLowerCase();
    return content.includes(email) || content.includes(secret.toLowerCase());
  });
}

async function openWithAccount() {
  const store = await openSqliteStore(folder, { waits: true });
  const { accounts } = store;
  const account = await accounts.addAccount(anAccount({ email, passwordHash: 'h', at: now }));
  const id = account?.id ?? 0;
  for (let number = 0; number < 20; number++) {
    await accounts.addWatchList(id, { name: `${secret} ${number}`, at: now });
  }
  return store;
}

test('when an account is erased at once', async () => {
  const store = await openWithAccount();
  expect(filesWithData()).not.toEqual([]);
  await store.accounts.removeAccount(email);
  expect(filesWithData()).toEqual([]);
  await store.close();
  expect(filesWithData()).toEqual([]);
});

test('when a closed account is erased by the sweep', async () => {
  const store = await openWithAccount();
  await store.accounts.closeAccount(email, byService, now);
  while ((await store.accounts.sweep(now, 100)) > 0);
  expect(filesWithData()).toEqual(['accounts.db']);
  while ((await store.accounts.sweep(now + closedMs, 100)) > 0);
  expect(filesWithData()).toEqual([]);
  await store.close();
});
