/** Token buckets by name: a burst, then a rate. */
import { expect, test } from 'bun:test';
import { Rate } from './rate.ts';

function ground(names = 10) {
  const time = { at: 0 };
  const rate = new Rate({ burst: 3, perSecond: 2, names }, () => time.at);
  const takeAll = (name: string) => {
    let taken = 0;
    while (rate.take(name)) taken++;
    return taken;
  };
  return { time, rate, takeAll };
}

test('a burst, then a rate, and never more than the burst after a long time', () => {
  const { time, takeAll } = ground();
  expect(takeAll('a')).toBe(3);
  time.at += 500;
  expect(takeAll('a')).toBe(1);
  time.at += 250;
  expect(takeAll('a')).toBe(0);
  time.at += 3_600_000;
  expect(takeAll('a')).toBe(3);
});

test('names are independent, and a clock that goes back adds nothing', () => {
  const { time, takeAll } = ground();
  expect(takeAll('a')).toBe(3);
  expect(takeAll('b')).toBe(3);
  time.at -= 10_000;
  expect(takeAll('a')).toBe(0);
});

test('the number of names is limited to the latest', () => {
  const { rate, takeAll } = ground(2);
  expect(takeAll('a')).toBe(3);
  expect(takeAll('b')).toBe(3);
  rate.take('a');
  rate.take('c');
  expect(rate.take('a')).toBe(false);
  expect(rate.take('b')).toBe(true);
});
