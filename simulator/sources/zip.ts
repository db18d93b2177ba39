/** Writes .zip archives. */
import { deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly data: Uint8Array;
  /** As stored in the archive. */
  readonly packed: Uint8Array;
  /** 0 stored, 8 deflated. */
  readonly method: 0 | 8;
}

export function deflated(name: string, data: Uint8Array): ZipMember {
  return { name, data, packed: deflateRawSync(data), method: 8 };
}

export function archive(members: readonly ZipMember[]): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, data, packed, method } of members) {
    const path = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(Bun.hash.crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04'), facts, path, packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, place, path);
    offset += 30 + path.length + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}
