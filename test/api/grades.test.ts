/** Version 1 has the value of a lot's grade, and its two words for the condition. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { assumedEffects, gradeShare, parseGrade } from '../../src/market/grades/grades.ts';
import { addPerson, lot, setWorth } from '../support/person.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.load(setWorth('100', { sealed: 99.99, used: 33.33 }));
});

afterAll(() => world.close());

const grades = [
  ['sealed', 'perfect'],
  ['sealed', 'light_wear'],
  ['sealed', 'damaged_box'],
  ['used', 'complete_boxed'],
  ['used', 'complete'],
  ['used', 'incomplete_85'],
  ['used', 'incomplete'],
  ['used', 'parts'],
] as const;

test('entries have the value of the grade, and its fields are not shown', async () => {
  const ann = await addPerson(world, 'ann@example.com');
  const { rejected } = await ann.load(
    { kind: 'brickfolio', name: 'Shelf' },
    ...grades.map(([condition, grade]) =>
      lot(grade, 3, { set_number: '100', brickfolio: 'Shelf', condition, grade, notes: 'Secret' }),
    ),
  );
  expect(rejected).toBe(0);
  const { entries } = await ann.entries('?limit=250');
  const shown = entries.map(({ condition, current_value_usd: value }) => [condition, value]);
  const expected = grades.map(([condition, grade]) => {
    const { share } = gradeShare(parseGrade(grade), assumedEffects);
    const cents = condition === 'sealed' ? 99_99 : 33_33;
    return [condition, Math.round(cents * share) / 100];
  });
  expect(shown.sort()).toEqual(expected.sort());
  for (const entry of entries) {
    const cents = Math.round(entry.current_value_usd * 100) * 3;
    expect(Math.round(entry.total_current_value_usd * 100)).toBe(cents);
  }
  expect(JSON.stringify(entries)).not.toMatch(/Secret|grade/);
});
