/** The data that a handler answers with. */
import { type Answer, jsonOf } from '../../src/api/handler.ts';

export function dataIn(answer: Answer) {
  return JSON.parse(jsonOf(answer) ?? 'null');
}
