/** Cached private responses: computed once, never shared, never stale, limited in size. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';
import { until } from '../../test/support/until.ts';
import type { Caller } from '../accounts/keys/quota.ts';
import { AccountAnswerCache, type Question } from './account-answer-cache.ts';
import { AnswerData } from './answer-data.ts';
import { type Answer, jsonOf } from './handler.ts';
import { Freshness } from './memory/freshness.ts';

let world: StoredWorld;
let answers: AccountAnswerCache;

beforeAll(async () => {
  world = await openWorld();
  await publish('First');
});

afterAll(() => world.close());

beforeEach(() => {
  answers = new AccountAnswerCache(new Freshness(world.store.market));
});

/** Publishes something, so that the market's stamp moves. */
async function publish(title: string): Promise<void> {
  await world.load([{ kind: 'set', set_number: '1', title, theme: 'Castle' }]);
}

const ann: Caller = {
  keyId: 1,
  accountId: 11,
  plan: 'reseller',
  allowance: 1000,
  scopes: 15,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 3,
};

function asked(name: string): Question {
  return { endpoint: 'listEntries', input: { name } };
}

/** The response to a request, without its tag. */
async function find(caller: Caller, question: string, make: () => Promise<Answer>) {
  const answer = await answers.find(caller, asked(question), make);
  return jsonOf(answer) ?? answer;
}

/** Makes a request; returns the response, and whether it was computed. */
async function ask(caller: Caller, question: string, answer: string | Answer = 'yes') {
  let made = false;
  const given = await find(caller, question, async () => {
    made = true;
    return typeof answer === 'string' ? new AnswerData(answer) : answer;
  });
  return { given, made };
}

/** A computation that ends on demand. */
function slowMaking() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const making = {
    count: 0,
    begun: begun.promise,
    resolve: ended.resolve,
    reject: ended.reject,
    make: () => {
      making.count++;
      begun.resolve();
      return ended.promise.then((text) => new AnswerData(text));
    },
  };
  return making;
}

describe('while nothing changes', () => {
  test('a response is computed once, a 404 each time', async () => {
    const missing = { missing: 'nothing here' };
    expect(await ask(ann, 'entries', 'one')).toEqual({ given: 'one', made: true });
    expect(await ask(ann, 'entries', 'two')).toEqual({ given: 'one', made: false });
    expect(await ask(ann, 'gone', missing)).toEqual({ given: missing, made: true });
    expect(await ask(ann, 'gone', 'two')).toEqual({ given: 'two', made: true });
  });

  test('hits and misses are counted', async () => {
    for (const question of ['a', 'b', 'a', 'a']) await ask(ann, question);
    expect(answers.facts).toMatchObject({ entries: 2, hits: 2, misses: 2 });
  });

  test('another key of the same account hits the cache', async () => {
    await ask(ann, 'entries', 'one');
    const other = { ...ann, keyId: 2, allowance: 7 };
    expect(await ask(other, 'entries', 'two')).toEqual({ given: 'one', made: false });
  });

  test('concurrent callers share the computation', async () => {
    const making = slowMaking();
    const waiting = Array.from({ length: 20 }, () => find(ann, 'slow', making.make));
    await making.begun;
    const late = find(ann, 'slow', making.make);
    making.resolve('done');
    for (const given of await Promise.all([...waiting, late])) expect(given).toBe('done');
    expect(making.count).toBe(1);
  });

  test('different requests and different accounts do not wait for each other', async () => {
    const making = slowMaking();
    const slow = find(ann, 'slow', making.make);
    expect(await ask(ann, 'quick', 'at once')).toEqual({ given: 'at once', made: true });
    const bob = { ...ann, accountId: 12 };
    expect(await ask(bob, 'slow', 'his own')).toEqual({ given: 'his own', made: true });
    making.resolve('hers');
    expect(await slow).toBe('hers');
  });
});

test('cached work is charged even if the caller disconnects, and knows the account', async () => {
  const work = answers.cachedWork(
    asked('own'),
    async (accountId) => new AnswerData(`of ${accountId}`),
  );
  expect(work.isExpensive).toBe(true);
  expect(jsonOf(await work.read(ann, { used: 0, at: 0 }))).toBe('of 11');
});

