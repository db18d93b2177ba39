/**
 * Known faults of PostgreSQL clients, tested on ours: stalls, mixed-up results, and lost
 * connections. Every wait has a timeout, so a stall is a failure.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { PostgresServer } from '../../../test/support/postgres-server.ts';
import { startSwitch } from '../../../test/support/switch.ts';
import { until } from '../../../test/support/until.ts';
import { type Client, openClient, openUndoable } from './client.ts';
import { sqlState, UnansweredError } from './pool.ts';

/** Statement timeouts: generous for a busy machine, and short for a server that hangs. */
const statementMs = 60_000;
const hurriedMs = 3_000;
const stallMs = 150_000;

/** One statement can be in flight on each connection. */
const inFlightMax = 2;

let server: PostgresServer;
let client: Client;

beforeAll(async () => {
  server = await PostgresServer.launch();
});
afterAll(() => server.remove());

const open = (ms: number) => openClient(server.url(), { max: 2, statementMs: ms, name: 'faults' });

beforeEach(async () => {
  client = open(statementMs);
  await client.script(
    `DROP TABLE IF EXISTS counter;
     CREATE TABLE counter (id integer PRIMARY KEY, n bigint NOT NULL);
     INSERT INTO counter SELECT g, 0 FROM generate_series(1, 50) g`,
  );
});
afterEach(() => client.close());

/** Opens a client with the short timeout. */
async function hurry(): Promise<void> {
  await client.close();
  client = open(hurriedMs);
}

/** Fails instead of waiting forever. */
function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('It stalls.')), stallMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Runs `count` calls at once, each with its number. */
function together<T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> {
  return inTime(Promise.all(Array.from({ length: count }, (_, number) => work(number))));
}

const settled = <T>(works: Promise<T>[]) => inTime(Promise.allSettled(works));

/** Sends a number, and expects it back with a row that belongs to it. */
async function echo(number: number): Promise<void> {
  const id = (number % 50) + 1;
  const rows = await client.query('SELECT $1::integer AS said, id FROM counter WHERE id = $2', [
    number,
    id,
  ]);
  expect(rows).toEqual([{ said: number, id }]);
}

const add = (id: number) => client.run('UPDATE counter SET n = n + 1 WHERE id = $1', [id]);

async function total(): Promise<number> {
  const [row] = await client.query<{ n: number }>('SELECT sum(n) AS n FROM counter');
  return row?.n ?? -1;
}

