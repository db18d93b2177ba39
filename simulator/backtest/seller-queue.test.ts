/** A queue of sellers: equal chances at the same price, and cheaper units first. */
import { expect, test } from 'bun:test';
import { Random } from '../market/random.ts';
import { SellerQueue } from './seller-queue.ts';

/** Mean number of buyers until yours is taken. */
function buyersUntil(rivals: number, ask: number): number {
  let buyers = 0;
  for (let run = 0; run < 500; run++) {
    const queue = new SellerQueue(rivals, new Random(5, 'queue', run));
    do buyers++;
    while (!queue.takesYours(ask));
  }
  return buyers / 500;
}

test('the only unit is taken by the next buyer', () => {
  expect(buyersUntil(0, 0.5)).toBe(1);
});

test('at the usual price, about as many buyers pass as there are units', () => {
  expect(buyersUntil(1, 0)).toBeWithin(1.8, 2.2);
  expect(buyersUntil(5, 0)).toBeWithin(5, 7);
});

test('a cheap unit is taken sooner, and a dear one later', () => {
  expect(buyersUntil(5, -0.5)).toBeLessThan(1.1);
  expect(buyersUntil(5, 0.1)).toBeGreaterThan(2 * buyersUntil(5, 0));
});
