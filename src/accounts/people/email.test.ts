/** Email addresses: validation, and one account per address. */
import { expect, test } from 'bun:test';
import { emailKey, emailProblem, noAccount } from './email.ts';

test.each([
  'ann@example.com',
  'Ann.Lee+bricks@mail.example.co.uk',
  'o_neil-1@xn--bcher-kva.example',
])('%s can be used', (email) => {
  expect(emailProblem(email)).toBeNull();
});

test('an address may have 254 characters', () => {
  const ofLength = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  expect(emailProblem(ofLength(254))).toBeNull();
  expect(emailProblem(ofLength(255))).toBe('The email is longer than 254 characters.');
});

test('case and surrounding spaces do not matter', () => {
  expect(emailKey(' Ann@Example.COM ')).toBe(emailKey('ann@example.com'));
});

test.each([
  ['full-width letters', 'ａｎｎ@example.com'],
  ['a full-width at sign', 'ann＠example.com'],
  ['a ligature', 'o\ufb03ce@example.com'],
  ['a Kelvin sign', '\u212aim@example.com'],
  ['a mathematical letter', '\u{1d41a}nn@example.com'],
  ['a letter of another script', '\u0430nn@example.com'],
  ['a combining accent', 'rene\u0301@example.com'],
  ['an accented letter', 'ren\u00e9@example.com'],
  ['a domain without its xn-- form', 'ann@b\u00fccher.example'],
])('%s is rejected, with how to write it', (_, email) => {
  expect(emailProblem(email)).toContain(
    'Use only the letters a to z in the email, such as ann@example.com',
  );
});

test.each([
  '\u0000',
  '\u001b',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
])('invisible characters are rejected: %j', (sign) => {
  expect(emailProblem(`an${sign}n@example.com`)).toContain('invisible characters');
});

test.each(['ann', 'ann@', '@example.com', 'ann@example', 'a nn@example.com', '<ann@example.com>'])(
  '%s is not an address',
  (email) => {
    const problem = `'${email}' is not an email address. Enter one like ann@example.com.`;
    expect(emailProblem(email)).toBe(problem);
  },
);

test('the message for a missing account points out non-ASCII letters', () => {
  expect(noAccount('ann@example.com')).toBe("no account 'ann@example.com'");
  expect(noAccount('ａnn@example.com')).toBe(
    "no account 'ａnn@example.com', which contains letters other than a to z",
  );
  expect(noAccount('\u202eann@example.com')).toContain("'\\u202eann@example.com'");
});
