/** The JSON and the cost of work. */
import { expect, test } from 'bun:test';
import { allEndpoints } from '../contract/all-endpoints.ts';
import { AnswerData } from './answer-data.ts';
import { type Answer, costOf, jsonOf } from './handler.ts';

test.each<[Answer, string | null]>([
  [new AnswerData('[]'), '[]'],
  [new AnswerData(['[', ']']), '[]'],
  [{ missing: 'none' }, null],
  [{ headers: {}, start: () => '', release: () => {} }, null],
])('the JSON of %j is %p', (answer, json) => {
  expect(jsonOf(answer)).toBe(json);
});

test('work costs what it says, otherwise one call, or none', () => {
  const work = { read: async () => new AnswerData('{}') };
  expect(costOf(allEndpoints.getUsage, work)).toBe(0);
  expect(costOf(allEndpoints.getSet, work)).toBe(1);
  expect(costOf(allEndpoints.getBatch, { ...work, cost: 7 })).toBe(7);
  expect(costOf(allEndpoints.getBulkFile, { ...work, cost: 0 })).toBe(0);
});
