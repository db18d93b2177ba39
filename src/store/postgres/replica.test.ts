/** Reading on a replica: when it is abandoned, and when it is used again. */
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import type { Reader } from './engine.ts';
import { PublishStamp } from './publish-stamp.ts';
import { ReplicaReader, readReplica } from './replica.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Runs all pending callbacks while time stands still. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settle();
}

/** A server with a stamp that counts queries, and fails or waits on request. */
class Server implements Reader {
  /** Null if nothing was ever published. */
  stamp: number | null = 1;
  fault: Error | null = null;
  looks = 0;
  held: Promise<void> | null = null;

  constructor(readonly name: string) {}

  async query<T>(sql: string): Promise<T[]> {
    if (this.held) await this.held;
    if (this.fault) throw this.fault;
    if (!sql.includes('publish_stamp')) return [this.name as T];
    this.looks++;
    return this.stamp === null ? [] : [{ value: this.stamp } as T];
  }
}

function ground() {
  const [replica, primary] = [new Server('replica'), new Server('primary')];
  const changes: (string | null)[] = [];
  const heard = { stamp: 1 };
  const reader = new ReplicaReader(replica, primary, {
    latestStamp: () => heard.stamp,
    onChange: (reason) => changes.push(reason),
  });
  /** Which server answers. */
  const ask = async () => (await reader.query<string>('SELECT 1'))[0];
  return { replica, primary, changes, heard, reader, ask };
}

