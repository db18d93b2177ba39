/** Tags of data: the same for the same bytes, others for others, and compared as HTTP says. */
import { expect, test } from 'bun:test';
import { AnswerData, namesTag } from './answer-data.ts';

const { tag } = new AnswerData('{"a":1}');

test('a tag is weak, quoted, and that of the bytes', () => {
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(new AnswerData('{"a":1}').tag).toBe(tag);
  expect(new AnswerData('{"a":2}').tag).not.toBe(tag);
  expect(new AnswerData('{"a":"ä"}').tag).not.toBe(new AnswerData('{"a":"Ã¤"}').tag);
});

test.each([
  ['*', true],
  [' * ', true],
  [tag, true],
  [tag.slice(2), true],
  [`"x", ${tag}`, true],
  [`"x",W/"y" ,\t${tag.slice(2)}`, true],
  [`"with,comma", ${tag}`, true],
  [`"", ${tag}`, true],
  [`${tag},`, true],
  [`, , ${tag}`, true],
  [` ${tag} `, true],
  ['', false],
  ['"x"', false],
  [`W/"x", "y"`, false],
  // No tags: without quotes, with a small letter, with more behind it, or inside another one.
  [tag.slice(3, -1), false],
  [tag.replace('W', 'w'), false],
  [`${tag}x`, false],
  [`"${tag.slice(3)}`.replace('"', '" "'), false],
  ['**', false],
  ['*, "x"', false],
])('If-None-Match %j names the tag: %p', (header, isNamed) => {
  expect(namesTag(header, tag)).toBe(isNamed);
});

test('a list of tags that goes on and on is read in time that grows with its length', () => {
  const long = Array.from({ length: 1_000 }, (_, index) => `W/"${index}"`).join(' , ');
  expect(namesTag(`${long}, ${tag}`, tag)).toBe(true);
  expect(namesTag(`"x${' '.repeat(30_000)}`, tag)).toBe(false);
  expect(namesTag(`"x"${' '.repeat(30_000)}y`, tag)).toBe(false);
});
