/** The answers kept for accounts: made once, never for another, never stale, never too many. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startWorld, type World } from '../../test/support/world.ts';
import type { Caller } from '../domain/account/quota.ts';
import { Freshness } from './freshness.ts';
import { type Answer, jsonOf } from './handler.ts';
import { PrivateAnswers, type Question } from './private-answers.ts';

let world: World;
let answers: PrivateAnswers;

beforeAll(async () => {
  world = await startWorld();
  await publish('First');
});

afterAll(() => world.close());

beforeEach(() => {
  answers = new PrivateAnswers(new Freshness(world.store.market));
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
  privateVersion: 3,
};

/** Something that can be asked. */
function asked(name: string): Question {
  return { endpoint: 'listEntries', input: { name } };
}

/** Finds what is answered to a question, without its tag. */
async function find(caller: Caller, question: string, make: () => Promise<Answer>) {
  const answer = await answers.find(caller, asked(question), make);
  return jsonOf(answer) ?? answer;
}

/** Asks a question; what was answered, and whether that was made for it. */
async function ask(caller: Caller, question: string, answer: Answer = 'yes') {
  let made = false;
  const given = await find(caller, question, async () => {
    made = true;
    return answer;
  });
  return { given, made };
}

/** A making that ends when it is told to. */
function slowMaking() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Answer>();
  const making = {
    count: 0,
    begun: begun.promise,
    resolve: ended.resolve,
    reject: ended.reject,
    make: () => {
      making.count++;
      begun.resolve();
      return ended.promise;
    },
  };
  return making;
}

describe('while nothing changes', () => {
  test('an answer is made once, and one that says that something is missing each time', async () => {
    const missing = { missing: 'nothing here' };
    expect(await ask(ann, 'entries', 'one')).toEqual({ given: 'one', made: true });
    expect(await ask(ann, 'entries', 'two')).toEqual({ given: 'one', made: false });
    expect(await ask(ann, 'gone', missing)).toEqual({ given: missing, made: true });
    expect(await ask(ann, 'gone', 'two')).toEqual({ given: 'two', made: true });
  });

  test('it is counted how often an answer was found and had to be made', async () => {
    for (const question of ['a', 'b', 'a', 'a']) await ask(ann, question);
    expect(answers.facts).toMatchObject({ entries: 2, hits: 2, misses: 2 });
  });

  test('another key of the same account finds it', async () => {
    await ask(ann, 'entries', 'one');
    const other = { ...ann, keyId: 2, allowance: 7 };
    expect(await ask(other, 'entries', 'two')).toEqual({ given: 'one', made: false });
  });

  test('those who ask while it is made wait for the same making', async () => {
    const making = slowMaking();
    const waiting = Array.from({ length: 20 }, () => find(ann, 'slow', making.make));
    await making.begun;
    const late = find(ann, 'slow', making.make);
    making.resolve('done');
    for (const given of await Promise.all([...waiting, late])) expect(given).toBe('done');
    expect(making.count).toBe(1);
  });

  test('different questions, and different accounts, do not wait for each other', async () => {
    const making = slowMaking();
    const slow = find(ann, 'slow', making.make);
    expect(await ask(ann, 'quick', 'at once')).toEqual({ given: 'at once', made: true });
    const bob = { ...ann, accountId: 12 };
    expect(await ask(bob, 'slow', 'his own')).toEqual({ given: 'his own', made: true });
    making.resolve('hers');
    expect(await slow).toBe('hers');
  });
});

