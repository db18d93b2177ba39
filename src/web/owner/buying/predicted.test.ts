/** Predicted and got, in words. */
import { expect, test } from 'bun:test';
import { gradeText } from './predicted.tsx';

const grade = { units: 5, costCents: 100_00, predictedCents: 131_00, gotCents: 127_40, cleared: 4 };

test.each([
  [grade, 'predicted +31%, got +27%; 4 of 5 cleared'],
  [{ ...grade, gotCents: 99_80 }, 'predicted +31%, got 0%; 4 of 5 cleared'],
  [{ ...grade, gotCents: 80_00, cleared: 0 }, 'predicted +31%, got -20%; 0 of 5 cleared'],
  [{ ...grade, costCents: 0 }, 'predicted +$131.00, got +$127.40; 4 of 5 cleared'],
  [{ ...grade, units: 0 }, null],
])('%j', (given, text) => {
  expect(gradeText(given)).toBe(text);
});
