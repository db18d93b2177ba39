/** Archives of texts, for tests. */
import { deflateRawSync } from 'node:zlib';
import { archive, deflated } from '../../src/simulate/sources/zip.ts';

/** An archive with one file that is stored as it is. */
export function storedZip(name: string, text: string): Buffer {
  return zip({ [name]: text });
}

/** An archive with one file that is compressed. */
export function deflatedZip(name: string, data: Uint8Array): Buffer {
  return archive([deflated(name, data)]);
}

/** An archive with the same data compressed under each of these names. */
export function deflatedFiles(names: readonly string[], data: Uint8Array): Buffer {
  const packed = deflateRawSync(data);
  return archive(names.map((name) => ({ name, data, packed, method: 8 as const })));
}

/** An archive of files that are stored as they are. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  const members = Object.entries(files).map(([name, text]) => {
    const data = Buffer.from(text);
    return { name, data, packed: data, method: 0 as const };
  });
  return archive(members);
}
