/** The text that compares predictions with sales. */
import { expect, test } from 'bun:test';
import { gradeText } from './predicted.tsx';

const grade = { units: 5, costCents: 100_00, predictedCents: 131_00, gotCents: 127_40, cleared: 4 };

test.each([
  [grade, 'Predicted ROI +31%, actual +27%; 4 of 5 units cleared'],
  [{ ...grade, gotCents: 99_80 }, 'Predicted ROI +31%, actual 0%; 4 of 5 units cleared'],
  [
    { ...grade, gotCents: 80_00, cleared: 0 },
    'Predicted ROI +31%, actual -20%; 0 of 5 units cleared',
  ],
  [{ ...grade, costCents: 0 }, 'Predicted profit +$131.00, actual +$127.40; 4 of 5 units cleared'],
  [{ ...grade, units: 0 }, null],
])('%j', (given, text) => {
  expect(gradeText(given)).toBe(text);
});
