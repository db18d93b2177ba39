/** Costs, refusals and reports of spreadsheet links, with given admissions and files. */
import { expect, test } from 'bun:test';
import type { KeyHash } from '../accounts/keys/keys.ts';
import type { Admission } from '../accounts/keys/quota.ts';
import { ApiError } from '../contract/errors.ts';
import type { RequestOutcome } from '../http/request-outcome.ts';
import { lastStreamedAt } from '../http/streamed.ts';
import { type Admit, CallerDisconnected } from './admission-groups.ts';
import type { PricedFile } from './sheet-files.ts';
import { answerSheet, isSheetPath, type SheetDeps } from './sheet-links.ts';

const at = Date.UTC(2026, 10, 15, 23, 59, 50);
const caller = {
  keyId: 1,
  accountId: 2,
  plan: 'reseller',
  allowance: 10,
  scopes: 15,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 0,
} as const;
const target = { handle: 'h', content: 'values' } as const;
const key = { linkId: 7, keyHash: new Uint8Array(32) as KeyHash };

type Given = Omit<Admission, 'caller'> | null | Error;
const granted = (used: number) => ({ used, outcome: 'granted' }) as const;
const costing = (cost: number): PricedFile => ({ cost, make: async () => 'a,b\r\n' });

/** Uses a link with a sequence of admissions; returns the response and what was done for it. */
async function use(
  admissions: readonly Given[],
  file: PricedFile | { readonly missing: string } = costing(2),
  { query = '?sets=1', init = {} as RequestInit, ...others }: Partial<SheetDeps> & Asked = {},
) {
  const steps: string[] = [];
  const reports: RequestOutcome[] = [];
  const left = [...admissions];
  const admit: Admit = async ({ cost, from }, decide) => {
    steps.push(`admit ${cost}${from ? '' : ' in any case'}`);
    const next = left.shift();
    if (next instanceof Error) throw next;
    return decide({ admission: next ? { ...next, caller } : null, at });
  };
  const answer = await answerSheet(new Request(`http://here/csv/x${query}`, init), {
    signer: { pathOf: () => '', read: (path) => (path === '/csv/x' ? target : null) },
    links: {
      findSheetKey: async () => key,
      noteSheetUse: async (linkId, { cost }) => void steps.push(`note ${linkId} ${cost}`),
    },
    admit,
    prepare: (content, search) => async () => {
      steps.push(`price ${content} ${search}`);
      return file;
    },
    addressOf: () => '192.0.2.1',
    report: (_, outcome) => reports.push(outcome),
    sendFree: (_, response) => {
      steps.push('free');
      return response;
    },
    onNoteFailure: (error) => steps.push(String(error)),
    ...others,
  });
  const [report] = reports;
  expect(reports).toHaveLength(1);
  expect(report?.status).toBe(answer.status);
  const { status, headers } = answer;
  return { status, headers, text: await answer.text(), report, steps };
}
type Asked = Readonly<{ query?: string; init?: RequestInit }>;

test('a file is priced, made and then charged, and its use is noted', async () => {
  const { status, text, headers, report, steps } = await use([granted(4), granted(6)]);
  expect([status, text]).toEqual([200, 'a,b\r\n']);
  expect(steps).toEqual(['admit 0', 'price values sets=1', 'admit 2 in any case', 'note 7 2']);
  expect(report).toMatchObject({ code: null, cost: 2, caller, body: text });
  expect(headers.get('X-RateLimit-Remaining')).toBe('4');
  const bare = await use([granted(4), granted(6)], costing(2), { query: '' });
  expect(bare.steps).toContain('price values ');
});

test('a failed note of the use fails nothing else, and is over before the response', async () => {
  const noted = Promise.withResolvers<void>();
  const links = { findSheetKey: async () => key, noteSheetUse: () => noted.promise };
  let isAnswered = false;
  const used = use([granted(4), granted(6)], costing(2), { links }).finally(() => {
    isAnswered = true;
  });
  await Bun.sleep(0);
  expect(isAnswered).toBe(false);
  noted.reject(new Error('away'));
  expect(await used).toMatchObject({ status: 200, steps: expect.arrayContaining(['Error: away']) });
});

