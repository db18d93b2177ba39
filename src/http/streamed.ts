/**
 * Sends responses longer than about 16 KB as streams. After an await, Bun 1.4 sends each part of
 * each header of such a response separately, which takes five times as long as the body; a stream
 * avoids this. Very long responses are not streamed: it hardly matters for them, and the rest of a
 * stream is lost if the server stops before a slow client has read it.
 */
const streamedMin = 12_000;
const streamedMax = 200_000;

let streamedAt = Number.NEGATIVE_INFINITY;

/** By `performance.now`. */
export function lastStreamedAt(): number {
  return streamedAt;
}

export function streamedIfLong<Body extends string | Uint8Array<ArrayBuffer>>(
  body: Body,
): Body | ReadableStream {
  if (body.length <= streamedMin || body.length >= streamedMax) return body;
  streamedAt = performance.now();
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull: (controller) => {
      controller.write(body);
      controller.close();
    },
  };
  // The DOM types, which pages use, do not have this kind of source.
  return new ReadableStream(source as unknown as UnderlyingDefaultSource);
}
