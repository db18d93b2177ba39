/** Source files: plain, compressed, archived or from standard input. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { until } from '../../../test/support/until.ts';
import { deflatedZip, storedZip, zip } from '../../../test/support/zip.ts';
import {
  listFiles,
  type OpenOptions,
  openSource,
  openSources,
  SourceFileError,
  sourceBytes,
} from './source-file.work.ts';

/** More than one read of a stream. */
const large = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-source-'));
  writeFileSync(join(folder, 'plain.ndjson'), large);
  writeFileSync(join(folder, 'packed.ndjson.gz'), gzipSync(large));
  writeFileSync(join(folder, 'two.zip'), zip({ 'one.ndjson': 'first', 'sub/two.ndjson': large }));
  mkdirSync(join(folder, 'sub'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Relative name and text of each part. */
async function read(
  name: string,
  stdin: Readable = Readable.from([]),
  given: Pick<OpenOptions, 'wants' | 'unpacking'> = {},
) {
  const found: [name: string, text: string][] = [];
  let bytes = 0;
  const path = name === '-' ? name : join(folder, name);
  const onBytes = (count: number) => {
    bytes += count;
  };
  for await (const part of openSource(path, { stdin, onBytes, ...given })) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.stream) chunks.push(chunk as Buffer);
    found.push([part.name.replace(`${folder}/`, ''), Buffer.concat(chunks).toString()]);
  }
  return { found, bytes };
}

test('a plain file is one part, and every byte is counted', async () => {
  const { found, bytes } = await read('plain.ndjson');
  expect(found).toEqual([['plain.ndjson', large]]);
  expect(bytes).toBe(sourceBytes([join(folder, 'plain.ndjson')]) ?? -1);
});

test('a .gz file is unpacked, and the bytes on the disk are counted', async () => {
  const { found, bytes } = await read('packed.ndjson.gz');
  expect(found).toEqual([['packed.ndjson.gz', large]]);
  expect(bytes).toBe(sourceBytes([join(folder, 'packed.ndjson.gz')]) ?? -1);
});

test('a .zip file has a part for each file inside', async () => {
  expect((await read('two.zip')).found).toEqual([
    ['two.zip/one.ndjson', 'first'],
    ['two.zip/sub/two.ndjson', large],
  ]);
});

test('a dash is standard input, with an unknown size', async () => {
  const { found } = await read('-', Readable.from([Buffer.from('a\n')]));
  expect(found).toEqual([['-', 'a\n']]);
  expect([sourceBytes(['-']), listFiles('-')]).toEqual([null, ['-']]);
});

test('members that systems add, and unwanted ones, are skipped', async () => {
  const names = ['a.csv', 'b.txt', '.hidden', '__MACOSX/a.csv', 'sub/.hidden', 'sub/c.csv'];
  const files = Object.fromEntries(names.map((name) => [name, 'x']));
  writeFileSync(join(folder, 'many.zip'), zip(files));
  const found = async (wants?: (name: string) => boolean) =>
    (await read('many.zip', Readable.from([]), wants && { wants })).found.map(([name]) => name);
  expect(await found()).toEqual(['many.zip/a.csv', 'many.zip/b.txt', 'many.zip/sub/c.csv']);
  expect(await found((name) => name.endsWith('.txt'))).toEqual(['many.zip/b.txt']);
});

test('files of others are unpacked within their limits', async () => {
  const megabyte = 1024 * 1024;
  writeFileSync(join(folder, 'one.gz'), gzipSync('a'.repeat(2 * megabyte)));
  writeFileSync(join(folder, 'three.zip'), zip({ a: 'a', b: 'b', c: 'c' }));
  const limits = { bytesMax: 2 * megabyte, membersMax: 3, signal: new AbortController().signal };
  const unpack = (name: string, given: Partial<typeof limits> = {}) =>
    read(name, Readable.from([]), { unpacking: { ...limits, ...given } });
  expect((await unpack('one.gz')).found[0]?.[1]).toHaveLength(2 * megabyte);
  expect((await unpack('three.zip')).found).toHaveLength(3);
  await expect(unpack('one.gz', { bytesMax: megabyte })).rejects.toThrow(
    'one.gz unpacks to more than 1 MB; split it.',
  );
  await expect(unpack('three.zip', { membersMax: 2 })).rejects.toThrow(
    /three\.zip has more than 2 files inside\.$/,
  );
  await expect(unpack('one.gz', { signal: AbortSignal.abort() })).rejects.toThrow(
    'one.gz takes too long to unpack; split it.',
  );
});

test('up to 64 MB are unpacked at any ratio, and more only from a larger file', async () => {
  const free = 64 * 1024 * 1024;
  const unpackedBytes = async (content: Uint8Array) => {
    writeFileSync(join(folder, 'bomb.gz'), content);
    let bytes = 0;
    const options = { stdin: Readable.from([]), onBytes: () => {} };
    for await (const { stream } of openSource(join(folder, 'bomb.gz'), options)) {
      for await (const chunk of stream) bytes += (chunk as Buffer).length;
    }
    return bytes;
  };
  const zeros = gzipSync(Buffer.alloc(free));
  expect(await unpackedBytes(zeros)).toBe(free);
  const more = Buffer.concat([zeros, gzipSync('a')]);
  await expect(unpackedBytes(more)).rejects.toThrow(
    'unpacks to more than 200 times its size; use another file.',
  );
  // About 1:100.
  const loose = gzipSync(Buffer.alloc(free), { level: 1 });
  expect(await unpackedBytes(Buffer.concat([loose, gzipSync('a')]))).toBe(free + 1);
});

