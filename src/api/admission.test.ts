/** Admission while the store is slow: nobody waits for long, and who was told is never sent. */
import { expect, test } from 'bun:test';
import { storeMsMax } from '../contract/limits.ts';
import type { AccountStore } from '../domain/account/account-store.ts';
import { StoreBusyError } from '../domain/store.ts';
import { groupAdmissions, StalledError } from './admission.ts';

/** How long requests may wait for their turn, in these tests. */
const waitMs = 200;

/** Accounts that decide when they are told to. */
function slowAccounts() {
  const groups: { readonly size: number; go(): void; fail(error: Error): void }[] = [];
  const accounts: Partial<AccountStore> = {
    admissionMsMax: storeMsMax - waitMs,
    admitGroup: (requests, at) =>
      new Promise((resolve, reject) => {
        const admissions = requests.map(() => null);
        groups.push({
          size: requests.length,
          go: () => resolve({ admissions, at }),
          fail: reject,
        });
      }),
  };
  return { groups, admit: groupAdmissions(accounts as AccountStore, () => 0) };
}

/** Asks so often at once; what became of each. */
function ask(admit: ReturnType<typeof groupAdmissions>, count: number): Promise<string>[] {
  return Array.from({ length: count }, () =>
    admit(
      { keyHash: new Uint8Array(32), cost: 1, from: { signal: new AbortController().signal } },
      () => 'decided',
      (error) => (error instanceof Error ? error.constructor.name : 'failed'),
    ),
  );
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(1);
}

test('those who wait behind a group that is not answered are told in time, and never sent', async () => {
  const { groups, admit } = slowAccounts();
  const first = ask(admit, 1);
  await until(() => groups.length === 1);
  const crowd = await Promise.all(ask(admit, 1_200));
  expect(new Set(crowd)).toEqual(new Set([StalledError.name]));
  groups[0]?.go();
  expect(await Promise.all(first)).toEqual(['decided']);
  await Bun.sleep(20);
  expect(groups).toHaveLength(1);
  const next = ask(admit, 3);
  await until(() => groups.length === 2);
  groups[1]?.go();
  expect(await Promise.all(next)).toEqual(['decided', 'decided', 'decided']);
});

test('a group that fails takes only itself along', async () => {
  const { groups, admit } = slowAccounts();
  const first = ask(admit, 2);
  await until(() => groups.length === 1);
  const second = ask(admit, 1);
  groups[0]?.fail(new TypeError('away'));
  expect(await Promise.all(first)).toEqual(['TypeError', 'TypeError']);
  await until(() => groups.length === 2);
  groups[1]?.go();
  expect(await Promise.all(second)).toEqual(['decided']);
});

test('a store that is being written to is asked again, with all who came meanwhile', async () => {
  const { groups, admit } = slowAccounts();
  const first = ask(admit, 1);
  await until(() => groups.length === 1);
  const second = ask(admit, 2);
  groups[0]?.fail(new StoreBusyError('busy'));
  await until(() => groups.length === 2);
  expect(groups[1]?.size).toBe(3);
  groups[1]?.go();
  expect(await Promise.all([...first, ...second])).toEqual(['decided', 'decided', 'decided']);
});

test('a store that stays busy is given up in time', async () => {
  const { groups, admit } = slowAccounts();
  const asked = Promise.all(ask(admit, 2));
  let isOver = false;
  asked.finally(() => {
    isOver = true;
  });
  for (let seen = 0; !isOver; ) {
    for (; seen < groups.length; seen++) groups[seen]?.fail(new StoreBusyError('busy'));
    await Bun.sleep(1);
  }
  expect(await asked).toEqual([StalledError.name, StalledError.name]);
});
