/** SCRAM verifiers, with the example of RFC 7677. */
import { expect, test } from 'bun:test';
import { scramVerifier } from './scram.ts';

test('a verifier matches the standard', () => {
  const salt = 'W22ZaJ0SNY7soEsUEjb6gQ==';
  expect(scramVerifier('pencil', Buffer.from(salt, 'base64'))).toBe(
    `SCRAM-SHA-256$4096:${salt}$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:` +
      'wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

test('a salt has 16 random bytes', () => {
  const salts = [scramVerifier('a'), scramVerifier('a')].map((text) => text.split(/[:$]/)[2] ?? '');
  expect(salts.map((salt) => Buffer.from(salt, 'base64').length)).toEqual([16, 16]);
  expect(salts[0]).not.toBe(salts[1]);
});
