/** Units sold in 90 days, by channel and seller. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../../kernel/time.ts';
import type { RowMark } from './admit.ts';
import { RecentlySold } from './sold-units.ts';
import { StateReader, StateWriter } from './state-bytes.ts';

const now = Date.UTC(2026, 10, 15);

const sale = (daysAgo: number, facts: Partial<RowMark> = {}): RowMark => ({
  at: now - daysAgo * dayMs,
  seller: 'a',
  source: null,
  condition: 'sealed',
  channel: 'fixed',
  units: 1,
  ...facts,
});

function soldOf(...sales: RowMark[]): RecentlySold {
  const sold = new RecentlySold();
  for (const each of sales) sold.add(each);
  return sold;
}

test('counts units of the last 90 days in a condition, by channel, and distinct sellers', () => {
  const sold = soldOf(
    sale(90),
    sale(89.9),
    sale(30, { units: 4, seller: 'b' }),
    sale(20, { channel: 'bricklink' }),
    sale(10, { condition: 'used', seller: 'c' }),
  );
  expect(sold.unitsAt('sealed', now)).toEqual({
    channels: { fixed: 5, bricklink: 1 },
    sellers: 2,
  });
  expect(sold.unitsAt('used', now)).toEqual({ channels: { fixed: 1 }, sellers: 1 });
});

test('sellers are those that are named, and not known if none is', () => {
  const unnamed = sale(5, { seller: 'shop 20768', source: 'shop' });
  expect(soldOf(sale(9), unnamed).unitsAt('sealed', now)).toEqual({
    channels: { fixed: 2 },
    sellers: 1,
  });
  expect(soldOf(unnamed).unitsAt('sealed', now).sellers).toBeNull();
  expect(soldOf().unitsAt('sealed', now)).toEqual({ channels: {}, sellers: 0 });
});

test('old sales are forgotten, and a checkpoint continues with the others', () => {
  const sold = soldOf(sale(400), sale(300), sale(80), sale(70, { channel: 'auction' }));
  const to = new StateWriter();
  sold.write(to);
  const continued = new RecentlySold();
  continued.read(new StateReader(to.bytes()));
  continued.add(sale(1));
  sold.add(sale(1));
  expect(continued.unitsAt('sealed', now)).toEqual(sold.unitsAt('sealed', now));
  expect(continued.unitsAt('sealed', now).channels).toEqual({ fixed: 2, auction: 1 });
});