/** Terminates all connections of the client. */
const endConnections = () =>
  server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'faults'`,
  );

test('without a timeout, statements take as long as they need', async () => {
  const patient = openClient(server.url(), { max: 3, statementMs: 0, name: 'patient' });
  const sleep = 'SELECT 1 AS one FROM pg_sleep(0.6)';
  const slept = [
    patient.query(sleep),
    patient.transaction((tx) => tx.query(sleep)),
    patient.snapshot((tx) => tx.query(sleep)),
  ];
  expect(await inTime(Promise.all(slept))).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
  await patient.close();
});

describe('a small pool', () => {
  test('runs transactions and plain statements at once, without mixing up results', async () => {
    await together(60, async (number) => {
      for (let round = 0; round < 30; round++) {
        if (number % 2 === 0) await echo(number * 100 + round);
        else {
          const isUndone = round % 3 === 2;
          const work = client.transaction(async (tx) => {
            await tx.run('UPDATE counter SET n = n + 1 WHERE id = $1', [number % 50]);
            expect(await tx.query('SELECT $1::text AS said', [`${number}`])).toEqual([
              { said: `${number}` },
            ]);
            if (isUndone) throw new Error('undone');
          });
          await (isUndone ? expect(work).rejects.toThrow('undone') : work);
        }
      }
    });
    expect(await total()).toBe(30 * 20);
  });

  test('continues after constraint violations, inside and outside transactions', async () => {
    const codes = await together(40, async (number) => {
      const insert = 'INSERT INTO counter VALUES (1, 0)';
      const work =
        number % 2 === 0
          ? client.run(insert)
          : client.transaction(async (tx) => {
              await tx.run('UPDATE counter SET n = n + 1 WHERE id = 2');
              await tx.run(insert);
            });
      const code = await work.then(
        () => 'written',
        (error) => sqlState(error),
      );
      await echo(number);
      return code;
    });
    expect(new Set(codes)).toEqual(new Set(['23505']));
    expect(await total()).toBe(0);
  });

  test('rolls back a failed COPY, and returns the connection to the pool', async () => {
    const copy = 'COPY counter FROM STDIN';
    await expect(inTime(client.copyIn(copy, ['60\t1\n', '1\t1\n']))).rejects.toThrow();
    const broken = function* () {
      yield '61\t1\n';
      throw new Error('the source broke');
    };
    await expect(inTime(client.copyIn(copy, broken()))).rejects.toThrow('the source broke');
    await together(10, echo);
    expect(await client.query('SELECT count(*) AS n FROM counter')).toEqual([{ n: 50 }]);
  });
});

test('a failed COPY rejects only after the server has ended it', async () => {
  let isResumed = false;
  const broken = function* () {
    yield '61\t1\n';
    server.pause();
    setTimeout(() => {
      isResumed = true;
      server.resume();
    }, 100);
    throw new Error('the source broke');
  };
  const copy = client.copyIn('COPY counter FROM STDIN', broken());
  await expect(inTime(copy)).rejects.toThrow('the source broke');
  expect(isResumed).toBe(true);
  await together(10, echo);
});

describe('lost connections', () => {
  test('terminated while the event loop was blocked: the next calls succeed', async () => {
    await together(4, echo);
    await endConnections();
    const end = performance.now() + 300;
    while (performance.now() < end);
    await settled(Array.from({ length: 20 }, (_, number) => echo(number)));
    await together(20, echo);
    await together(6, (number) => client.transaction((tx) => tx.query('SELECT $1::int', [number])));
  });

  test('during transactions: each is atomic', async () => {
    const works = settled(
      Array.from({ length: 4 }, () =>
        client.transaction(async (tx) => {
          await tx.run('UPDATE counter SET n = n + 1 WHERE id = 7');
          await Bun.sleep(100);
          await tx.run('UPDATE counter SET n = n + 1 WHERE id = 8');
        }),
      ),
    );
    await Bun.sleep(30);
    await endConnections();
    const done = (await works).filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeLessThan(4);
    const counts = await client.query('SELECT n FROM counter WHERE id IN (7, 8)');
    expect(counts).toEqual([{ n: done }, { n: done }]);
  });

  test.each(['fast', 'immediate'] as const)(
    'a %s stop of the server under load: errors while it is away, then exact counts again',
    async (mode) => {
      let [granted, refused, isOver] = [0, 0, false];
      const load = together(16, async () => {
        while (!isOver) {
          await add(9).then(
            () => granted++,
            () => refused++,
          );
          await Bun.sleep(1);
        }
      });
      await until(() => granted > 20);
      await server.stop(mode);
      // Acknowledgements of the server may still be in transit.
      await until(() => refused > 0);
      const before = granted;
      await Bun.sleep(100);
      expect(granted).toBe(before);
      await server.start();
      await until(() => granted > before);
      isOver = true;
      await load;
      expect(refused).toBeGreaterThan(0);
      // Statements in flight at the stop may have been committed without an answer.
      const counted = await total();
      expect(counted).toBeGreaterThanOrEqual(granted);
      expect(counted).toBeLessThanOrEqual(granted + 16);
    },
  );

  test('a frozen server: callers get an error after the timeout, and calls succeed when it resumes', async () => {
    await hurry();
    await together(2, echo);
    server.pause();
    try {
      const [frozen] = await settled([client.query('SELECT 1')]);
      expect(frozen).toMatchObject({ status: 'rejected', reason: expect.any(UnansweredError) });
    } finally {
      server.resume();
    }
    await together(20, echo);
  });
});

test('statements queued for a frozen server are not run when it resumes, because their callers got an error', async () => {
  await hurry();
  await together(2, echo);
  server.pause();
  const works = settled(Array.from({ length: 60 }, () => add(11)));
  await works.finally(() => server.resume());
  expect(new Set((await works).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await together(10, echo);
  await Bun.sleep(200);
  // Only statements in flight on the two connections may have run.
  expect(await total()).toBeLessThanOrEqual(inFlightMax);
});

test('connections that no longer respond are replaced', async () => {
  const address = await startSwitch(server.port);
  const url = new URL(server.url());
  url.port = String(address.port);
  const over = openClient(url.href, { max: 2, statementMs: 500, name: 'silent' });
  await Promise.all([over.query('SELECT 1'), over.query('SELECT 2')]);
  address.silence();
  const asked = async () => over.query('SELECT 3 AS n').catch((error) => error);
  expect(await inTime(asked())).toBeInstanceOf(UnansweredError);
  expect(await inTime(asked())).toEqual([{ n: 3 }]);
  await over.close();
  await address.close();
});

test('the server cancels a statement that takes too long', async () => {
  await hurry();
  const slow = client.query('SELECT pg_sleep(600)').catch(sqlState);
  expect(await inTime(slow)).toBe('57014');
  await echo(1);
});

test('writes of a rehearsal are visible only to it, and rolled back', async () => {
  const rehearsal = await client.undoable();
  await rehearsal.transaction(async (tx) => {
    await tx.run('UPDATE counter SET n = 5');
    await tx.copyIn('COPY counter FROM STDIN', ['99\t1\n']);
  });
  const failed = rehearsal.transaction(async (tx) => {
    await tx.run('DELETE FROM counter');
    throw new Error('undone');
  });
  await expect(failed).rejects.toThrow('undone');
  const sum = 'SELECT sum(n) AS n FROM counter';
  expect(await rehearsal.query(sum)).toEqual([{ n: 251 }]);
  await rehearsal.close();
  expect(await client.query(sum)).toEqual([{ n: 0 }]);
});

test('a rehearsal that cannot start returns its connection', async () => {
  let released = 0;
  const connection = {
    unsafe: () => Promise.reject(new Error('lost')),
    release: () => released++,
  };
  const pool = { reserve: async () => connection as never };
  await expect(openUndoable(pool)).rejects.toThrow('lost');
  expect(released).toBe(1);
});

test('a rehearsal returns its connection when it is closed, even if that is lost', async () => {
  let [released, isLost] = [0, false];
  const connection = {
    unsafe: async () => {
      if (isLost) throw new Error('lost');
    },
    release: () => released++,
  };
  const rehearsal = await openUndoable({ reserve: async () => connection as never });
  expect(released).toBe(0);
  isLost = true;
  await rehearsal.close();
  expect(released).toBe(1);
});

test('a rehearsal may be idle longer than other transactions', async () => {
  const show = 'SHOW idle_in_transaction_session_timeout';
  const limitOf = async (connection: Pick<Client, 'query'>) =>
    Object.values((await connection.query<object>(show))[0] ?? {});
  expect(await client.transaction(limitOf)).toEqual(['60001ms']);
  const rehearsal = await client.undoable();
  expect(await limitOf(rehearsal)).toEqual(['0']);
  await rehearsal.close();
  expect(await limitOf(client)).toEqual(['60001ms']);
});

test('integers, doubles, bytes, lists and null are returned as sent', async () => {
  const [row] = await client.query(
    `SELECT $1::bigint AS big, $2::float8 AS double, $3::bytea AS bytes, $4::text AS nothing,
       $5::text[] AS list, $6::boolean AS yes, count(*) AS n, sum(id) AS sum FROM counter`,
    [
      Number.MAX_SAFE_INTEGER,
      0.1,
      new Uint8Array([0, 255]),
      null,
      ['a"b', 'c\\d', '{e,f}', '', 'NULL'],
      true,
    ],
  );
  expect(row).toEqual({
    big: Number.MAX_SAFE_INTEGER,
    double: 0.1,
    bytes: Buffer.from([0, 255]),
    nothing: null,
    list: ['a"b', 'c\\d', '{e,f}', '', 'NULL'],
    yes: true,
    n: 50,
    sum: 1275,
  });
});
