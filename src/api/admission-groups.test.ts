/** Admission with a slow store: requests time out, and rejected ones are never sent. */

import { describe, expect, test } from 'bun:test';
import { plainUse, usualCaller } from '../../test/support/callers.ts';
import { until } from '../../test/support/until.ts';
import { storeMsMax } from '../contract/limits.ts';
import { StoreBusyError } from '../kernel/store-errors.ts';
import type { AccountStore } from '../store/store.ts';
import { CallerDisconnected, groupAdmissions, StalledError } from './admission-groups.ts';

/** The maximum waiting time in these tests. */
const waitMs = 200;

/** A store that decides on demand. */
function slowAccounts() {
  const groups: { readonly size: number; go(): void; fail(error: Error): void }[] = [];
  const time = { ms: 0 };
  const accounts: Partial<AccountStore> = {
    admissionMsMax: storeMsMax - waitMs,
    admitGroup: (requests, at) =>
      new Promise((resolve, reject) => {
        const admissions = requests.map(() => null);
        groups.push({
          size: requests.length,
          go: () => resolve({ admissions, at }),
          fail: reject,
        });
      }),
  };
  const admit = groupAdmissions(
    accounts as AccountStore,
    () => 0,
    () => time.ms,
  );
  return { groups, admit, time };
}

/** Makes concurrent requests; returns the outcome of each. */
function ask(admit: ReturnType<typeof groupAdmissions>, count: number): Promise<string>[] {
  return Array.from({ length: count }, () =>
    admit(
      { ...plainUse, cost: 1, from: { signal: new AbortController().signal } },
      () => 'decided',
      (error) => (error instanceof Error ? error.constructor.name : 'failed'),
    ),
  );
}

test('requests behind an unanswered group are rejected in time, and never sent', async () => {
  const { groups, admit, time } = slowAccounts();
  const first = ask(admit, 1);
  await until(() => groups.length === 1);
  const crowd = ask(admit, 1_200);
  time.ms += waitMs;
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([StalledError.name]));
  groups[0]?.go();
  expect(await Promise.all(first)).toEqual(['decided']);
  const next = ask(admit, 3);
  await until(() => groups.length === 2);
  expect(groups[1]?.size).toBe(3);
  groups[1]?.go();
  expect(await Promise.all(next)).toEqual(['decided', 'decided', 'decided']);
});

test('a failed group does not affect others', async () => {
  const { groups, admit } = slowAccounts();
  const first = ask(admit, 2);
  await until(() => groups.length === 1);
  const second = ask(admit, 1);
  groups[0]?.fail(new TypeError('away'));
  expect(await Promise.all(first)).toEqual(['TypeError', 'TypeError']);
  await until(() => groups.length === 2);
  groups[1]?.go();
  expect(await Promise.all(second)).toEqual(['decided']);
});

test('callers that left while a group was decided, or the store was busy, are not sent', async () => {
  const { groups, admit } = slowAccounts();
  const callers = Array.from({ length: 3 }, () => new AbortController());
  const outcomes = callers.map(async ({ signal }, index) => {
    if (index > 0) await until(() => groups.length === 1);
    return admit(
      { ...plainUse, cost: 1, from: { signal } },
      () => 'decided',
      (error) => (error instanceof CallerDisconnected ? 'gone' : 'failed'),
    );
  });
  await until(() => groups.length === 1);
  callers[0]?.abort();
  callers[1]?.abort();
  groups[0]?.fail(new StoreBusyError('busy'));
  await until(() => groups.length === 2);
  groups[1]?.go();
  expect(await Promise.all(outcomes)).toEqual(['gone', 'gone', 'decided']);
});

test('a busy store is retried, together with requests that arrived since', async () => {
  const { groups, admit } = slowAccounts();
  const first = ask(admit, 1);
  await until(() => groups.length === 1);
  const second = ask(admit, 2);
  groups[0]?.fail(new StoreBusyError('busy'));
  await until(() => groups.length === 2);
  expect(groups[1]?.size).toBe(3);
  groups[1]?.go();
  expect(await Promise.all([...first, ...second])).toEqual(['decided', 'decided', 'decided']);
});

test('requests time out while the store stays busy', async () => {
  const { groups, admit, time } = slowAccounts();
  const asked = Promise.all(ask(admit, 2));
  for (let tries = 0; tries < 3; tries++) {
    await until(() => groups.length > tries);
    if (tries === 2) time.ms += waitMs;
    groups[tries]?.fail(new StoreBusyError('busy'));
  }
  expect(await asked).toEqual([StalledError.name, StalledError.name]);
});

describe('a group', () => {
  const here = { signal: new AbortController().signal };

  /** Grants every request immediately, and charges its cost. */
  function promptAccounts() {
    const groups: number[][] = [];
    const accounts = {
      admissionMsMax: 0,
      admitGroup: async (requests: readonly { cost: number }[], at: number) => {
        groups.push(requests.map(({ cost }) => cost));
        const admissions = requests.map(({ cost }) =>
          cost === 0 ? null : { caller: usualCaller, used: cost, outcome: 'granted' },
        );
        return { admissions, at: at + 1 };
      },
    };
    return {
      groups,
      admit: groupAdmissions(
        accounts as unknown as AccountStore,
        () => 70,
        () => 0,
      ),
    };
  }

  test('has all requests of a turn, each with its own decision', async () => {
    const { groups, admit } = promptAccounts();
    const outcomes = await Promise.all(
      [3, 0, 5].map((cost) =>
        admit({ ...plainUse, cost, from: here }, ({ admission, at }) => [
          admission?.used ?? null,
          at,
        ]),
      ),
    );
    expect(outcomes).toEqual([
      [3, 71],
      [null, 71],
      [5, 71],
    ]);
    expect(groups).toEqual([[3, 0, 5]]);
  });

  test('has at most 500 requests; the others form the next one, in order', async () => {
    const { groups, admit } = promptAccounts();
    const costs = Array.from({ length: 1_001 }, (_, index) => index + 1);
    await Promise.all(costs.map((cost) => admit({ ...plainUse, cost, from: here }, () => null)));
    expect(groups.map((group) => group.length)).toEqual([500, 500, 1]);
    expect(groups.flat()).toEqual(costs);
  });

  test('excludes callers that disconnected, unless their work is done and charged', async () => {
    const { groups, admit } = promptAccounts();
    const left = new AbortController();
    const gone = (from: { signal: AbortSignal } | null, cost: number) =>
      admit(
        { ...plainUse, cost, from },
        () => 'decided',
        (error) => (error instanceof CallerDisconnected ? 'gone' : 'failed'),
      );
    const outcomes = [gone({ signal: left.signal }, 1), gone(here, 2), gone(null, 3)];
    left.abort();
    expect(await Promise.all(outcomes)).toEqual(['gone', 'decided', 'decided']);
    expect(groups).toEqual([[2, 3]]);
  });

  test('continues if one response fails, which only its caller notices', async () => {
    const { admit } = promptAccounts();
    const fails = () => {
      throw new Error('no');
    };
    const outcomes = await Promise.all([
      admit({ ...plainUse, cost: 1, from: here }, fails, (error) => (error as Error).message),
      admit({ ...plainUse, cost: 1, from: here }, () => 'decided'),
      admit({ ...plainUse, cost: 1, from: here }, fails).catch(() => 'rejected'),
    ]);
    expect(outcomes).toEqual(['no', 'decided', 'rejected']);
  });
});
