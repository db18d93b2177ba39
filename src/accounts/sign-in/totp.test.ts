/** Codes of authenticator apps, with the examples of the RFCs. */
import { expect, test } from 'bun:test';
import { base32, matchingStep, totpCode, totpStep, totpUrl } from './totp.ts';

const secret = new TextEncoder().encode('12345678901234567890');

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d seconds, the code is that of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code);
});

test('a code is accepted one step early or late, with spaces, and no longer', () => {
  const at = 1_111_111_111_000;
  const now = totpStep(at);
  for (const around of [-1, 0, 1]) {
    expect(matchingStep(secret, totpCode(secret, now + around), at)).toBe(now + around);
  }
  for (const around of [-2, 2]) {
    expect(matchingStep(secret, totpCode(secret, now + around), at)).toBeNull();
  }
  expect(matchingStep(secret, ' 050 471 ', at)).toBe(now);
  for (const wrong of ['', '05047', '0504711', 'abcdef', '50471']) {
    expect(matchingStep(secret, wrong, at)).toBeNull();
  }
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%s in base32 is that of RFC 4648', (text, encoded) => {
  expect(base32(new TextEncoder().encode(text))).toBe(encoded);
});

test('the address for apps names the site and the account', () => {
  const url = totpUrl(secret, { email: 'ann+a@example.com', site: 'bricks.example' });
  expect(url).toBe(
    'otpauth://totp/bricks.example%3Aann%2Ba%40example.com' +
      '?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=bricks.example',
  );
});
