/** Guarantees of every store about regional settings, and the rates that amounts are shown at. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow, shareStore } from '../../../test/support/shared-store.ts';

const shared = shareStore();
const stored = () => shared.store.accounts;

test('regional settings are those saved, or none, and share the time zone with alerts', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const none = { timeZone: null, currency: null, locale: null };
  expect(await stored().findRegion(owner.id)).toEqual(none);
  const region = { timeZone: 'Europe/Berlin', currency: 'EUR', locale: 'de-DE' };
  await stored().saveAlertSettings(owner.id, { timeZone: 'UTC', quiet: { from: 1, until: 2 } });
  expect(await stored().saveRegion(owner.id, region)).toBe('done');
  expect(await stored().findRegion(owner.id)).toEqual(region);
  expect(await stored().findAlertSettings(owner.id)).toEqual({
    timeZone: 'Europe/Berlin',
    quiet: { from: 1, until: 2 },
  });
  expect(await stored().findRegion(other.id)).toEqual(none);
  await stored().saveAlertSettings(owner.id, { timeZone: 'UTC', quiet: null });
  expect(await stored().saveRegion(owner.id, none)).toBe('done');
  expect(await stored().findRegion(owner.id)).toEqual(none);
  expect([await stored().findRegion(0), await stored().saveRegion(0, region)]).toEqual([
    null,
    'no account',
  ]);
});

test('quiet hours always have a time zone, also if both are saved at once', async () => {
  const none = { timeZone: null, currency: null, locale: null };
  const settings = { timeZone: 'UTC', quiet: { from: 1, until: 2 } };
  for (let round = 0; round < 10; round++) {
    const { id } = await shared.addOwner();
    const [saved] = await Promise.all([
      stored().saveRegion(id, none),
      stored().saveAlertSettings(id, settings),
    ]);
    // Saved first, the region has no quiet hours yet, which bring a zone along.
    expect(['done', 'needs zone']).toContain(saved);
    expect(await stored().findRegion(id)).toMatchObject({ timeZone: 'UTC' });
    expect(await stored().saveRegion(id, none)).toBe('needs zone');
  }
});

test('the latest rate of each currency is found, up to a day', async () => {
  const { market } = shared.store;
  const rate = (currency: string, date: string, usdPerUnit: number) =>
    ({ kind: 'fx', rate: { currency, date, usdPerUnit } }) as const;
  const rates = [
    rate('SEK', '2026-11-02', 0.1),
    rate('SEK', '2026-11-01', 0.2),
    rate('NOK', '2026-11-03', 0.3),
  ];
  await market.applyRows(rates, sharedNow);
  expect(await market.findLatestRates(['SEK', 'QQQ', 'NOK'], '2026-11-03')).toEqual([
    { currency: 'SEK', date: '2026-11-02', usdPerUnit: 0.1 },
    { currency: 'NOK', date: '2026-11-03', usdPerUnit: 0.3 },
  ]);
  expect(await market.findLatestRates(['SEK', 'NOK'], '2026-11-01')).toEqual([
    { currency: 'SEK', date: '2026-11-01', usdPerUnit: 0.2 },
  ]);
  expect(await market.findLatestRates([], '2026-11-03')).toEqual([]);
  const listed = async (until: string) =>
    (await market.listLatestRates(until)).filter(({ currency }) => 'NOK SEK'.includes(currency));
  expect(await listed('2026-11-03')).toEqual([
    { currency: 'NOK', date: '2026-11-03', usdPerUnit: 0.3 },
    { currency: 'SEK', date: '2026-11-02', usdPerUnit: 0.1 },
  ]);
  expect(await listed('2026-11-01')).toEqual([
    { currency: 'SEK', date: '2026-11-01', usdPerUnit: 0.2 },
  ]);
  expect(await listed('2026-10-31')).toEqual([]);
});
