/** Limits of bodies in size and time, and their errors. */
import { describe, expect, jest, test } from 'bun:test';
import { type BodyLimits, discardBody, readBounded } from './bounded-body.ts';

/** A body that arrives in these pieces; with `isOpen`, it never ends. */
function bodyOf(pieces: readonly string[], { isOpen = false, onCancel = () => {} } = {}) {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = left.shift();
        if (piece) controller.enqueue(piece);
        else if (!isOpen) controller.close();
        else return new Promise(() => {});
      },
      cancel: onCancel,
    }),
  );
}

/** The body, or why it was not read. */
async function readOf(message: Response, limits: BodyLimits): Promise<string> {
  try {
    return new TextDecoder().decode(await readBounded(message, limits));
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a body', () => {
  test('may be as large as its limit, and no larger', async () => {
    expect(await readOf(bodyOf(['ab', '', 'cde']), { bytesMax: 5 })).toBe('abcde');
    expect(await readOf(bodyOf(['ab', 'cde']), { bytesMax: 4 })).toBe('A body was too large.');
    expect(await readOf(new Response(null), { bytesMax: 4 })).toBe('');
  });

  test('that declares more than twice its limit is not read at all', async () => {
    const saying = (length: string) =>
      new Response('abc', { headers: { 'Content-Length': length } });
    expect(await readOf(saying('10'), { bytesMax: 5 })).toBe('abc');
    const large = saying('11');
    expect(await readOf(large, { bytesMax: 5 })).toBe('A body was too large.');
    expect(large.bodyUsed).toBe(false);
  });

  test('of up to twice its limit is refused once it has arrived', async () => {
    let isCancelled = false;
    const onCancel = () => {
      isCancelled = true;
    };
    const twice = bodyOf(['abcdef', 'ghij'], { onCancel });
    expect(await readOf(twice, { bytesMax: 5 })).toBe('A body was too large.');
    expect(isCancelled).toBe(false);
  });

  test('that was read or refused is not awaited', async () => {
    jest.useFakeTimers();
    const arrival = { msMax: 60_000, trickleMs: 10_000, trickleBytesMin: 1 };
    await readOf(bodyOf(['ab']), { bytesMax: 5, arrival });
    await readOf(bodyOf(['abcdef']), { bytesMax: 5, arrival });
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  test('has its own buffer, without other bytes', async () => {
    const bytes = await readBounded(bodyOf(['ab', 'c']), { bytesMax: 10 });
    expect(bytes.buffer.byteLength).toBe(3);
  });

  test('that fails is incomplete; the rest of a large one is not read', async () => {
    const failing = new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new Error('gone')),
      }),
    );
    expect(await readOf(failing, { bytesMax: 5 })).toBe('A body was cut short.');
    let isCancelled = false;
    const onCancel = () => {
      isCancelled = true;
    };
    await readOf(bodyOf(['abcdef', 'ghijk'], { isOpen: true, onCancel }), { bytesMax: 5 });
    expect(isCancelled).toBe(true);
  });
});

describe('the body of a refused request', () => {
  const requestOf = (connection: string, body: string | null = 'abc') =>
    new Request('http://x/', { method: 'POST', headers: { Connection: connection }, body });

  test('is read if its connection closes after the answer', async () => {
    const closing = requestOf('Close');
    await discardBody(closing);
    expect(closing.bodyUsed).toBe(true);
    const kept = requestOf('keep-alive');
    await discardBody(kept);
    expect(kept.bodyUsed).toBe(false);
  });

  test('may be missing, read already or endless', async () => {
    await discardBody(requestOf('close', null));
    const read = requestOf('close');
    await read.text();
    await discardBody(read);
    const large = requestOf('close', 'x'.repeat(256 * 1024 + 1));
    await discardBody(large);
    expect(large.bodyUsed).toBe(true);
  });
});

describe('a body that does not end', () => {
  const never = 60_000;

  test('times out', async () => {
    const arrival = { msMax: 20, trickleMs: never, trickleBytesMin: 0 };
    const read = readOf(bodyOf(['abc'], { isOpen: true }), { bytesMax: 5, arrival });
    expect(await read).toBe('A body was too slow.');
  });

  test('times out earlier if it is slow, and not if enough of it has arrived', async () => {
    const reading = (trickleBytesMin: number, msMax: number) => {
      const startedAt = performance.now();
      const arrival = { msMax, trickleMs: 10, trickleBytesMin };
      return readOf(bodyOf(['abc'], { isOpen: true }), { bytesMax: 5, arrival }).then((said) => ({
        said,
        ms: performance.now() - startedAt,
      }));
    };
    expect(await reading(4, never)).toMatchObject({ said: 'A body was too slow.' });
    const enough = await reading(3, 150);
    expect(enough.said).toBe('A body was too slow.');
    expect(enough.ms).toBeGreaterThan(100);
  });
});
