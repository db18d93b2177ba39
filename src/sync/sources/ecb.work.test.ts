/** The ECB's connector against a simulated server. */
import { describe, expect, test } from 'bun:test';
import { simulateEcb } from '../../../simulator/sources/ecb.ts';
import type { SourceHandler } from '../../../simulator/sources/faults.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import { clientOf, connectionDeps } from '../../../test/support/source-client.ts';
import { plannerOf } from '../../../test/support/source-market.ts';
import { ecb } from '../../ingest/market/ecb.work.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { dayMs, dayOf, formatInstant } from '../../kernel/time.ts';
import type { Answer } from '../connector.work.ts';
import { ecbSource } from './ecb.work.ts';

const at = (text: string) => Date.parse(`${text}Z`);

/** Simulated rates: the yen falls a cent a day, and Christmas is a holiday. */
function setUp(start: string) {
  const time = { now: at(start) };
  const firstDay = dayOf(at('2026-06-01T00:00'));
  const bank = simulateEcb({
    clock: () => time.now,
    firstDay,
    currencies: ['JPY', 'CYP'],
    usdPerUnit: (currency, instant) => {
      if (currency === 'CYP') return null;
      return currency === 'EUR' ? 1.25 : 1.25 / (150 + (dayOf(instant) - firstDay) / 100);
    },
    isHoliday: (day) => day === dayOf(at('2026-12-25T00:00')),
  });
  const client = clientOf(bank);
  const connector = ecbSource.connect(
    { url: new URL('https://bank.example.com/rates/') },
    connectionDeps,
  );
  const state: { cursor: JsonValue; nextAt: number } = { cursor: null, nextAt: time.now };
  /** Like the loop: plans, calls, keeps the cursor. */
  const round = async (): Promise<Answer[]> => {
    const { cursor } = state;
    const request = {
      source: 'ecb',
      cursor,
      at: time.now,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const { calls, nextAt } = await connector.plan(request);
    state.nextAt = nextAt;
    const answers: Answer[] = [];
    for (const call of calls) {
      const answer = await call.ask(client);
      if (answer.cursor !== undefined) state.cursor = answer.cursor;
      answers.push(answer);
    }
    return answers;
  };
  /** Runs until nothing is due; returns the files. */
  const catchUp = async (): Promise<string[]> => {
    const names: string[] = [];
    do {
      for (const { files } of await round()) names.push(...files.map(({ name }) => name));
    } while (state.nextAt <= time.now);
    return names;
  };
  return { time, client, connector, state, round, catchUp };
}

const daily = 'eurofxref-daily.xml';
const recent = 'eurofxref-hist-90d.xml';
const history = 'eurofxref-hist.zip';

describe('the request', () => {
  test('is everything at first, then the day, then nothing until the next day', async () => {
    // A Thursday.
    const { catchUp, state, time } = setUp('2026-11-12T16:00');
    expect(await catchUp()).toEqual([history, daily]);
    expect(formatInstant(state.nextAt)).toBe('2026-11-13T15:15:00.000Z');
    expect(await catchUp()).toEqual([]);
    time.now = state.nextAt;
    expect(await catchUp()).toEqual([daily]);
    // Not on the weekend.
    expect(formatInstant(state.nextAt)).toBe('2026-11-16T15:15:00.000Z');
  });

  test('before publication, is the previous day', async () => {
    const { catchUp, state } = setUp('2026-11-16T09:00');
    expect(await catchUp()).toEqual([history, daily]);
    expect(formatInstant(state.nextAt)).toBe('2026-11-16T15:15:00.000Z');
  });

  test('after a gap, is 90 days; after a longer one, everything', async () => {
    const { catchUp, time } = setUp('2026-11-12T16:00');
    await catchUp();
    time.now = at('2026-11-16T16:00');
    expect(await catchUp()).toEqual([recent]);
    time.now += 80 * dayMs;
    expect(await catchUp()).toEqual([recent]);
    time.now += 100 * dayMs;
    expect(await catchUp()).toEqual([history, daily]);
  });

  test('on a holiday has nothing new, and misses nothing', async () => {
    const { catchUp, client, time } = setUp('2026-12-23T16:00');
    await catchUp();
    time.now = at('2026-12-24T15:15');
    expect(await catchUp()).toEqual([daily]);
    time.now = at('2026-12-25T15:15');
    client.asked.length = 0;
    expect(await catchUp()).toEqual([]);
    expect(client.asked).toEqual([`/rates/${daily} 304`]);
    expect(await catchUp()).toEqual([]);
    expect(client.asked).toHaveLength(1);
    time.now = at('2026-12-28T15:15');
    expect(await catchUp()).toEqual([recent]);
  });

  test('has a reason, and counts as a call', async () => {
    const { connector, catchUp, state, time } = setUp('2026-11-12T16:00');
    const reason = async () => {
      const { cursor } = state;
      const request = {
        source: 'ecb',
        cursor,
        at: time.now,
        limit: 50,
        planner: plannerOf([]),
        left: null,
      };
      return (await connector.plan(request)).calls.map(({ subject, reason: why, cost }) => {
        return `${subject}: ${why}, ${cost}`;
      });
    };
    expect(await reason()).toEqual([`${history}: no rates have been fetched yet, 1`]);
    await catchUp();
    time.now += dayMs;
    expect(await reason()).toEqual([`${daily}: new rates are out, 1`]);
    time.now += 5 * dayMs;
    expect(await reason()).toEqual([`${recent}: no rates since Nov 12, 2026, 1`]);
  });
});

test('an invalid cursor is ignored', async () => {
  const { state, catchUp } = setUp('2026-11-12T16:00');
  state.cursor = { through: 'yesterday' };
  expect(await catchUp()).toEqual([history, daily]);
});

test('all files can be imported, and agree on each day', async () => {
  const { round, time } = setUp('2026-11-12T16:00');
  const answers = [...(await round()), ...(await round())];
  time.now = at('2026-11-14T12:00');
  answers.push(...(await round()));
  expect(answers.map(({ hasMore = false }) => hasMore)).toEqual([true, false, false]);
  const files = answers.flatMap((answer) => answer.files);
  expect(files.map(({ name, format }) => `${format} ${name}`)).toEqual([
    `ecb ${history}`,
    `ecb ${daily}`,
    `ecb ${daily}`,
  ]);
  const read = async (index: number) => {
    const { name = '', bytes = new Uint8Array() } = files[index] ?? {};
    const items = await readFiles(ecb, { [name]: Buffer.from(bytes) }, { options: readOptions() });
    expect(rejectsOf(items)).toEqual([]);
    return items.flatMap((item) =>
      'where' in item && 'row' in item.result && item.result.row.kind === 'fx'
        ? [item.result.row.rate]
        : [],
    );
  };
  const all = await read(0);
  const ofDay = await read(1);
  // 119 weekdays since June, each with a euro and a yen.
  expect(all).toHaveLength(2 * 119);
  expect(all.filter(({ date }) => date === '2026-11-12')).toEqual(ofDay);
  expect((await read(2)).map(({ date }) => date)).toEqual(['2026-11-13', '2026-11-13']);
});

describe('errors', () => {
  const fail = async (source: SourceHandler, cursor: JsonValue) => {
    const connector = ecbSource.connect(
      { url: new URL('https://bank.example.com/') },
      connectionDeps,
    );
    const request = {
      source: 'ecb',
      cursor,
      at: at('2026-11-12T16:00'),
      limit: 1,
      planner: plannerOf([]),
    };
    const { calls } = await connector.plan({ ...request, left: null });
    return calls[0]?.ask(clientOf(source)).then(
      () => 'an answer',
      ({ kind, message }) => `${kind}: ${message}`,
    );
  };
  const yesterday = { through: dayOf(at('2026-11-11T00:00')), asked: 0, validators: {} };

  test.each(['<html>Maintenance</html>', '{"data": [', "<Cube time='2026-11-12'>"])(
    'is %p',
    async (text) => {
      const words = (file: string) =>
        `later: The European Central Bank sent ${file} without any rates.`;
      expect(await fail(() => new Response(text), null)).toBe(words(history));
      expect(await fail(() => new Response(text), yesterday)).toBe(words(daily));
    },
  );

  test('is a missing or empty file', async () => {
    const gone = () => new Response('', { status: 404 });
    expect(await fail(gone, yesterday)).toBe(
      "later: bank.example.com has no such file (404). Check 'url'.",
    );
    expect(await fail(() => new Response(''), null)).toBe(
      'later: bank.example.com sent an empty file.',
    );
  });
});

test('a check reports the latest rates', async () => {
  const { connector, client } = setUp('2026-11-15T12:00');
  expect(await connector.check(client)).toBe(
    'Connected to the European Central Bank. Latest rates: Nov 13, 2026.',
  );
});

describe('a gap', () => {
  const planned = async (now: string, through: string, asked = through) => {
    const { connector } = setUp(now);
    const day = (text: string) => dayOf(at(`${text}T00:00`));
    const cursor = { through: day(through), asked: day(asked), validators: {} };
    const request = {
      source: 'ecb',
      cursor,
      at: at(now),
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const { calls, nextAt } = await connector.plan(request);
    return [...calls.map(({ subject }) => subject), formatInstant(nextAt).slice(0, 16)];
  };

  test.each([
    // A Thursday, after publication.
    ['2026-11-12T15:15', '2026-11-11', [daily, '2026-11-13T15:15']],
    ['2026-11-12T15:14', '2026-11-11', ['2026-11-12T15:15']],
    ['2026-11-12T15:15', '2026-11-12', ['2026-11-13T15:15']],
    ['2026-11-12T15:15', '2026-11-10', [recent, '2026-11-13T15:15']],
    // A Monday: the weekend has no rates.
    ['2026-11-16T16:00', '2026-11-13', [daily, '2026-11-17T15:15']],
    ['2026-11-15T16:00', '2026-11-13', ['2026-11-16T15:15']],
    ['2026-11-15T16:00', '2026-11-12', [daily, '2026-11-16T15:15']],
    ['2026-11-12T16:00', '2026-08-19', [recent, '2026-11-13T15:15']],
    ['2026-11-12T16:00', '2026-08-18', [history, '2026-11-12T16:00']],
  ])('at %s since %s asks for %p', async (now, through, expected) => {
    expect(await planned(now, through)).toEqual(expected);
  });

  test('is not requested if its rates were imported earlier than expected', async () => {
    expect(await planned('2026-11-12T16:00', '2026-11-12', '2026-11-11')).toEqual([
      '2026-11-13T15:15',
    ]);
  });
  test('is requested only once a day', async () => {
    expect(await planned('2026-11-12T16:00', '2026-11-11', '2026-11-12')).toEqual([
      '2026-11-13T15:15',
    ]);
  });
});
