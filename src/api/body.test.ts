/** Bodies that are not taken, and what is said of them. */
import { expect, test } from 'bun:test';
import { ApiError } from '../contract/errors.ts';
import { bodyBytesMax } from '../contract/limits.ts';
import { readBody } from './body.ts';

const requestOf = (body: BodyInit, type: string | null = 'application/json') =>
  new Request('http://x/', {
    method: 'POST',
    body,
    headers: type === null ? {} : { 'Content-Type': type },
  });

/** What is said of a body that is not taken. */
async function refusalOf(request: Request): Promise<string> {
  const error = await readBody(request).catch((thrown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('The body was taken.');
  return `${error.code}: ${error.message}`;
}

test('JSON is taken, however its type is spelled, and up to the limit', async () => {
  for (const type of ['application/json', 'Application/JSON ; charset=utf-8']) {
    expect(await readBody(requestOf('{"a":"ü"}', type))).toBe('{"a":"ü"}');
  }
  const whole = 'a'.repeat(bodyBytesMax);
  expect(await readBody(requestOf(whole))).toBe(whole);
});

test('another type is refused, and so is none', async () => {
  const refusal = "BadRequest: Send the body as JSON, with 'Content-Type: application/json'.";
  expect(await refusalOf(requestOf('{}', 'text/json'))).toBe(refusal);
  expect(await refusalOf(requestOf(new Uint8Array([123, 125]), null))).toBe(refusal);
});

test('a body that is too large, cut short or not UTF-8 is told apart', async () => {
  expect(await refusalOf(requestOf('a'.repeat(bodyBytesMax + 1)))).toBe(
    `BadRequest: The body is larger than ${bodyBytesMax} bytes.`,
  );
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  expect(await refusalOf(requestOf(cut))).toBe('BadRequest: The body was cut short.');
  expect(await refusalOf(requestOf(new Uint8Array([0xff])))).toBe(
    'BadRequest: The body is not valid UTF-8.',
  );
});
