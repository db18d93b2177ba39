/** The text that compares predictions with sales. */
import { expect, test } from 'bun:test';
import { gradeText } from './predicted.tsx';

const grade = { units: 5, costCents: 100_00, predictedCents: 131_00, gotCents: 127_40, cleared: 4 };

test.each([
  [grade, 'ROI +27% (predicted +31%); 4 of 5 units met the cautious estimate'],
  [
    { ...grade, gotCents: 99_80 },
    'ROI 0% (predicted +31%); 4 of 5 units met the cautious estimate',
  ],
  [
    { ...grade, gotCents: 80_00, cleared: 0 },
    'ROI -20% (predicted +31%); 0 of 5 units met the cautious estimate',
  ],
  [
    { ...grade, costCents: 0 },
    'Profit +$127.40 (predicted +$131.00); 4 of 5 units met the cautious estimate',
  ],
  [{ ...grade, units: 0 }, null],
])('says how the prediction %j turned out', (given, text) => {
  expect(gradeText(given)).toBe(text);
});
