/** Files that are packed together keep their names, as far as they differ. */
import { expect, test } from 'bun:test';
import { fromBuffer, type ZipFile } from 'yauzl';
import { zipFiles } from './zip-files.ts';

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), {}, (error, opened) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const names: string[] = [];
  await new Promise((resolve) => {
    zip.on('entry', ({ fileName }: { fileName: string }) => names.push(fileName));
    zip.on('end', resolve);
  });
  return names;
}

test.each([
  [
    ['a.csv', 'b.csv'],
    ['a.csv', 'b.csv'],
  ],
  [
    ['a.csv', 'a.csv', 'a.csv'],
    ['a.csv', '2-a.csv', '3-a.csv'],
  ],
  [
    ['3-a.csv', 'a.csv', 'a.csv', 'a.csv'],
    ['3-a.csv', 'a.csv', '2-a.csv', '4-a.csv'],
  ],
  [
    ['a.csv', 'a.csv', '2-a.csv'],
    ['a.csv', '2-a.csv', '2-2-a.csv'],
  ],
])('files %j are packed as %j', async (given, packed) => {
  const files = given.map((name) => ({ name, bytes: Buffer.from(name) }));
  expect(await namesIn(await zipFiles(files))).toEqual(packed);
});
