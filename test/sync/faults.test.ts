/** File sources with faults: no fault is mistaken for data, and everything arrives in the end. */
import { expect, test } from 'bun:test';
import { simulateEcb } from '../../simulator/sources/ecb.ts';
import { type SourceHandler, withFaults } from '../../simulator/sources/faults.ts';
import { simulateRebrickable } from '../../simulator/sources/rebrickable.ts';
import type { JsonValue } from '../../src/kernel/json.ts';
import { dayMs, dayOf } from '../../src/kernel/time.ts';
import { SourceError } from '../../src/sync/client.work.ts';
import type { Connection } from '../../src/sync/connector.work.ts';
import { ecbSource } from '../../src/sync/sources/ecb.work.ts';
import { rebrickableSource } from '../../src/sync/sources/rebrickable.work.ts';
import { readAt } from '../support/read-options.ts';
import { clientOf, connectionDeps } from '../support/source-client.ts';
import { makeMarket, plannerOf } from '../support/source-market.ts';

const url = new URL('https://source.example.com/');

/** The share of each fault. Where a result takes seven requests, any of them can fail. */
const faults = (share: number) => ({
  busy: share,
  failure: share,
  half: share,
  nonsense: share,
  slow: share,
});

/** All files of a week with a round every six hours, and the errors. */
async function fetchWeek(
  connector: Connection,
  makeSource: (clock: () => number) => SourceHandler,
) {
  const time = { now: readAt };
  const client = clientOf(makeSource(() => time.now));
  const files: string[] = [];
  const errors: unknown[] = [];
  let cursor: JsonValue = null;
  for (; time.now < readAt + 7 * dayMs; time.now += dayMs / 4) {
    const request = {
      source: 'test',
      cursor,
      at: time.now,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const { calls } = await connector.plan(request);
    try {
      for (const call of calls) {
        const answer = await call.ask(client);
        files.push(...answer.files.map(({ name, bytes }) => `${name} ${Bun.hash(bytes)}`));
        if (answer.cursor !== undefined) cursor = answer.cursor;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  return { files, errors };
}

const firstDay = dayOf(readAt) - 200;
const sources: Record<string, [Connection, (clock: () => number) => SourceHandler, number]> = {
  ecb: [
    ecbSource.connect({ url }, connectionDeps),
    (clock) =>
      simulateEcb({
        clock,
        firstDay,
        currencies: ['JPY'],
        usdPerUnit: (_, at) => 1 + (dayOf(at) - firstDay) / 1000,
      }),
    0.07,
  ],
  rebrickable: [
    rebrickableSource.connect({ url, everyMs: dayMs }, connectionDeps),
    (clock) => simulateRebrickable({ market: makeMarket(), clock }),
    0.025,
  ],
};

for (const [name, [connector, makeSource, share]] of Object.entries(sources)) {
  test(`${name}: faults do not change what is fetched in the end`, async () => {
    const whole = await fetchWeek(connector, makeSource);
    expect(whole.errors).toEqual([]);
    const errors: unknown[] = [];
    const shares = faults(share);
    for (let seed = 1; seed <= 10; seed++) {
      const week = await fetchWeek(connector, (clock) =>
        withFaults(makeSource(clock), { seed, source: name, shares, clock, slowMs: 0 }),
      );
      errors.push(...week.errors);
      expect(week.files.at(-1)).toBe(whole.files.at(-1) ?? 'nothing');
    }
    expect(errors.length).toBeGreaterThan(10);
    const kinds = errors.map((error) => (error instanceof SourceError ? error.kind : error));
    expect(new Set(kinds)).toEqual(new Set(['later']));
  });
}
