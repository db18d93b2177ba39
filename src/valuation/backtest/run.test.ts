/** Scoring: nothing is asked that was not known then, and each month counts once. */
import { expect, test } from 'bun:test';
import type { KnownItem, KnownSale } from '../../domain/known-market.ts';
import type { StoredSale } from '../../domain/market.ts';
import { dayMs } from '../../domain/time.ts';
import type { Known, Method } from './methods.ts';
import { scoreItem } from './run.ts';

const day = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** A plain sale on a day, known a day later unless said otherwise. */
function sold(date: string, dollars: number, facts: Partial<StoredSale> = {}): KnownSale {
  const sale: StoredSale = {
    ...{ source: 'shop', sourceId: date, condition: 'sealed', shippingCents: 0, currency: 'USD' },
    ...{ priceCents: dollars * 100, quantity: 1, soldAt: day(date), channel: 'fixed' },
    ...{ seller: null, completeness: 'complete', retractedAt: null, usdPerUnit: 1 },
    ingestedAt: day(date) + dayMs,
    ...facts,
  };
  return { sale, isPlain: true };
}

function item(...sales: KnownSale[]): KnownItem {
  const facts = { msrpCents: null, pieces: null, releasedAt: null, retiredAt: day('2026-03-15') };
  return { key: '1', facts, sales, trueLog: () => Math.log(50_00) };
}

/** A method that writes down what it was told. */
function listener(): { method: Method; told: Known[] } {
  const told: Known[] = [];
  const predict = (known: Known) => {
    told.push(known);
    return null;
  };
  return { told, method: { name: 'x', predict } };
}

const scored = (known: KnownItem, from = '2020-01-01') => {
  const { method, told } = listener();
  const scores = scoreItem(known, [method], day(from));
  return { scores, told };
};

test('the first plain sale of each month in each condition is scored, from an instant on', () => {
  const used = { condition: 'used' } as const;
  const odd: KnownSale = { ...sold('2026-02-01', 5), isPlain: false };
  const sales = [
    sold('2026-01-05', 40),
    odd,
    sold('2026-02-10', 60),
    sold('2026-02-20', 70),
    sold('2026-02-21', 30, used),
    sold('2026-03-02', 80, { retractedAt: day('2026-04-01') }),
    sold('2026-03-03', 90),
  ];
  const { scores } = scored(item(...sales), '2026-02-01');
  expect(scores.map((s) => [s.condition, Math.round(Math.exp(s.soldLog)) / 100])).toEqual([
    ['sealed', 60],
    ['sealed', 90],
    ['used', 30],
  ]);
  expect(scores[0]).toMatchObject({ item: '1', trueLog: Math.log(50_00), predictions: [null] });
});

test('a method is told what had arrived and was not taken back, in its condition and in both', () => {
  const { told } = scored(
    item(
      sold('2026-01-01', 10),
      sold('2026-01-02', 20, { ingestedAt: day('2026-03-01') }),
      sold('2026-01-03', 30, { retractedAt: day('2026-01-20') }),
      sold('2026-01-04', 40, { retractedAt: day('2026-05-01') }),
      sold('2026-01-05', 50, { condition: 'used' }),
      sold('2026-02-10', 60),
    ),
    '2026-02-01',
  );
  const known = told.find(({ condition }) => condition === 'sealed');
  expect(known?.sales.map((sale) => sale.priceCents / 100)).toEqual([10, 40, 50]);
  expect(known?.sales.every((sale) => sale.retractedAt === null)).toBe(true);
  expect(known?.observations.map((o) => Math.round(Math.exp(o.log)) / 100)).toEqual([10, 40]);
});

test('a retirement is known only once it has come', () => {
  const { told } = scored(item(sold('2026-02-10', 60), sold('2026-04-10', 60)));
  expect(told.map(({ facts }) => facts.retiredAt)).toEqual([null, day('2026-03-15')]);
});

test('scores tell how many sales there had been, and whether there was any', () => {
  const sales = [
    sold('2025-01-10', 50),
    sold('2025-09-10', 50),
    sold('2025-10-10', 50),
    sold('2025-11-10', 50),
    sold('2025-12-10', 50),
  ];
  const { scores } = scored(item(...sales));
  expect(scores.map((s) => [s.bucket, s.isFirst])).toEqual([
    ['0', true],
    ['0', false],
    ['1–2', false],
    ['1–2', false],
    ['3–9', false],
  ]);
  const daily = Array.from({ length: 12 }, (_, index) => sold(`2026-01-${10 + index}`, 50));
  const { scores: busy } = scored(item(...daily, sold('2026-02-10', 50)), '2026-02-01');
  expect(busy.map((s) => s.bucket)).toEqual(['10+']);
});