test('something missing is charged as one call, and is not delayed', async () => {
  const { status, text, headers, report, steps } = await use([granted(4), granted(5)], {
    missing: 'There is none.',
  });
  expect([status, text, report?.cost]).toEqual([404, 'There is none.\n', 1]);
  expect(steps).toEqual(['admit 0', 'price values sets=1', 'admit 1 in any case', 'note 7 1']);
  expect(headers.get('X-RateLimit-Remaining')).toBe('5');
  expect(headers.get('Retry-After')).toBeNull();
});

const needs = (cost: number, left: number) =>
  `This file needs ${cost} of the daily allowance of 10 calls and ${left} are left; ` +
  'the allowance resets at midnight UTC.\n';

test.each([
  ['with nothing left, before anything is read', [granted(10)], costing(2), needs(1, 0), 2],
  ['if the file costs more than is left', [granted(9)], costing(2), needs(2, 1), 3],
  [
    'if others have used it up meanwhile',
    [granted(8), { used: 9, outcome: 'exhausted' }],
    costing(2),
    needs(2, 1),
    4,
  ],
] as const)('a file is refused %s', async (_, admissions, file, message, count) => {
  const { status, text, headers, report, steps } = await use(admissions, file);
  expect([status, text, headers.get('Retry-After')]).toEqual([429, message, '10']);
  expect(report).toMatchObject({ code: 'QuotaExceeded', cost: 0, caller });
  expect([steps.length, steps.at(-1)]).toEqual([count, 'free']);
});

test('the last calls of an allowance can be used', async () => {
  expect((await use([granted(8), granted(10)])).status).toBe(200);
  expect((await use([granted(9), granted(10)], costing(1))).status).toBe(200);
});

const noLink = 'This link does not work: it was revoked, or it was not copied in full.\n';

test.each<[string, readonly Given[], Partial<SheetDeps> & Asked, number, string | RegExp]>([
  ['without a secret', [], { signer: null }, 404, noLink],
  ['with another path', [], { signer: { pathOf: () => '', read: () => null } }, 404, noLink],
  ['of a revoked key', [null], {}, 404, noLink],
  ['of a key revoked meanwhile', [granted(1), null], {}, 404, noLink],
  ['of another plan', [{ used: 0, outcome: 'plan' }], {}, 403, /Reseller plan/],
  ['with another method', [], { init: { method: 'PUT' } }, 405, 'This link answers GET, HEAD.\n'],
  ['with a wrong query', [new ApiError('BadRequest', 'No.')], {}, 400, 'No.\n'],
])('a link %s is refused for free', async (_, admissions, others, status, message) => {
  const refused = await use(admissions, costing(2), others);
  expect([refused.status, refused.report?.cost, refused.steps.at(-1)]).toEqual([status, 0, 'free']);
  expect(refused.text).toMatch(message);
  expect(refused.headers.get('Allow')).toBe(status === 405 ? 'GET, HEAD' : null);
});

test('a fault is reported without the path, and is not delayed', async () => {
  const { status, report, text, steps } = await use([new Error('secret')]);
  expect([status, report?.fault]).toEqual([500, { error: new Error('secret'), url: '' }]);
  expect(text).not.toContain('secret');
  expect(steps).toEqual(['admit 0']);
});

test('a caller that disconnected is reported, and not charged', async () => {
  const { status, report } = await use([new CallerDisconnected()]);
  expect(status).toBe(499);
  expect(report).toMatchObject({ code: null, cost: 0, caller: null, body: '' });
});

test('a long file is streamed, but not for HEAD, so that its length is sent', async () => {
  const long = { cost: 1, make: async () => 'x'.repeat(20_000) };
  const isStreamed = async (method: string) => {
    const before = lastStreamedAt();
    const { text } = await use([granted(1), granted(2)], long, { init: { method } });
    expect(text).toHaveLength(20_000);
    return lastStreamedAt() > before;
  };
  expect([await isStreamed('GET'), await isStreamed('HEAD')]).toEqual([true, false]);
});

test('links have paths below /csv/', () => {
  expect(isSheetPath('http://here/csv/x')).toBe(true);
  expect(isSheetPath('http://here/csv')).toBe(false);
});
