/** How many documents are kept in memory. */
import { expect, test } from 'bun:test';
import { LookUps } from '../accounts/interest.ts';
import { entryRoom } from '../domain/kernel/bounded-map.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { Documents } from './documents.ts';
import { Freshness } from './freshness.ts';

test('documents take 48 million characters with their names; then the oldest make room', async () => {
  const million = 1024 * 1024;
  const bodies = { million: 'a'.repeat(million - entryRoom - 'set 1000'.length), empty: '' };
  const market = {
    publishStamp: () => 1,
    findDocument: async (_kind: string, key: string) => ({
      key,
      body: key === '2000' ? bodies.empty : bodies.million,
    }),
  } as Partial<MarketReading> as MarketReading;
  const documents = new Documents(market, new Freshness(market), new LookUps());
  for (let key = 1000; key < 1048; key++) await documents.find('set', `${key}`);
  expect(documents.facts).toMatchObject({ entries: 48, characters: 48 * million });
  await documents.find('set', '2000');
  expect(documents.facts.entries).toBe(48);
  expect(documents.peek('set', '1000')).toBeUndefined();
  expect(documents.peek('set', '1001')).toBe(bodies.million);
});
