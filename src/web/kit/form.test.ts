/** Reading forms within limits, whatever their header. */
import { expect, test } from 'bun:test';
import { FormError, readForm } from './form.ts';

const boundary = 'abcdefgh';

function partsOf(count: number): string {
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="f"\r\n\r\nv\r\n`;
  return `${part.repeat(count)}--${boundary}--\r\n`;
}

/** The field `f` of a form, or why it was rejected. */
async function sent(type: string, body: BodyInit): Promise<string> {
  const headers = { 'Content-Type': type };
  const request = new Request('http://a/', { method: 'POST', headers, body });
  try {
    return (await readForm(request, true)).text('f');
  } catch (error) {
    if (error instanceof FormError) return `${error.status} ${error.message}`;
    throw error;
  }
}

const plain = [
  `multipart/form-data; boundary=${boundary}`,
  `multipart/form-data; Boundary=${boundary}`,
  `Multipart/Form-Data;boundary=${boundary}`,
  `multipart/form-data; boundary="${boundary}"`,
];

/** Parsers disagree about the boundary in these headers. */
const odd = [
  `multipart/form-data; xboundary=zzz; boundary=${boundary}`,
  `multipart/form-data; x="boundary=zzz"; boundary=${boundary}`,
  `multipart/form-data; x='; boundary=zzz'; boundary=${boundary}`,
  `multipart/form-data; boundary=zzz; boundary=${boundary}`,
  `multipart/form-data; boundary=${boundary}; boundary=zzz`,
  `multipart/form-data; boundary*=utf-8''${boundary}`,
  'multipart/form-data; boundary*0=abcd; boundary*1=efgh',
  'multipart/form-data; boundary="abcd\\efgh"',
  `multipart/form-data; boundary="${boundary}`,
  `multipart/form-data; boundary=${boundary}, text/plain`,
  `multipart/form-data; boundary = ${boundary}`,
  `multipart/form-data; charset=utf-8; boundary=${boundary}`,
  `multipart/form-data; boundary=${'a'.repeat(71)}`,
  'multipart/form-data; boundary=',
  'multipart/form-data',
  'application/x-www-form-urlencoded; boundary=abcdefgh',
  'application/x-www-form-urlencodedd',
];

test.each(plain)('%s is accepted, and rejected with too many parts', async (type) => {
  expect(await sent(type, partsOf(50))).toBe('v');
  expect(await sent(type, partsOf(51))).toBe('413 The form has more than 50 parts.');
});

test.each(odd)('%s is not a form', async (type) => {
  expect(await sent(type, partsOf(1))).toBe('400 This is not a form.');
});

test('a hundred thousand parts are rejected without allocating memory for them', async () => {
  const body = Buffer.from(partsOf(100_000));
  for (const type of [...plain, ...odd]) await sent(type, body);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (const type of [...plain, ...odd]) expect(await sent(type, body)).toMatch(/^4\d\d /);
  Bun.gc(true);
  // Parsing one would take 30 MB.
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
});

test('the number of fields of a form without files is limited', async () => {
  const fields = (count: number) => 'f=v&'.repeat(count - 1).concat('f=v');
  for (const charset of ['', ';charset=UTF-8', '; charset=utf-8']) {
    const type = `application/x-www-form-urlencoded${charset}`;
    expect(await sent(type, fields(500))).toBe('v');
    expect(await sent(type, fields(501))).toBe('413 The form has more than 500 fields.');
  }
});
