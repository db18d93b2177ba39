/** ZIP archives for tests. */
import { deflateRawSync } from 'node:zlib';
import { archive, deflated } from '../../simulator/sources/zip.ts';

/** One file, uncompressed. */
export function storedZip(name: string, text: string): Buffer {
  return zip({ [name]: text });
}

/** One file, compressed. */
export function deflatedZip(name: string, data: Uint8Array): Buffer {
  return archive([deflated(name, data)]);
}

/** The same data compressed under several names. */
export function deflatedFiles(names: readonly string[], data: Uint8Array): Buffer {
  const packed = deflateRawSync(data);
  return archive(names.map((name) => ({ name, data, packed, method: 8 as const })));
}

/** Uncompressed files. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  const members = Object.entries(files).map(([name, text]) => {
    const data = Buffer.from(text);
    return { name, data, packed: data, method: 0 as const };
  });
  return archive(members);
}