test('missing files and folders are named in the error', async () => {
  const missing = read('none.ndjson');
  await expect(missing).rejects.toThrow(SourceFileError);
  await expect(missing).rejects.toThrow(`There is no file '${folder}/none.ndjson'.`);
  await expect(read('sub')).rejects.toThrow(`'${folder}/sub' is a folder, not a file.`);
});

/** Sets a number in both headers of the archive's only file. */
function marked(offset: number, value: number): Buffer {
  const archive = deflatedZip('one.ndjson', Buffer.from('first'));
  archive.writeUInt16LE(value, offset);
  archive.writeUInt16LE(value, archive.indexOf('PK\x01\x02') + 2 + offset);
  return archive;
}

test.each<[name: string, content: Uint8Array, sentence: string]>([
  ['cut.ndjson.gz', gzipSync(large).subarray(0, 1000), 'cannot be unpacked (unexpected end of'],
  ['no.zip', Buffer.from('not a zip'), 'cannot be unpacked (End of central directory'],
  ['cut.zip', deflatedZip('a', Buffer.from(large)).subarray(0, -30), 'cannot be unpacked ('],
  ['out.zip', storedZip('../x.csv', 'a'), 'cannot be unpacked (invalid relative path: ../x.csv)'],
  ['locked.zip', marked(6, 1), 'one.ndjson is encrypted; pack it without a password.'],
  ['bzip2.zip', marked(8, 12), 'one.ndjson is packed with an unsupported method (12); pack'],
])('%s is rejected with a sentence that names it', async (name, content, sentence) => {
  writeFileSync(join(folder, name), content);
  const reading = read(name);
  await expect(reading).rejects.toThrow(SourceFileError);
  await expect(reading).rejects.toThrow(`${folder}/${name}`);
  await expect(reading).rejects.toThrow(sentence);
});

/** Open descriptors on files of the folder (Linux only). */
const open = () =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(join('/proc/self/fd', name)).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

const telling = test.skipIf(!existsSync('/proc/self/fd'));

telling.each(['first.zip', 'first.ndjson.gz'])(
  '%s is closed when a reader has seen enough, or nothing',
  async (name) => {
    const content = name.endsWith('.gz')
      ? gzipSync(large.repeat(20))
      : zip({ 'a.ndjson': large, 'b.ndjson': large, 'c.ndjson': large });
    writeFileSync(join(folder, name), content);
    const options = { stdin: Readable.from([]), onBytes: () => {} };
    for (let chunks = 0; chunks < 10; chunks++) {
      for await (const { stream } of openSource(join(folder, name), options)) {
        let seen = 0;
        for await (const _ of stream) if (seen++ >= chunks) break;
      }
      // Not even opened.
      for await (const { stream } of openSource(join(folder, name), options)) stream.destroy();
    }
    await until(() => open() === 0);
  },
);

test('broken links, cycles, pipes and subfolders are skipped', () => {
  const place = join(folder, 'mixed');
  mkdirSync(join(place, 'sub'), { recursive: true });
  writeFileSync(join(place, 'a.csv'), 'a');
  symlinkSync('nowhere', join(place, 'b.csv'));
  symlinkSync('c.csv', join(place, 'c.csv'));
  Bun.spawnSync(['mkfifo', join(place, 'd.csv')]);
  expect(listFiles(place)).toEqual([join(place, 'a.csv')]);
  expect(sourceBytes([place])).toBe(1);
});

test('files and folders are read in order, folders filtered by pattern', async () => {
  const place = join(folder, 'many');
  mkdirSync(place);
  for (const name of ['b.csv', 'a.csv', 'c.txt']) writeFileSync(join(place, name), name);
  const paths = [join(folder, 'two.zip'), place, join(place, 'c.txt')];
  const names: string[] = [];
  const options = { stdin: Readable.from([]), onBytes: () => {} };
  for await (const part of openSources(paths, options, /\.csv$/)) {
    names.push(part.name.slice(folder.length + 1));
    part.stream.destroy();
  }
  const inside = ['two.zip/one.ndjson', 'two.zip/sub/two.ndjson'];
  expect(names).toEqual([...inside, 'many/a.csv', 'many/b.csv', 'many/c.txt']);
});

test('a file deleted before it is opened does not end the process', async () => {
  const path = join(folder, 'gone.ndjson');
  const options = { stdin: Readable.from([]), onBytes: () => {} };
  for (let round = 0; round < 20; round++) {
    writeFileSync(path, 'here');
    for await (const { stream } of openSource(path, options)) {
      rmSync(path);
      stream.destroy();
    }
  }
  await Bun.sleep(5);
});
