/** Reads a body as it arrives, in chunks or lines. */
import type { Connection, Transport } from './transport.ts';

/** The bytes of a response. Too long a silence counts as a lost connection. */
export async function* bytesOf(
  transport: Transport,
  { response, deadline }: Connection,
  silenceMsMax: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      deadline.within(silenceMsMax);
      const read = await reader?.read();
      if (!read || read.done) return;
      // The time that the reader takes does not count.
      deadline.withoutLimit();
      yield read.value;
    }
  } catch (error) {
    throw transport.faultOf(error, deadline);
  } finally {
    deadline.clear();
    await reader?.cancel().catch(() => undefined);
  }
}

/** Lines of UTF-8 without line ends; an incomplete last line is dropped. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

export async function* unzipped(
  bytes: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  const zipped = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
  const reader = zipped.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
