/** Text that may be in parts, so that long text is encoded without being joined first. */
export type TextParts = string | readonly string[];

export function lengthOf(text: TextParts): number {
  if (typeof text === 'string') return text.length;
  let length = 0;
  for (const part of text) length += part.length;
  return length;
}

export function joined(text: TextParts): string {
  return typeof text === 'string' ? text : text.join('');
}

/** The maximum number of bytes of UTF-8 per character of a string. */
const bytesPerCharacter = 3;

let room = Buffer.allocUnsafeSlow(0);

/** As UTF-8. The bytes are only valid until the next call. */
export function encoded(text: TextParts): Uint8Array {
  const most = lengthOf(text) * bytesPerCharacter;
  // Allocating for each text takes as long as encoding it.
  if (room.length < most) room = Buffer.allocUnsafeSlow(most);
  let length = 0;
  for (const part of typeof text === 'string' ? [text] : text) length += room.write(part, length);
  return room.subarray(0, length);
}
