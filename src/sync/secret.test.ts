/** Secrets are hidden unless revealed. */
import { expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { redact, Secret } from './secret.ts';

const secret = new Secret('s3/cr"t');

test('a secret is hidden however it is printed', () => {
  const shown = [String(secret), `${secret}`, JSON.stringify({ secret }), inspect({ secret })];
  for (const text of shown) {
    expect(text).toContain('[secret]');
    expect(text).not.toContain('s3');
  }
  expect(secret.reveal()).toBe('s3/cr"t');
});

test.each([
  ['as it is: s3/cr"t!', 'as it is: [secret]!'],
  ['in an address: s3%2Fcr%22t', 'in an address: [secret]'],
  [JSON.stringify({ said: 's3/cr"t' }), '{"said":"[secret]"}'],
  [`in a header: ${Buffer.from('s3/cr"t').toString('base64')}`, 'in a header: [secret]'],
  ['twice: s3/cr"t s3/cr"t', 'twice: [secret] [secret]'],
  ['nothing', 'nothing'],
])('%p is shown as %p', (text, shown) => {
  expect(redact(text, [secret])).toBe(shown);
});

test('longer secrets are redacted first', () => {
  const both = [new Secret('abcd'), new Secret('abcdef')];
  expect(redact('abcdef abcd', both)).toBe('[secret] [secret]');
});

test('secrets with fewer than four characters are not redacted', () => {
  expect(redact('abc abcd', [new Secret('abc'), new Secret('abcd')])).toBe('abc [secret]');
});
