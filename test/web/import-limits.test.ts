/** Files that would exhaust the machine are rejected while they are read. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hiddenFields, startOwnerSite } from '../support/owner-pages.ts';
import { type Fields, type Site, sendFile, textOf, type Visitor } from '../support/site.ts';
import { deflatedFiles } from '../support/zip.ts';

let site: Site;
let ann: Visitor;

beforeAll(async () => {
  ({ site, ann } = await startOwnerSite());
});

afterAll(() => site.close());

const path = '/inventory/import';

/** Uploads a file for a preview. */
const send = (fields: Fields, file?: File) =>
  sendFile(site, { visitor: ann, action: path, fields, file });

test('oversized files are rejected by their size, members or parts', async () => {
  const fields = hiddenFields((await ann.get(path)).html);
  // Blank JSON is the format that is read fastest.
  const blank = Buffer.from(`[${' '.repeat(10 * 1024 * 1024)}]`);
  const names = (count: number) => Array.from({ length: count }, (_, at) => `file ${at}`);
  for (const [zip, fault] of [
    [deflatedFiles(names(7), blank), 'unpacks to more than 64 MB'],
    [deflatedFiles(names(21), Buffer.from('Number\n')), 'more than 20 files inside'],
  ] as const) {
    const file = new File([new Uint8Array(zip)], 'mine.zip');
    const sent = await send(fields, file);
    const seen = await ann.get(sent.goTo ?? '');
    expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(fault)]);
  }
  const many = Object.fromEntries(names(60).map((name) => [name, '']));
  const seen = await send({ ...fields, ...many });
  expect([seen.status, textOf(seen.html)]).toEqual([413, expect.stringContaining('than 50 parts')]);
  const large = await send(fields, new File(['x'.repeat(7 * 1024 * 1024)], 'mine.csv'));
  expect(large.status).toBe(413);
});

test('there were no failures', () => {
  expect(site.world.failures).toEqual([]);
});
