/**
 * Once an answer was waited for and is longer than about 16 KB, Bun 1.4 sends every piece of every
 * header on its own, which takes five times as long as the answer. As a stream it leaves at once.
 * Very long ones, with which that hardly matters, stay as they are: what a slow client has not
 * taken yet of a stream is lost when the server is told to stop.
 */
const streamedMin = 12_000;
const streamedMax = 200_000;

let streamedAt = Number.NEGATIVE_INFINITY;

/** When an answer last left as a stream, by `performance.now`. */
export function lastStreamedAt(): number {
  return streamedAt;
}

/** The body of an answer, as a stream where that is faster. */
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
  // The types of browsers, which pages are written with, do not know this kind.
  return new ReadableStream(source as unknown as UnderlyingDefaultSource);
}