describe('a replica', () => {
  test('is used, and compared with the primary at most every 200 milliseconds', async () => {
    const { replica, primary, reader, ask } = ground();
    expect([await ask(), await ask()]).toEqual(['replica', 'replica']);
    await settle();
    expect([primary.looks, replica.looks]).toEqual([1, 1]);
    await pass(199);
    await ask();
    await settle();
    expect(primary.looks).toBe(1);
    await pass(1);
    await ask();
    await settle();
    expect(primary.looks).toBe(2);
    expect(reader.isUsed).toBe(true);
  });

  test('that fails is replaced by the primary at once, and reported once with its code', async () => {
    const { replica, changes, reader, ask } = ground();
    await ask();
    replica.fault = Object.assign(new Error('gone'), { code: 'ERR_GONE' });
    expect([await ask(), await ask()]).toEqual(['primary', 'primary']);
    expect(reader.isUsed).toBe(false);
    expect(changes).toEqual(['ERR_GONE']);
  });

  test('that fails many queries at once is reported once', async () => {
    const { replica, changes, ask } = ground();
    replica.fault = new Error('gone');
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['primary', 'primary', 'primary']);
    expect(changes).toEqual(['failed']);
  });

  test('whose error has no code is reported as failed; an error on both servers reaches the caller', async () => {
    const { replica, primary, changes, ask } = ground();
    replica.fault = new Error('gone');
    primary.fault = new Error('wrong');
    await expect(ask()).rejects.toThrow('wrong');
    expect(changes).toEqual(['failed']);
  });

  test('is used again once it has the latest known stamp', async () => {
    const { replica, changes, heard, ask } = ground();
    replica.fault = new Error('gone');
    await ask();
    await settle();
    replica.fault = null;
    heard.stamp = 5;
    replica.stamp = 4;
    await pass(200);
    await ask();
    await settle();
    expect(await ask()).toBe('primary');
    replica.stamp = 5;
    await pass(200);
    await ask();
    await settle();
    expect(await ask()).toBe('replica');
    expect(changes).toEqual(['failed', null]);
  });

  test('is not used again while an answer of the primary is pending', async () => {
    const { replica, primary, reader, ask } = ground();
    replica.fault = new Error('gone');
    await ask();
    await settle();
    replica.fault = null;
    const held = Promise.withResolvers<void>();
    primary.held = held.promise;
    await pass(200);
    const slow = ask();
    await settle();
    expect(reader.isUsed).toBe(false);
    held.resolve();
    primary.held = null;
    expect(await slow).toBe('primary');
    await pass(200);
    await ask();
    await settle();
    expect(reader.isUsed).toBe(true);
  });

  test('that lacks a stamp of the primary for 400 milliseconds lags, even without queries', async () => {
    const { primary, changes, reader, ask } = ground();
    primary.stamp = 2;
    await ask();
    await settle();
    await pass(399);
    expect(reader.isUsed).toBe(true);
    await pass(1);
    expect(reader.isUsed).toBe(false);
    expect(changes).toEqual(['lags']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('that lacks a stamp for less than 400 milliseconds stays in use, however long it has run', async () => {
    const { primary, reader, ask } = ground();
    await pass(1_000);
    primary.stamp = 2;
    await ask();
    await settle();
    await pass(300);
    await ask();
    await settle();
    expect(reader.isUsed).toBe(true);
  });

  test('that catches up in time stays in use, and a later lag is timed from its own start', async () => {
    const { replica, primary, changes, reader, ask } = ground();
    primary.stamp = 2;
    await ask();
    await settle();
    await pass(300);
    replica.stamp = 2;
    primary.stamp = 3;
    await pass(100);
    // It has the missing stamp; the current lag starts now.
    await pass(399);
    expect(reader.isUsed).toBe(true);
    replica.stamp = 3;
    await pass(400);
    expect(changes).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

test('the stamp is reset whenever another server is read from', async () => {
  const [replica, primary] = [new Server('replica'), new Server('primary')];
  const changes: (string | null)[] = [];
  const { reading, stamp } = readReplica(replica, primary, (reason) => changes.push(reason));
  expect(await stamp.get()).toBe(1);
  primary.stamp = 2;
  replica.fault = new Error('gone');
  await reading.query('SELECT 1');
  await settle();
  expect(await stamp.get()).toBe(2);
  // The replica lacks the latest known stamp, so its stamp would be older.
  replica.fault = null;
  await pass(200);
  await reading.query('SELECT 1');
  await settle();
  expect(reading.isUsed).toBe(false);
  replica.stamp = 3;
  await pass(200);
  await reading.query('SELECT 1');
  await settle();
  expect(await stamp.get()).toBe(3);
  expect(changes).toEqual(['failed', null]);
});

describe('the stamp', () => {
  const ground = () => {
    const server = new Server('primary');
    return { server, stamp: new PublishStamp(server) };
  };

  test('is requested at first, and cached for 100 milliseconds', async () => {
    const { server, stamp } = ground();
    const first = stamp.get();
    // Concurrent callers share the request.
    expect(stamp.get()).toBe(first);
    expect(await first).toBe(1);
    server.stamp = 2;
    await pass(99);
    expect(stamp.get()).toBe(1);
    expect(server.looks).toBe(1);
  });

  test('is refreshed in the background, and must be requested again after 800 milliseconds', async () => {
    const { server, stamp } = ground();
    await stamp.get();
    server.stamp = 2;
    await pass(100);
    expect(stamp.get()).toBe(1);
    await settle();
    expect(stamp.get()).toBe(2);
    expect(server.looks).toBe(2);
    await pass(799);
    expect(stamp.get()).toBe(2);
    await settle();
    await pass(800);
    expect(stamp.get()).toBeInstanceOf(Promise);
    await settle();
  });

  test('that cannot be refreshed in the background causes no error for callers with a cached one', async () => {
    const { server, stamp } = ground();
    await stamp.get();
    server.fault = new Error('gone');
    await pass(100);
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    process.on('unhandledRejection', onFault);
    expect(stamp.get()).toBe(1);
    await settle();
    jest.useRealTimers();
    await Bun.sleep(1);
    process.off('unhandledRejection', onFault);
    expect(faults).toEqual([]);
  });

  test('is as old as the request', async () => {
    const { server, stamp } = ground();
    const held = Promise.withResolvers<void>();
    server.held = held.promise;
    const first = stamp.get();
    await pass(800);
    held.resolve();
    await first;
    server.held = null;
    expect(stamp.get()).toBeInstanceOf(Promise);
    await settle();
  });

  test('is reset when this process publishes, with pending requests', async () => {
    const { server, stamp } = ground();
    await stamp.get();
    const held = Promise.withResolvers<void>();
    server.held = held.promise;
    await pass(100);
    expect(stamp.get()).toBe(1);
    stamp.forget();
    const next = stamp.get();
    expect(next).toBeInstanceOf(Promise);
    server.stamp = 2;
    held.resolve();
    expect(await next).toBe(2);
    expect(stamp.get()).toBe(2);
  });

  test('is 0 before anything is published, and before the first answer', async () => {
    const { server, stamp } = ground();
    server.stamp = null;
    expect(stamp.latest).toBe(0);
    expect(await stamp.get()).toBe(0);
  });

  test('is requested again after a failure; the latest is the highest ever received', async () => {
    const { server, stamp } = ground();
    server.stamp = 5;
    await stamp.get();
    server.fault = new Error('gone');
    await pass(800);
    await expect(stamp.get() as Promise<number>).rejects.toThrow('gone');
    server.fault = null;
    server.stamp = 3;
    expect(await stamp.get()).toBe(3);
    expect(stamp.latest).toBe(5);
  });
});
