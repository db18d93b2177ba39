/** The demo command beside what is no demo; test/process/executable.test.ts makes one. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

test('a store that is not a demo is left alone', async () => {
  const other = join(place.folder, 'other');
  await place.json(['account', 'add', 'a@example.com', '--data', other]);
  const { status, stderr } = await place.start(['demo', '--port', '0', '--data', other]);
  expect(status).toBe(1);
  expect(stderr).toContain('is not a demo');
});
