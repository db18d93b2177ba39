/** Writes the simplest possible .zip: one file, stored or deflated. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A .zip with one uncompressed file. */
export function storedZip(name: string, text: string): Uint8Array {
  const data = Buffer.from(text);
  return zipped(name, data, { method: 0, packed: data });
}

/** A .zip with one compressed file. */
export function deflatedZip(name: string, data: Uint8Array): Uint8Array {
  return zipped(name, data, { method: 8, packed: deflateRawSync(data) });
}

function zipped(
  name: string,
  data: Uint8Array,
  { method, packed }: { readonly method: number; readonly packed: Uint8Array },
): Uint8Array {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
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
