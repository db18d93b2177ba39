/** Links that end alerts: several tokens in one, up to a limit. */
import { expect, test } from 'bun:test';
import { endAlertPath, endedMax, endTokens, hideEndLinks } from './end-link.ts';

test('a link has the tokens of up to 20 alerts', () => {
  const tokens = Array.from({ length: 21 }, (_, index) => `t${index}`);
  const joined = endAlertPath(...tokens).replace('/alerts/end/', '');
  expect(endTokens(joined)).toEqual(tokens.slice(0, 20));
  expect(endedMax).toBe(20);
});

test('tokens are hidden in a text', () => {
  const text = `See https://brickmark.example${endAlertPath('a-1', 'b_2')} and more.`;
  expect(hideEndLinks(text)).toBe('See https://brickmark.example/alerts/end/… and more.');
});
