/** Which minifig a number belongs to. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { someEvidence } from '../../../test/support/builders.ts';
import { type Claim, type Member, regroup, wholeEvidence } from './members.store.ts';

const member = (id: number, key: string, facts: Partial<Member> = {}): Member => ({
  id,
  key,
  partOf: null,
  isDescribed: true,
  ...facts,
});

const claim = (itemId: number, key: string, source = 'feed'): Claim => ({ itemId, key, source });

/** The sets that contain each number. */
function groups(members: readonly Member[], claims: readonly Claim[]): Record<string, string> {
  const keys = new Map(members.map(({ id, key }) => [id, key]));
  const moves = new Map(regroup(members, claims).map(({ key, to }) => [key, to]));
  return Object.fromEntries(
    members.map(({ key, partOf }) => {
      const to = moves.get(key);
      const part = to === undefined ? partOf : to;
      return [key, part === null ? key : (keys.get(part) ?? 'nobody')];
    }),
  );
}

test('an alias makes a number part of a minifig; without the alias it is separate again', () => {
  const members = [member(1, 'fig'), member(2, 'sw1')];
  expect(regroup(members, [claim(2, 'fig')])).toEqual([{ id: 1, key: 'fig', from: null, to: 2 }]);
  const grouped = [member(1, 'fig', { partOf: 2 }), member(2, 'sw1')];
  expect(regroup(grouped, [claim(2, 'fig')])).toEqual([]);
  expect(regroup(grouped, [])).toEqual([{ id: 1, key: 'fig', from: 2, to: null }]);
});

test('a number without a record or alias belongs to nothing', () => {
  const members = [member(1, 'fig', { partOf: 2, isDescribed: false }), member(2, 'sw1')];
  expect(groups(members, [])).toEqual({ fig: 'nobody', sw1: 'sw1' });
});

test('a minifig with its own number as alias stays itself', () => {
  expect(regroup([member(1, 'a')], [claim(1, 'a')])).toEqual([]);
});

test('a chain of aliases is one minifig, with the number at its head', () => {
  const members = ['a', 'b', 'c', 'd'].map((key, index) => member(index + 1, key));
  expect(groups(members, [claim(4, 'c'), claim(3, 'b'), claim(2, 'a')])).toEqual({
    a: 'd',
    b: 'd',
    c: 'd',
    d: 'd',
  });
});

test('if two minifigs claim a number, the better source wins, then the lower number', () => {
  const members = [member(1, 'x'), member(2, 'b'), member(3, 'a')];
  expect(groups(members, [claim(2, 'x'), claim(3, 'x')]).x).toBe('a');
  expect(groups(members, [claim(2, 'x', 'bricklink'), claim(3, 'x', 'rebrickable')]).x).toBe('b');
});

test('in a cycle the better claim wins, then the lower number', () => {
  const members = [member(1, 'fig'), member(2, 'sw1'), member(3, 'x')];
  const both = (ofFig: string) => [claim(1, 'sw1', ofFig), claim(2, 'fig', 'bricklink')];
  expect(groups(members, [...both('rebrickable'), claim(1, 'x')])).toEqual({
    fig: 'sw1',
    sw1: 'sw1',
    x: 'sw1',
  });
  expect(groups(members, both('bricklink'))).toMatchObject({ fig: 'fig', sw1: 'fig' });
});

test('the result depends neither on the order of rows nor on the previous grouping', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const anyClaims = fc.array(
    fc.record({
      itemId: fc.integer({ min: 1, max: 4 }),
      key: fc.constantFrom(...keys),
      source: fc.constantFrom('feed', 'bricklink', 'rebrickable', 'zzz'),
    }),
  );
  const anyOrder = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 });
  fc.assert(
    fc.property(
      anyClaims,
      anyOrder,
      fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
      (...given) => {
        const [claims, order, parts] = given;
        const members = keys.map((key, index) =>
          member(index + 1, key, { isDescribed: index !== 4 }),
        );
        const shuffled = order.map((id) =>
          member(id, keys[id - 1] ?? '', {
            isDescribed: id !== 5,
            partOf: parts.next().value || null,
          }),
        );
        const sorted = (some: Record<string, string>) => Object.entries(some).sort();
        const expected = sorted(groups(members, claims));
        expect(sorted(groups(shuffled, [...claims].reverse()))).toEqual(expected);
        // The parent of a part is never itself a part.
        const top = Object.fromEntries(expected);
        for (const [, of] of expected) if (of !== 'nobody') expect(top[of]).toBe(of);
      },
    ),
  );
});

test('evidence of a minifig covers sales its parts were scored with, if it was published itself', () => {
  const learned = (learnedUntil: number) => someEvidence({ learnedUntil });
  expect(wholeEvidence(null, [learned(9)])).toBeNull();
  expect(wholeEvidence(learned(5), [])).toEqual(learned(5));
  expect(wholeEvidence(learned(5), [learned(7), learned(9), learned(2)])).toEqual(learned(9));
  expect(wholeEvidence(learned(8), [learned(7)])).toEqual(learned(8));
});

test('of two claims the source with higher precedence wins, not the first name', () => {
  const members = [member(1, 'a'), member(2, 'b'), member(3, 'x', { isDescribed: false })];
  const claims = [claim(1, 'x', 'bricklink'), claim(2, 'x', 'feed')];
  expect(groups(members, claims)).toEqual({ a: 'a', b: 'b', x: 'b' });
});
