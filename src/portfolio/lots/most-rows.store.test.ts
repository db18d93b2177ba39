/** Guarantees of every store about the limits of an account. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aBrickfolio, aLedgerSale, aLot, anAccount } from '../../../test/support/builders.ts';
import { engines, keepStore, type OpenStore } from '../../../test/support/engines.ts';
import { writeRows } from '../../../test/support/many-rows.ts';
import { applyRows } from '../../../test/support/own-rows.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { brickfoliosMax, lotsMax, salesMax, sessionsMax } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import type { Store } from '../../store/store.ts';
import type { PrivateRow } from './private-rows.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';

/** How many sales can be added to the copied store. */
const roomInCopies = 5;

const brickfolio = (name: string, description: string | null = null): PrivateRow => ({
  email,
  kind: 'brickfolio',
  facts: aBrickfolio({ name, description }),
});

const lot = (sourceId: string, quantity = 1): PrivateRow => ({
  email,
  kind: 'holding',
  facts: aLot({ sourceId, quantity }),
});

const sale = (sourceId: string, grossCents = 20_00): PrivateRow => ({
  email,
  kind: 'ledger_sale',
  facts: aLedgerSale({ sourceId, grossCents, costCents: 5_00 }),
});

const newFolder = () => mkdtempSync(join(tmpdir(), 'brickmark-most-'));

