/** The reported allowance is never negative, and its reset never too early. */
import { describe, expect, test } from 'bun:test';
import type { Caller } from '../accounts/keys/quota.ts';
import { ApiError } from '../contract/errors.ts';
import { joined } from '../http/text-parts.ts';
import { formatInstant } from '../kernel/time.ts';
import { AnswerData } from './answer-data.ts';
import {
  dataBody,
  rateLimitOf,
  respondData,
  respondError,
  respondNotModified,
  respondOptions,
  respondWhole,
  secondsUntilReset,
} from './respond.ts';

const at = Date.UTC(2026, 10, 15, 12);
const caller: Caller = {
  keyId: 1,
  accountId: 1,
  plan: 'reseller',
  allowance: 10,
  scopes: 15,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 0,
};

test.each([
  [0, 10],
  [9, 1],
  [10, 0],
  [11, 0],
  [1000, 0],
])('of an allowance of 10, %d calls leave %d', (used, remaining) => {
  expect(rateLimitOf({ caller, used, outcome: 'granted' }, at)).toEqual({
    limit: 10,
    remaining,
    reset: '2026-11-16T00:00:00.000Z',
    keyHeaders: null,
  });
});

test('a key that ends soon, and a test key, are named in headers, and the next key is not', () => {
  const soon = { ...caller, expiresAt: at + 3_600_000, isTest: true };
  const rate = rateLimitOf({ caller: soon, used: 0, outcome: 'granted' }, at);
  const named = { 'X-Key-Expires': formatInstant(at + 3_600_000), 'X-Key-Test': 'true' };
  expect(rate.keyHeaders).toEqual(named);
  const response = respondData('{}', { requestId: 'r', rate, tag: null });
  expect(response.headers.get('x-key-expires')).toBe(named['X-Key-Expires']);
  const next = rateLimitOf({ caller, used: 0, outcome: 'granted' }, at);
  const other = respondData('{}', { requestId: 'r', rate: next, tag: null });
  expect([other.headers.get('x-key-expires'), other.headers.get('x-key-test')]).toEqual([
    null,
    null,
  ]);
});

test.each([
  ['2026-11-15T12:00:00.000Z', 43_200],
  ['2026-11-15T12:00:00.001Z', 43_200],
  ['2026-11-15T23:59:57.999Z', 3],
  ['2026-11-15T23:59:58.000Z', 2],
  ['2026-11-15T23:59:58.001Z', 2],
  ['2026-11-15T23:59:59.999Z', 1],
])('a client that follows Retry-After at %s is not too early', (instant, seconds) => {
  expect(secondsUntilReset(Date.parse(instant))).toBe(seconds);
});

describe('an answer', () => {
  const rate = { limit: 10, remaining: 4, reset: '2026-11-16T00:00:00.000Z' };
  const rateHeaders = (response: Response) =>
    ['Limit', 'Remaining', 'Reset'].map((name) => response.headers.get(`X-RateLimit-${name}`));

  test('is in the envelope, and its headers match', async () => {
    const body = joined(dataBody(new AnswerData('{"a":1}'), 'r1', rate));
    expect(JSON.parse(body)).toMatchObject({
      data: { a: 1 },
      meta: { request_id: 'r1', rate_limit: rate },
    });
    const response = respondData(body, { requestId: 'r1', rate, tag: 'W/"t"' });
    expect(response.status).toBe(200);
    expect(rateHeaders(response)).toEqual(['10', '4', rate.reset]);
    expect(response.headers.get('X-Request-Id')).toBe('r1');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('ETag')).toBe('W/"t"');
    expect(await response.text()).toBe(body);
  });

  test('in parts has the same bytes as in one', async () => {
    const whole = new AnswerData('{"a":["é","\u{1f9f1}"]}');
    const inParts = new AnswerData(['{"a":["é","', '\u{1f9f1}', '"]}']);
    expect(inParts.json).toBe(whole.json);
    expect(joined(dataBody(inParts, 'r1', rate))).toBe(joined(dataBody(whole, 'r1', rate)));
  });

  test('that is a stream or file has its own headers, and its tag if it has one', async () => {
    const tagged = { requestId: 'r', rate, tag: '"t"' };
    const own = { status: 200, headers: { 'Content-Type': 'text/x' } } as const;
    const file = respondWhole('whole', own, tagged);
    expect([file.status, await file.text()]).toEqual([200, 'whole']);
    expect(['Content-Type', 'ETag'].map((name) => file.headers.get(name))).toEqual([
      'text/x',
      '"t"',
    ]);
    expect(rateHeaders(file)).toEqual(['10', '4', rate.reset]);
    const stream = respondWhole(null, own, { ...tagged, tag: null });
    expect(stream.headers.has('ETag')).toBe(false);
  });

  test('without a tag has no ETag, whatever the previous one had', () => {
    respondData('{}', { requestId: 'r', rate, tag: 'W/"t"' });
    const response = respondData('{}', { requestId: 'r', rate, tag: null });
    expect(response.headers.get('ETag')).toBeNull();
  });

  test('that is unchanged is a 304 with the headers of a 200, except its type', () => {
    const context = { requestId: 'r1', rate, tag: 'W/"t"' };
    const { status, body, headers } = respondNotModified(context);
    expect([status, body]).toEqual([304, null]);
    const full = respondData('{}', context).headers;
    full.delete('Content-Type');
    expect([...headers]).toEqual([...full]);
  });

  test('has the allowance of its own key, whatever the previous one had', () => {
    const later = { ...rate, reset: '2026-11-17T00:00:00.000Z' };
    for (const other of [rate, { ...rate, limit: 99 }, rate, later, { ...later, remaining: 3 }]) {
      const expected = [String(other.limit), String(other.remaining), other.reset];
      expect(rateHeaders(respondData('{}', { requestId: 'r', rate: other, tag: null }))).toEqual(
        expected,
      );
    }
  });

  test('that is an error has the headers of its code, and no others', () => {
    const headersOf = (response: Response) =>
      ['WWW-Authenticate', 'Allow', 'Retry-After'].map((name) => response.headers.get(name));
    const none = respondError(new ApiError('NotFound'), '{}', { requestId: 'r' });
    expect([none.status, ...headersOf(none)]).toEqual([404, null, null, null]);
    expect(rateHeaders(none)).toEqual([null, null, null]);
    for (const code of ['MissingApiKey', 'InvalidApiKey'] as const) {
      const refused = respondError(new ApiError(code), '{}', { requestId: 'r' });
      expect(headersOf(refused)[0]).toBe('Bearer');
    }
    const full = { requestId: 'r', rate, allow: 'GET' };
    const other = respondError(new ApiError('MethodNotAllowed'), '{}', full);
    expect([other.status, ...headersOf(other)]).toEqual([405, null, 'GET', null]);
    const busy = respondError(new ApiError('TooManyRequests', 'Busy.', 7), '{}', full);
    expect([busy.status, ...headersOf(busy)]).toEqual([429, null, null, '7']);
    expect(rateHeaders(busy)).toEqual(['10', '4', rate.reset]);
  });

  test('to OPTIONS has no body, and lists the methods', () => {
    const { status, body, headers } = respondOptions('GET, HEAD, OPTIONS', 'r');
    expect([status, body]).toEqual([204, null]);
    expect(headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, OPTIONS');
  });
});
