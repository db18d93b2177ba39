/** What is sealed opens with its key, for its purpose, and as it was; otherwise not at all. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Sealed } from './channel.ts';
import { makeSealer } from './seal.ts';

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const key = randomBytes(32);
const sealer = makeSealer(key, randomBytes);
const what = { accountId: 7, purpose: 'address' } as const;
const text = 'https://example.com/hook?token=🧱';

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (given) => {
      expect(sealer.open(sealer.seal(given, what), what)).toBe(given);
    }),
  );
});

test('the text is not in it, and the same text is never sealed alike', () => {
  const sealed = sealer.seal(text, what);
  expect(Buffer.from(sealed).toString('latin1')).not.toContain('example.com');
  expect(sealer.seal(text, what)).not.toEqual(sealed);
});

test('for another account, another purpose or with another key it does not open', () => {
  const sealed = sealer.seal(text, what);
  expect(sealer.open(sealed, { ...what, accountId: 8 })).toBeNull();
  expect(sealer.open(sealed, { ...what, purpose: 'secret' })).toBeNull();
  expect(makeSealer(randomBytes(32), randomBytes).open(sealed, what)).toBeNull();
  expect(makeSealer(key, randomBytes).open(sealed, what)).toBe(text);
});

test('a byte more, less or other, and it does not open', () => {
  const sealed = sealer.seal(text, what);
  for (let place = 0; place < sealed.length; place++) {
    const changed = sealed.slice() as Sealed;
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(sealer.open(changed, what)).toBeNull();
    expect(sealer.open(sealed.slice(0, place) as Sealed, what)).toBeNull();
  }
  expect(sealer.open(new Uint8Array([...sealed, 0]) as Sealed, what)).toBeNull();
});
