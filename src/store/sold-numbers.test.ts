/** Sales of a minifig take units of its lots under all of its numbers, on a real store. */
// @runs SQLite, PostgreSQL: is about the store
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';

let world: StoredWorld;
const account = 'ann@example.com';

beforeAll(async () => {
  world = await openWorld();
  await world.addAccount(account);
  await world.load([
    { kind: 'minifig', minifig_number: 'kni001', name: 'Red Knight', aliases: ['fig-000009'] },
    { kind: 'minifig', minifig_number: 'kni002', name: 'Blue Knight' },
    { kind: 'brickfolio', account, name: 'Shelf' },
    lot('by alias', 'fig-000009', '2026-01-01'),
    lot('by main number', 'kni001', '2026-02-01'),
    lot('other', 'kni002', '2025-01-01'),
  ]);
});

afterAll(() => world.close());

function lot(name: string, number: string, date: string) {
  return {
    kind: 'holding',
    account,
    source_id: name,
    brickfolio: 'Shelf',
    minifig_number: number,
    quantity: 2,
    condition: 'used',
    purchase_price_usd: 3,
    purchase_date: date,
  };
}

const sale = (name: string, facts: object = {}) => ({
  kind: 'ledger_sale',
  account,
  source_id: name,
  minifig_number: 'kni001',
  condition: 'used',
  platform: 'bricklink',
  sale_date: '2026-11-10',
  quantity: 1,
  gross_proceeds_usd: 9,
  ...facts,
});

async function unitsSold(): Promise<Record<string, number>> {
  const { accounts } = world.store;
  const id = (await accounts.findAccount(account, world.now))?.id ?? 0;
  const lots = await accounts.listInventory(id, { after: 0, limit: 9 });
  return Object.fromEntries(lots.map(({ number, sold }) => [number, sold]));
}

test('the oldest units are sold first, under whichever number', async () => {
  expect(await world.ingest([sale('first')])).toMatchObject({ added: 1, rejected: 0 });
  expect(await unitsSold()).toEqual({ 'fig-000009': 1, kni001: 0, kni002: 0 });
  expect(await world.ingest([sale('second', { quantity: 2 })])).toMatchObject({ rejected: 0 });
  expect(await unitsSold()).toEqual({ 'fig-000009': 2, kni001: 1, kni002: 0 });
});

test('the same line again changes nothing, and its correction keeps the units', async () => {
  const again = [sale('first'), sale('second', { quantity: 2, gross_proceeds_usd: 12 })];
  expect(await world.ingest(again)).toMatchObject({ unchanged: 1, updated: 1, rejected: 0 });
  expect(await unitsSold()).toEqual({ 'fig-000009': 2, kni001: 1, kni002: 0 });
});

test('an alias sells units under the main number, and a lot may be named', async () => {
  const named = sale('third', { minifig_number: 'fig-000009', lot: 'by main number' });
  expect(await world.ingest([named])).toMatchObject({ added: 1, rejected: 0 });
  expect(await unitsSold()).toEqual({ 'fig-000009': 2, kni001: 2, kni002: 0 });
});

test('units of another minifig are not sold', async () => {
  const wrong = [sale('fourth'), sale('fifth', { lot: 'other' })];
  expect(await world.ingest(wrong)).toMatchObject({ added: 0, rejected: 2 });
  expect(await unitsSold()).toEqual({ 'fig-000009': 2, kni001: 2, kni002: 0 });
});

test('a rehearsal allows the same', async () => {
  await world.ingest([lot('more', 'fig-000009', '2026-03-01')]);
  const { accounts } = world.store;
  const id = (await accounts.findAccount(account, world.now))?.id ?? 0;
  const rehearsal = await accounts.rehearse(id);
  const stored = (await accounts.listRecordedSales(id, { after: 0, limit: 1 }))[0];
  if (!stored) throw new Error('There is no sale.');
  const { sequence: _, settled: __, ...facts } = stored;
  const row = { kind: 'ledger_sale', facts: { ...facts, sourceId: 'x' } } as const;
  const { outcomes } = await rehearsal.change(id, { rows: [row] }, world.now);
  expect(outcomes).toMatchObject([{ kind: 'added' }]);
  await rehearsal.close();
});