describe('a making that fails', () => {
  test('fails for all who waited, and is not kept', async () => {
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

  test('is not kept either when it fails before it has begun', async () => {
    const broken = find(ann, 'entries', () => {
      throw new Error('at once');
    });
    expect(await broken.catch(String)).toBe('Error: at once');
    expect(await ask(ann, 'entries')).toEqual({ given: 'yes', made: true });
  });
});

describe('the identity of an answer', () => {
  test('holds the account, and one account never finds the answer of another', async () => {
    const bob = { ...ann, accountId: 12 };
    await ask(ann, 'entries', 'hers');
    expect(await ask(bob, 'entries', 'his')).toEqual({ given: 'his', made: true });
    expect(await ask(ann, 'entries', 'x')).toEqual({ given: 'hers', made: false });
    expect(await ask(bob, 'entries', 'x')).toEqual({ given: 'his', made: false });
  });

  test('cannot be put together differently from the same digits', async () => {
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

  test('holds the version of the account', async () => {
    await ask(ann, 'entries', 'before');
    const changed = { ...ann, privateVersion: ann.privateVersion + 1 };
    expect(await ask(changed, 'entries', 'after')).toEqual({ given: 'after', made: true });
    expect(await ask(changed, 'entries', 'x')).toEqual({ given: 'after', made: false });
  });

  test('holds the publication of the market, compared at each question', async () => {
    await ask(ann, 'entries', 'before');
    await publish('Second');
    expect(await ask(ann, 'entries', 'after')).toEqual({ given: 'after', made: true });
    expect(await ask(ann, 'entries', 'x')).toEqual({ given: 'after', made: false });
  });

  test('is that of the time of asking, for an answer still being made when things change', async () => {
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

describe('the bound of 16 Mi characters', () => {
  const mebi = 1024 * 1024;
  const five = 'x'.repeat(5 * mebi);
  const made = async (question: string, answer: Answer) =>
    (await ask(ann, question, answer)).made ? `${question} made` : `${question} kept`;

  test('pushes out the oldest, and no more than it must', async () => {
    for (const question of ['a', 'b', 'c']) await ask(ann, question, five);
    expect(await made('a', five)).toBe('a kept');
    await ask(ann, 'd', five);
    expect(await made('b', five)).toBe('b kept');
    expect(await made('c', five)).toBe('c kept');
    expect(await made('d', five)).toBe('d kept');
    expect(await made('a', five)).toBe('a made');
    expect(await made('b', five)).toBe('b made');
  });

  test('holds across accounts and for what nobody asks for again', async () => {
    await ask(ann, 'hers', five);
    for (const accountId of [21, 22, 23]) await ask({ ...ann, accountId }, 'theirs', five);
    expect(await made('hers', five)).toBe('hers made');
  });

  test('counts the questions as well, and some room for each', async () => {
    const long = (index: number) => `${index} ${'q'.repeat(mebi)}`;
    for (let index = 0; index < 16; index++) await ask(ann, long(index), '');
    // Sixteen names are a little more than the bound.
    expect((await ask(ann, long(15), '')).made).toBe(false);
    expect((await ask(ann, long(0), '')).made).toBe(true);
    // With 500 characters of room each, so many empty answers are more than the bound too.
    for (let index = 0; index < 35_000; index++) await ask(ann, `e${index}`, '');
    expect((await ask(ann, 'e34999', '')).made).toBe(false);
    expect((await ask(ann, 'e0', '')).made).toBe(true);
  });

  test('an answer beyond it is given all the same, and not kept', async () => {
    const huge = 'x'.repeat(16 * mebi);
    expect((await ask(ann, 'huge', huge)).given === huge).toBe(true);
    expect(await made('huge', huge)).toBe('huge made');
    await ask(ann, 'small', 'y');
    expect(await made('small', 'y')).toBe('small kept');
  });

  test('a failed making leaves its room to others', async () => {
    for (let index = 0; index < 10; index++) {
      const question = `${index} ${'q'.repeat(2 * mebi)}`;
      const failed = find(ann, question, async () => Promise.reject(new Error('no')));
      await failed.catch(() => {});
    }
    for (const question of ['a', 'b', 'c']) await ask(ann, question, five);
    expect(await made('a', five)).toBe('a kept');
  });
});
