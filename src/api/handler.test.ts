/** The JSON and the cost of work. */
import { expect, test } from 'bun:test';
import { allEndpoints, type EndpointName } from '../contract/all-endpoints.ts';
import { AnswerData } from './answer-data.ts';
import { type Answer, costOf, jsonOf } from './handler.ts';

test.each<[Answer, string | null]>([
  ['{}', '{}'],
  [new AnswerData('[]'), '[]'],
  [{ missing: 'none' }, null],
  [{ headers: {}, start: () => '', release: () => {} }, null],
])('the JSON of %j is %p', (answer, json) => {
  expect(jsonOf(answer)).toBe(json);
});

test.each<[EndpointName, number]>([
  ['getUsage', 0],
  ['getSet', 1],
  ['getBatch', 7],
  ['getBulkFile', 25],
  ['listSets', 25],
])('%s costs %i', (name, cost) => {
  const work = { read: async () => '{}', items: 7, cost: 25 };
  expect(costOf(allEndpoints[name], work)).toBe(cost);
});
