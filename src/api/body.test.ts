/** Bodies that are refused, and their messages. */
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

async function refusalOf(request: Request): Promise<string> {
  const error = await readBody(request).catch((thrown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('The body was taken.');
  return `${error.code}: ${error.message}`;
}

test('JSON is accepted in any spelling of its type, up to the limit', async () => {
  for (const type of ['application/json', 'Application/JSON ; charset=utf-8']) {
    expect(await readBody(requestOf('{"a":"ü"}', type))).toBe('{"a":"ü"}');
  }
  const whole = 'a'.repeat(bodyBytesMax);
  expect(await readBody(requestOf(whole))).toBe(whole);
});

test('another type, or none, is refused', async () => {
  const refusal = 'BadRequest: The header Content-Type must be application/json; got';
  expect(await refusalOf(requestOf('{}', 'Text/json;x'))).toBe(`${refusal} 'text/json'.`);
  expect(await refusalOf(requestOf(new Uint8Array([123, 125]), null))).toBe(`${refusal} none.`);
});

test('a compressed body is refused by its header', async () => {
  const coded = (coding: string) => {
    const request = requestOf('{}');
    request.headers.set('Content-Encoding', coding);
    return request;
  };
  expect(await readBody(coded('identity'))).toBe('{}');
  expect(await refusalOf(coded(' GZIP '))).toBe(
    'BadRequest: The header Content-Encoding must be absent: send the body uncompressed; ' +
      "got 'gzip'.",
  );
});

test('a body that is too large, incomplete or not UTF-8 has its own message', async () => {
  const large = requestOf('a'.repeat(bodyBytesMax + 1));
  const refusal = `BadRequest: The body must have at most ${bodyBytesMax} bytes`;
  expect(await refusalOf(large)).toBe(`${refusal}.`);
  const stated = requestOf('a');
  stated.headers.set('Content-Length', '140000');
  expect(await refusalOf(stated)).toBe(`${refusal}; got 140000.`);
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  expect(await refusalOf(requestOf(cut))).toBe(
    'BadRequest: The body is incomplete; send all of it.',
  );
  const noText = (byte: number) =>
    `BadRequest: The body is not valid UTF-8 at byte ${byte}; send it as UTF-8.`;
  expect(await refusalOf(requestOf(new Uint8Array([0xff])))).toBe(noText(1));
  expect(await refusalOf(requestOf(new Uint8Array([0xff, 0x7b, 0x7d])))).toBe(noText(1));
  expect(await refusalOf(requestOf(new Uint8Array([0x7b, 0xc3, 0xa9, 0xed, 0xa0])))).toBe(
    noText(5),
  );
  expect(await refusalOf(requestOf(new Uint8Array([0x7b, 0xc3])))).toBe(noText(2));
});
