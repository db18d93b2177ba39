/** Store queries for retail prices, and which responses are cached. */
import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../contract/errors.ts';
import { hourMs } from '../../kernel/time.ts';
import { AccountAnswerCache } from '../account-answer-cache.ts';
import { jsonOf } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { Freshness } from '../memory/freshness.ts';
import { retailHandlers } from './retail.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const caller = {
  keyId: 1,
  accountId: 7,
  plan: 'reseller',
  allowance: 10,
  scopes: 15,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 0,
} as const;
const spent = { used: 0, at: 0 };

/** Handlers of a store with one retail row, of a set that the account holds or not. */
function makeHandlers({ isHeld = true } = {}) {
  const asked: unknown[] = [];
  const record = { setKey: '101', body: '{"a":1}', changedAt: null };
  const market = {
    publishStamp: () => 1,
    findRetail: async (identifiers: object) => {
      asked.push(identifiers);
      return record;
    },
    findRetailKeys: async ({ asinKeys, barcodeKeys }: Record<string, unknown>) => {
      asked.push({ asinKeys, barcodeKeys });
      return ['101'];
    },
    listRetail: async (_keys: readonly string[], changedSince: number | null) => {
      asked.push({ changedSince });
      return [record];
    },
  };
  const accounts = {
    listHeldCosts: async () =>
      isHeld ? [{ kind: 'set', key: '101', units: 2, costCents: 25_00 }] : [],
  };
  const handlers = retailHandlers({
    market: { portfolio: { accounts, market } },
    answers: new AccountAnswerCache(new Freshness(market as never)),
    clock: () => now,
  } as unknown as HandlerDeps);
  return { handlers, asked };
}

describe('the prices of a set', () => {
  test('are found by all identifiers sent, in normalized form', async () => {
    const { handlers, asked } = makeHandlers();
    const ask = async (query: { set?: string; asin?: string; upc?: string }) =>
      jsonOf(await handlers.findRetailPrices({ query } as never).read(caller, spent));
    expect(await ask({ set: '101-1', asin: 'b00abc', upc: '036000291452' })).toBe(
      '{"a":1,"paid":12.5}',
    );
    await ask({ set: '101' });
    await ask({ asin: 'B00ABC' });
    await ask({ upc: '4006381333931' });
    expect(asked).toEqual([
      { setKey: '101', asinKey: 'B00ABC', barcodeKey: '0036000291452' },
      { setKey: '101', asinKey: undefined, barcodeKey: undefined },
      { setKey: undefined, asinKey: 'B00ABC', barcodeKey: undefined },
      { setKey: undefined, asinKey: undefined, barcodeKey: '4006381333931' },
    ]);
    // An invalid barcode belongs to no set, and is not looked up.
    expect(await ask({ set: '101', upc: '123' })).toBe('null');
    expect(asked).toHaveLength(4);
  });

  test('have no paid price if the set is not held', async () => {
    const { handlers } = makeHandlers({ isHeld: false });
    const work = handlers.getSetRetailPrices({ params: { number: '101' } } as never);
    expect(jsonOf(await work.read(caller, spent))).toBe('{"a":1}');
  });
});

describe('the retail watch', () => {
  const refusalOf = (query: Record<string, string>) => {
    try {
      makeHandlers().handlers.listRetailWatch({ query } as never);
    } catch (error) {
      return error instanceof ApiError ? error.message : 'a fault';
    }
    return null;
  };

  test('has prices changed since the later of two times', async () => {
    const since = async (query: Record<string, string>) => {
      const { handlers, asked } = makeHandlers();
      await handlers.listRetailWatch({ query } as never).read(caller, spent);
      return asked;
    };
    expect(await since({})).toEqual([{ changedSince: null }]);
    expect(await since({ changed_within: '2h' })).toEqual([{ changedSince: now - 2 * hourMs }]);
    const [before, after] = ['2026-11-15T09:00:00Z', '2026-11-15T11:00:00Z'];
    expect(await since({ since: before })).toEqual([{ changedSince: Date.parse(before) }]);
    expect(await since({ since: before, changed_within: '2h' })).toEqual([
      { changedSince: now - 2 * hourMs },
    ]);
    expect(await since({ since: after, changed_within: '2h' })).toEqual([
      { changedSince: Date.parse(after) },
    ]);
  });

  test('is limited to lists of identifiers, and an invalid barcode matches nothing', async () => {
    const { handlers, asked } = makeHandlers();
    const query = { asin: ' b1, B2 ', upc: '036000291452,123' };
    const answer = await handlers.listRetailWatch({ query } as never).read(caller, spent);
    expect(jsonOf(answer)).toBe('[{"a":1,"paid":12.5}]');
    expect(asked[0]).toEqual({ asinKeys: ['B1', 'B2'], barcodeKeys: ['0036000291452'] });
  });

  test('refuses a list with an empty element, and a time that does not exist', () => {
    const empty = (name: string, got: string) =>
      `The query parameter '${name}' must have no empty members; got '${got}'.`;
    expect(refusalOf({ asin: 'B1,,B2' })).toBe(empty('asin', 'B1,,B2'));
    expect(refusalOf({ upc: ',1' })).toBe(empty('upc', ',1'));
    expect(refusalOf({ since: '2026-02-30T00:00:00Z' })).toBe(
      "The query parameter 'since' must be an instant that exists; got '2026-02-30T00:00:00Z'.",
    );
    expect(refusalOf({ asin: 'B1' })).toBeNull();
  });

  test('is cached without a time window, and charged even if the caller disconnects', async () => {
    const { handlers, asked } = makeHandlers();
    const ask = (query: Record<string, string>) => handlers.listRetailWatch({ query } as never);
    for (let turn = 0; turn < 3; turn++) await ask({}).read(caller, spent);
    expect(asked).toHaveLength(1);
    for (let turn = 0; turn < 3; turn++) await ask({ changed_within: '1d' }).read(caller, spent);
    expect(asked).toHaveLength(4);
    expect(ask({}).isExpensive).toBe(true);
  });
});