async function addAnn({ accounts }: Store): Promise<number> {
  const added = await accounts.addAccount(anAccount({ email, plan: 'free', at: now }));
  await applyRows(accounts, [brickfolio('Shelf')], now);
  return added?.id ?? 0;
}

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;

  beforeEach(async () => {
    folder = newFolder();
    store = await open(folder);
    ann = await addAnn(store);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let filled: Promise<{ readonly openCopy: OpenStore; readonly ann: number }> | null = null;

  /** Opens a copy of a store that was filled once, with room for some sales. */
  async function goOnWithRoom(room: number): Promise<void> {
    filled ??= fillWithSales();
    const { openCopy, ann: id } = await filled;
    await store.close();
    rmSync(folder, { recursive: true, force: true });
    folder = newFolder();
    store = await openCopy(folder);
    ann = id;
    const more = Array.from({ length: roomInCopies - room }, (_, n) => sale(`more ${n}`));
    expect(await apply(...more)).toEqual(more.map(() => 'added'));
  }

  async function fillWithSales() {
    const place = newFolder();
    const first = await open(place);
    const accountId = await addAnn(first);
    await writeRows(place, 'ledger_sale', { accountId, count: salesMax - roomInCopies });
    await first.close();
    const openCopy = await keepStore(place);
    rmSync(place, { recursive: true });
    return { openCopy, ann: accountId };
  }

  const apply = async (...rows: PrivateRow[]) =>
    (await applyRows(store.accounts, rows, now)).map((outcome) =>
      outcome.kind === 'rejected' ? outcome.reason : outcome.kind,
    );

  test('the number of collections is limited; existing ones can be changed', async () => {
    const rows = Array.from({ length: brickfoliosMax }, (_, n) => brickfolio(`Box ${n}`));
    const outcomes = await apply(...rows);
    const refusal = `the limit of ${countText(brickfoliosMax)} collections is reached`;
    expect(outcomes).toEqual([...Array(brickfoliosMax - 1).fill('added'), refusal]);
    expect(await apply(brickfolio('Another'))).toEqual([refusal]);
    expect(await apply(brickfolio('Box 1', 'small'))).toEqual(['updated']);
    expect((await store.accounts.findHoldings(ann, null)).brickfolios).toHaveLength(brickfoliosMax);
  });

  test('the number of lots is limited; existing ones can be changed', async () => {
    await writeRows(folder, 'lot', { accountId: ann, count: lotsMax - 1 });
    const refusal = `the limit of ${countText(lotsMax)} lots is reached`;
    expect(await apply(lot('a'), lot('b'))).toEqual(['added', refusal]);
    expect(await apply(lot('c'))).toEqual([refusal]);
    expect(await apply(lot('a', 3), lot('n1', 2))).toEqual(['updated', 'updated']);
    // Lots are restored only if all of them fit.
    const first = await store.accounts.listLots(ann, { after: 0, limit: 2 });
    const remove = (...lotIds: number[]) => {
      const rows = lotIds.map((lotId) => ({ kind: 'lot_removal', lotId }) as const);
      return store.accounts.change(ann, { rows, undoAs: 'delete' }, now);
    };
    const id = (await remove(...first.map(({ sequence }) => sequence))).editId ?? 0;
    expect(await apply(lot('c'))).toEqual(['added']);
    expect(await store.accounts.undoEdit(ann, { editId: id, of: 'lots' }, now)).toBe('changed');
    const [last] = await store.accounts
      .listLots(ann, { after: lotsMax, limit: 9 })
      .then((rows) => rows.filter(({ sourceId }) => sourceId === 'c'));
    expect((await remove(last?.sequence ?? 0)).outcomes).toEqual([{ kind: 'updated' }]);
    expect(await store.accounts.undoEdit(ann, { editId: id, of: 'lots' }, now)).toBe(2);
  });

  test('the number of sales is limited; a deleted one makes room', async () => {
    await goOnWithRoom(1);
    const refusal = `the limit of ${countText(salesMax)} sales is reached`;
    expect(await apply(sale('a'), sale('b'))).toEqual(['added', refusal]);
    expect(await apply(sale('b'))).toEqual([refusal]);
    expect(await apply(sale('a', 30_00), sale('a', 30_00))).toEqual(['updated', 'unchanged']);
    const rows = [{ kind: 'sale_removal', saleId: 1 } as const];
    expect((await store.accounts.change(ann, { rows }, now)).outcomes).toEqual([
      { kind: 'updated' },
    ]);
    expect(await apply(sale('b'), sale('c'))).toEqual(['added', refusal]);
  });

  test('rows that are rolled back or only tried do not count', async () => {
    await goOnWithRoom(2);
    expect(await apply(sale('a'))).toEqual(['added']);
    const together = await store.accounts.change(ann, { rows: [sale('b'), sale('c')] }, now);
    expect(together.outcomes.map((outcome) => outcome.kind)).toEqual(['added', 'rejected']);
    const rehearsal = await store.accounts.rehearse(ann);
    const rows = [sale('d'), sale('e')];
    const tried = await rehearsal.change(ann, { rows, isFile: true }, now);
    expect(tried.outcomes.map((outcome) => outcome.kind)).toEqual(['added', 'rejected']);
    await rehearsal.close();
    expect(await apply(sale('f'))).toEqual(['added']);
    expect(await apply(sale('g'))).toEqual([expect.stringContaining('sales is reached')]);
  });

  test('concurrent writes do not exceed a limit together', async () => {
    await goOnWithRoom(5);
    const other = await open(folder);
    const writers = [store, other, store, other];
    const outcomes = await Promise.all(
      writers.flatMap((writer, w) =>
        Array.from({ length: 5 }, (_, n) => applyRows(writer.accounts, [sale(`${w} ${n}`)], now)),
      ),
    );
    expect(outcomes.flat().filter(({ kind }) => kind === 'added')).toHaveLength(5);
    await other.close();
  });

  test('the number of sessions is limited: one more ends the oldest', async () => {
    await store.accounts.setPassword(email, 'hash');
    const hash = (n: number) => new Uint8Array(32).fill(n) as TokenHash;
    const signIn = (n: number) =>
      store.accounts.addSession({
        accountId: ann,
        passwordHash: 'hash',
        method: 'password',
        tokenHash: hash(n),
        expiresAt: now + 1000,
        agent: 'Browser',
        at: now,
      });
    for (let n = 0; n < sessionsMax + 2; n++) await signIn(n);
    const isIn = async (n: number) => (await store.accounts.findSignedIn(hash(n), now)) !== null;
    expect([await isIn(0), await isIn(1), await isIn(2)]).toEqual([false, false, true]);
    await Promise.all(Array.from({ length: 60 }, (_, n) => signIn(100 + n)));
    expect(await store.accounts.listSessions(ann, now)).toHaveLength(sessionsMax);
  });
});
