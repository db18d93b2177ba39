/**
 * Sends responses longer than about 16 KB as streams. After an await, Bun 1.4 sends each part of
 * each header of such a response separately, which takes five times as long as the body; a stream
 * avoids this. Very long responses are not streamed: it hardly matters for them, and the rest of a
 * stream is lost if the server stops before a slow client has read it.
 */
import { encoded, joined, lengthOf, type TextParts } from './text-parts.ts';

const streamedMin = 12_000;
const streamedMax = 200_000;

let streamedAt = Number.NEGATIVE_INFINITY;

/** By `performance.now`. */
export function lastStreamedAt(): number {
  return streamedAt;
}

export function streamedIfLong(
  body: TextParts | Uint8Array<ArrayBuffer>,
): string | Uint8Array<ArrayBuffer> | ReadableStream {
  const isText = !(body instanceof Uint8Array);
  const length = isText ? lengthOf(body) : body.length;
  if (length <= streamedMin || length >= streamedMax) return isText ? joined(body) : body;
  streamedAt = performance.now();
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull: (controller) => {
      // Bun sends the bytes or copies them before it returns.
      controller.write(isText ? encoded(body) : body);
      controller.close();
    },
  };
  // The DOM types, which pages use, do not have this kind of source.
  return new ReadableStream(source as unknown as UnderlyingDefaultSource);
}
