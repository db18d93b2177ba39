/** Writes the simplest possible .zip: one stored file. */
import { crc32 } from 'node:zlib';

/** A .zip with one uncompressed file. */
export function storedZip(name: string, text: string): Uint8Array {
  const data = Buffer.from(text);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
  const tail = Buffer.alloc(14);
  const made = Buffer.from([20, 0]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, tail, Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end]);
}
