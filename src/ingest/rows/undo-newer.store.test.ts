/** Detects later imports that changed rows of an import, however large it is. */
import { expect, test } from 'bun:test';
import { aMinifig, anImport, anOffer, aSale, aSet } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';

const shared = shareStore();

const entry = anImport({ startedAt: now, endedAt: now });

/** Imports rows, one per batch; returns the id of the import. */
async function load(...rows: MarketRow[]): Promise<number> {
  const { market } = shared.store;
  const id = await market.logImport(entry);
  for (const row of rows) {
    const [outcome] = await market.applyRows([row], now, id);
    expect(outcome?.kind).not.toBe('rejected');
  }
  return id;
}

const refusal = async (id: number) => {
  const outcome = await shared.store.market.undoImport(id, now);
  return 'refusal' in outcome ? outcome.refusal : null;
};

const set = (number: string, title = 'Castle', source = 'feed'): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number, title }),
});
const minifig = (number: string, name: string): MarketRow => ({
  kind: 'minifig',
  source: 'feed',
  facts: aMinifig({ number, name }),
});
const sets = (name: string, count: number, title?: string) =>
  Array.from({ length: count }, (_, index) => set(`${name}${index}`, title));

test('rows are identified by all fields of their key', async () => {
  const sale = (sourceId: string, source = 'shop'): MarketRow => ({
    kind: 'sale',
    sale: aSale({ itemKey: 'base', source, sourceId }),
  });
  const offer = (hour: number, retailer = anOffer().retailer): MarketRow => ({
    kind: 'offer',
    offer: anOffer({ setKey: 'base', retailer, observedAt: now + hour }),
  });
  const rate = (currency: string, date: string, usdPerUnit = 1): MarketRow => ({
    kind: 'fx',
    rate: { currency, date, usdPerUnit },
  });
  await load(set('base'));
  const first = await load(sale('a'), offer(0), rate('EUR', '2020-01-01'), set('own'));
  await load(
    sale('b'),
    sale('a', 'other'),
    offer(1),
    offer(0, 'retailer_b'),
    rate('EUR', '2020-01-02'),
    rate('GBP', '2020-01-01'),
    set('base', 'Fort', 'other'),
  );
  expect(await refusal(first)).toBeNull();
});

test('an import of known rows changes nothing, and does not block an undo', async () => {
  const rows: MarketRow[] = [
    set('known'),
    minifig('known', 'Knight'),
    { kind: 'fx', rate: { currency: 'SEK', date: '2020-01-01', usdPerUnit: 1 } },
    { kind: 'offer', offer: anOffer({ setKey: 'known' }) },
    { kind: 'sale', sale: aSale({ itemKey: 'known', sourceId: 'known' }) },
  ];
  const first = await load(...rows);
  for (const row of rows) {
    expect(await refusal(await load(row))).toContain('changed no market data');
  }
  expect(await refusal(first)).toBeNull();
});

test('all batches of both imports are compared, also beyond one query', async () => {
  const first = await load(...sets('long', 25));
  const none = await load(...sets('elsewhere', 25));
  const early = await load(...sets('more', 25), set('long0', 'Fort'));
  expect(await refusal(first)).toBe(
    `Import ${early} changed the same rows after import ${first}. Undo import ${early} ` +
      'first, or keep both.',
  );
  expect(await refusal(early)).toBeNull();
  const late = await load(set('long24', 'Fort'));
  const later = await load(set('long23', 'Fort'));
  expect(await refusal(first)).toBe(
    `Imports ${later}, ${late} changed the same rows after import ${first}. Undo import ` +
      `${later} first, or keep both.`,
  );
  expect(await refusal(none)).toBeNull();
});

test('an earlier import does not block the undo of a later one', async () => {
  await load(minifig('m', 'Knight'));
  const later = await load(minifig('m', 'Queen'));
  expect(await refusal(later)).toBeNull();
});

test('two imports may both have found that an item had no months', async () => {
  const first = await load(set('early'));
  const second = await load(set('late'));
  for (const id of [first, second]) {
    const sql = 'INSERT INTO import_undo (import_id, kind, body) VALUES (?, ?, ?)';
    await onTables(shared.folder, sql, [id, 'series', '[[1,"sealed"]]']);
  }
  expect(await refusal(first)).toBeNull();
});

test('imports that do not fit into memory are compared in several passes, completely', async () => {
  const first = await load(set('huge'));
  const later = await load(set('other'));
  const [row] = await onTables<{ body: string }>(
    shared.folder,
    'SELECT body FROM import_undo WHERE import_id = ?',
    [first],
  );
  const [[itemId]] = JSON.parse(row?.body ?? '') as [[number]];
  // 1,001 rows with distinct keys need two passes.
  const add = (importId: number, count: number) =>
    onTables(
      shared.folder,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       INSERT INTO import_undo (import_id, kind, body)
       SELECT ${importId}, 'record', '[[${itemId},"source ' || i || '"]]' FROM n`,
    );
  await add(first, 1_000);
  expect(await refusal(later)).toBeNull();
  const names = [3, 500, 998, 1_000].map((n) => `source ${n}`);
  for (const name of names) {
    const id = await load(set(`with ${name}`));
    const body = JSON.stringify([[itemId, name]]);
    const sql = 'INSERT INTO import_undo (import_id, kind, body) VALUES (?, ?, ?)';
    await onTables(shared.folder, sql, [id, 'record', body]);
    expect(await refusal(first)).toContain(`Import ${id} changed the same rows`);
    await onTables(shared.folder, 'DELETE FROM import_undo WHERE import_id = ?', [id]);
  }
});
