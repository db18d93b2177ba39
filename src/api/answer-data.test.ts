/** Entity tags: computed from the bytes, and compared by the rules of HTTP. */
import { expect, test } from 'bun:test';
import { AnswerData, namesTag, roomOf } from './answer-data.ts';

const { tag } = new AnswerData('{"a":1}');

test('a tag is weak, quoted, and depends only on the bytes', () => {
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
  // Not the tag: without quotes, with a lower-case `w`, with a suffix, or inside another tag.
  [tag.slice(3, -1), false],
  [tag.replace('W', 'w'), false],
  [`${tag}x`, false],
  [`"${tag.slice(3)}`.replace('"', '" "'), false],
  ['**', false],
  ['*, "x"', false],
])('If-None-Match %j matches the tag: %p', (header, isNamed) => {
  expect(namesTag(header, tag)).toBe(isNamed);
});

test('a long list of tags is parsed in linear time', () => {
  const long = Array.from({ length: 1_000 }, (_, index) => `W/"${index}"`).join(' , ');
  expect(namesTag(`${long}, ${tag}`, tag)).toBe(true);
  expect(namesTag(`"x${' '.repeat(30_000)}`, tag)).toBe(false);
  expect(namesTag(`"x"${' '.repeat(30_000)}y`, tag)).toBe(false);
});

test('the size in memory counts the data and its tag', () => {
  expect(roomOf(new AnswerData('12345'))).toBe(65);
});