describe('a failed computation', () => {
  test('fails for all who wait, and is not cached', async () => {
    const making = slowMaking();
    const waiting = [1, 2, 3].map(() => find(ann, 'entries', making.make));
    await making.begun;
    making.reject(new Error('the store is away'));
    const settled = await Promise.allSettled(waiting);
    expect(settled.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(making.count).toBe(1);
    expect(await ask(ann, 'entries', 'better')).toEqual({ given: 'better', made: true });
    expect(await ask(ann, 'entries', 'again')).toEqual({ given: 'better', made: false });
  });

  test('is not cached if it fails before it starts', async () => {
    const broken = find(ann, 'entries', () => {
      throw new Error('at once');
    });
    expect(await broken.catch(String)).toBe('Error: at once');
    expect(await ask(ann, 'entries')).toEqual({ given: 'yes', made: true });
  });
});

describe('the cache key', () => {
  test('includes the account, so that accounts never share responses', async () => {
    const bob = { ...ann, accountId: 12 };
    await ask(ann, 'entries', 'hers');
    expect(await ask(bob, 'entries', 'his')).toEqual({ given: 'his', made: true });
    expect(await ask(ann, 'entries', 'x')).toEqual({ given: 'hers', made: false });
    expect(await ask(bob, 'entries', 'x')).toEqual({ given: 'his', made: false });
  });

  test('is unambiguous for the same digits', async () => {
    await ask({ ...ann, accountId: 1, privateVersion: 23 }, 'entries', 'of account 1');
    for (const [accountId, privateVersion] of [
      [12, 3],
      [123, 0],
      [1, 2],
    ] as const) {
      const caller = { ...ann, accountId, privateVersion };
      for (const question of ['entries', '3 entries', ' entries']) {
        expect(await ask(caller, question, 'new')).toEqual({ given: 'new', made: true });
      }
    }
  });

  test('includes the version of the account', async () => {
    await ask(ann, 'entries', 'before');
    const changed = { ...ann, privateVersion: ann.privateVersion + 1 };
    expect(await ask(changed, 'entries', 'after')).toEqual({ given: 'after', made: true });
    expect(await ask(changed, 'entries', 'x')).toEqual({ given: 'after', made: false });
  });

  test('includes the publish stamp, compared on each request', async () => {
    await ask(ann, 'entries', 'before');
    await publish('Second');
    expect(await ask(ann, 'entries', 'after')).toEqual({ given: 'after', made: true });
    expect(await ask(ann, 'entries', 'x')).toEqual({ given: 'after', made: false });
  });

  test('is that of the time of the request, even if data changes during the computation', async () => {
    const making = slowMaking();
    const slow = find(ann, 'entries', making.make);
    await making.begun;
    await publish('Third');
    expect(await ask(ann, 'entries', 'new')).toEqual({ given: 'new', made: true });
    making.resolve('old');
    expect(await slow).toBe('old');
    expect(await ask(ann, 'entries', 'x')).toEqual({ given: 'new', made: false });
  });
});

describe('the limit of 16 Mi characters', () => {
  const mebi = 1024 * 1024;
  const five = 'x'.repeat(5 * mebi);
  const made = async (question: string, answer: string) =>
    (await ask(ann, question, answer)).made ? `${question} made` : `${question} kept`;

  test('evicts the oldest, and no more than needed', async () => {
    for (const question of ['a', 'b', 'c']) await ask(ann, question, five);
    expect(await made('a', five)).toBe('a kept');
    await ask(ann, 'd', five);
    expect(await made('b', five)).toBe('b kept');
    expect(await made('c', five)).toBe('c kept');
    expect(await made('d', five)).toBe('d kept');
    expect(await made('a', five)).toBe('a made');
    expect(await made('b', five)).toBe('b made');
  });

  test('applies across accounts, including responses that are not requested again', async () => {
    await ask(ann, 'hers', five);
    for (const accountId of [21, 22, 23]) await ask({ ...ann, accountId }, 'theirs', five);
    expect(await made('hers', five)).toBe('hers made');
  });

  test('includes the requests, and some overhead for each', async () => {
    const long = (index: number) => `${index} ${'q'.repeat(mebi)}`;
    for (let index = 0; index < 16; index++) await ask(ann, long(index), '');
    // Sixteen names slightly exceed the limit.
    expect((await ask(ann, long(15), '')).made).toBe(false);
    expect((await ask(ann, long(0), '')).made).toBe(true);
    // At 500 characters of overhead each, this many empty responses exceed the limit too.
    for (let index = 0; index < 35_000; index++) await ask(ann, `e${index}`, '');
    expect((await ask(ann, 'e34999', '')).made).toBe(false);
    expect((await ask(ann, 'e0', '')).made).toBe(true);
  });

  test('does not apply to the response itself, which is returned but not cached', async () => {
    const huge = 'x'.repeat(16 * mebi);
    expect((await ask(ann, 'huge', huge)).given === huge).toBe(true);
    expect(await made('huge', huge)).toBe('huge made');
    await ask(ann, 'small', 'y');
    expect(await made('small', 'y')).toBe('small kept');
  });

  test('is not used up by a failed computation', async () => {
    for (let index = 0; index < 10; index++) {
      const question = `${index} ${'q'.repeat(2 * mebi)}`;
      const failed = find(ann, question, async () => Promise.reject(new Error('no')));
      await failed.catch(() => {});
    }
    for (const question of ['a', 'b', 'c']) await ask(ann, question, five);
    expect(await made('a', five)).toBe('a kept');
  });
});

describe('concurrent computations', () => {
  test('are at most four of one account, and sixteen in total', async () => {
    const gate = Promise.withResolvers<Answer>();
    const begun: number[] = [];
    const asked = (accountId: number) =>
      Array.from({ length: 5 }, (_, index) =>
        find({ ...ann, accountId }, `${index}`, () => {
          begun.push(accountId);
          return gate.promise;
        }),
      );
    const first = asked(1);
    await until(() => begun.length >= 4);
    await Bun.sleep(0);
    expect(begun).toEqual([1, 1, 1, 1]);
    const others = [2, 3, 4].flatMap(asked);
    // The last four slots are for accounts that have none.
    await until(() => begun.length >= 13);
    await Bun.sleep(0);
    expect(begun).toHaveLength(13);
    const last = [5, 6, 7, 8].flatMap(asked);
    await until(() => begun.length >= 16);
    await Bun.sleep(0);
    expect(begun).toHaveLength(16);
    gate.resolve(new AnswerData('done'));
    await Promise.all([...first, ...others, ...last]);
    expect(begun).toHaveLength(40);
  });

  test('are made by the helper process for large accounts', async () => {
    const stamp = { at: 0 };
    const helped = new AccountAnswerCache(new Freshness(world.store.market), {
      isFor: async ({ accountId }) => accountId === 12,
      make: async () => ({ answer: new AnswerData('from the helper'), stamp: stamp.at }),
    });
    const from = async (accountId: number) => {
      const make = async () => new AnswerData('from here');
      const answer = await helped.find({ ...ann, accountId }, asked('q'), make);
      return jsonOf(answer);
    };
    expect([await from(11), await from(12)]).toEqual(['from here', 'from the helper']);
    // A response of an older publication is not cached.
    expect(helped.facts).toMatchObject({ entries: 1, misses: 2 });
    stamp.at = await world.store.market.publishStamp();
    expect([await from(12), await from(12)]).toEqual(['from the helper', 'from the helper']);
    expect(helped.facts).toMatchObject({ entries: 2, hits: 1, misses: 3 });
  });
});

describe('responses of more than 200,000 characters', () => {
  test('leave in turn, each for a time by its length', async () => {
    const left: unknown[] = [];
    const freshness = new Freshness(world.store.market);
    const inTurn = new AccountAnswerCache(freshness, null, {
      admit: async (name, ms) => {
        left.push([name, ms]);
        return () => left.push('left');
      },
    });
    const ask = (length: number) =>
      inTurn.findNow(ann, asked('long'), async () => new AnswerData('x'.repeat(length)));
    await ask(200_000);
    expect(left).toEqual([]);
    await ask(250_000);
    expect(left).toEqual([[{ account: 11, network: null }, 5], 'left']);
    await inTurn.find(ann, asked('missing'), async () => ({ missing: 'none' }));
    expect(left).toHaveLength(2);
    await ask(200_001);
    expect(left).toHaveLength(4);
  });

  test('are refused if too many are waiting', async () => {
    const full = new AccountAnswerCache(new Freshness(world.store.market), null, {
      admit: async () => null,
    });
    const long = full.find(ann, asked('long'), async () => new AnswerData('x'.repeat(200_001)));
    await expect(long).rejects.toThrow('Too many long answers of one account');
  });

  test('leave for two accounts at a time', async () => {
    const heldMs = 40;
    const long = new AnswerData('x'.repeat(heldMs * 50_000));
    const startedAt = performance.now();
    await Promise.all(
      [1, 2, 3].map((accountId) => find({ ...ann, accountId }, 'long', async () => long)),
    );
    // The third leaves once one of the others has been sent.
    expect(performance.now() - startedAt).toBeGreaterThan(heldMs - 2);
  });
});
