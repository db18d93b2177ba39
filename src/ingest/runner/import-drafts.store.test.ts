/** Guarantees of every store about uploaded files before their import. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { importDraftMs, importDraftsMax } from './import-draft.ts';

const shared = shareStore();

const file = (name: string, at = now) => ({
  name,
  content: new Uint8Array([0, 255, 7]),
  path: '/inventory/import',
  at,
});

test('a file is found by its owner only, until it expires; importing it renews it', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const id = (await accounts.addImportDraft(one.id, file('mine.csv'))) ?? 0;
  const found = await accounts.findImportDraft(one.id, id, now);
  expect(found).toMatchObject({ name: 'mine.csv', result: null });
  expect([...(found?.content ?? [])]).toEqual([0, 255, 7]);
  expect(await accounts.findImportDraft(other.id, id, now)).toBeNull();
  expect(await accounts.findImportDraft(one.id, id, now + importDraftMs)).toBeNull();
  const outcome = { result: '{"added":1}', replaces: null, at: now + 1000 };
  expect(await accounts.finishImportDraft(other.id, id, outcome)).toBe(false);
  expect(await accounts.finishImportDraft(one.id, id, outcome)).toBe(true);
  // If two requests finish at once, on any nodes, the first one saves the result.
  const second = { ...outcome, result: '{"added":0}' };
  expect(await accounts.finishImportDraft(one.id, id, second)).toBe(false);
  const later = await accounts.findImportDraft(one.id, id, now + importDraftMs);
  expect(later?.result).toBe('{"added":1}');
  const undone = { result: '{"undone":1}', replaces: '{"added":1}', at: now + 1000 };
  expect(await accounts.finishImportDraft(one.id, id, undone)).toBe(true);
  await accounts.sweep(now + 1000 + importDraftMs, 100);
  expect(await accounts.findImportDraft(one.id, id, now)).toBeNull();
});

test('corrections are kept for the owner, and no longer change once it is imported', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const id = (await accounts.addImportDraft(one.id, file('mine.csv'))) ?? 0;
  expect(await accounts.correctImportDraft(other.id, id, '[]')).toBe(false);
  expect(await accounts.correctImportDraft(one.id, id, '[1]')).toBe(true);
  const outcome = { result: '{}', replaces: null, at: now };
  await accounts.finishImportDraft(one.id, id, outcome);
  expect(await accounts.correctImportDraft(one.id, id, '[2]')).toBe(false);
  const found = await accounts.findImportDraft(one.id, id, now);
  expect(found).toMatchObject({ corrections: '[1]', result: '{}' });
});

test('an account keeps its newest files; without an account there are none', async () => {
  const { accounts } = shared.store;
  const owner = await shared.addOwner();
  const ids: number[] = [];
  for (let count = 0; count <= importDraftsMax; count++) {
    ids.push((await accounts.addImportDraft(owner.id, file(`${count}.csv`))) ?? 0);
  }
  const found = await Promise.all(ids.map((id) => accounts.findImportDraft(owner.id, id, now)));
  expect(found.map((draft) => draft?.name ?? null)).toEqual([null, '1.csv', '2.csv', '3.csv']);
  const listed = await accounts.listImportDrafts(owner.id);
  expect(listed).toEqual(
    ids.slice(1).map((id, index) => ({
      id,
      name: `${index + 1}.csv`,
      path: '/inventory/import',
      expiresAt: now + importDraftMs,
      isDone: false,
    })),
  );
  expect(await accounts.addImportDraft(999_999, file('x.csv'))).toBeNull();
});
