/** Reads bodies of requests and responses, with limits on size and time. */
import type { Arriving } from './slots.ts';

export interface BodyLimits {
  readonly bytesMax: number;
  /** Without it, the connection's timeout applies. */
  readonly arrival?: {
    readonly msMax: number;
    /** A slow body is aborted earlier: after this time, `trickleBytesMin` must have arrived. */
    readonly trickleMs: number;
    readonly trickleBytesMin: number;
  };
  /** The slot that it takes while it arrives. */
  readonly arriving?: Pick<Arriving, 'note' | 'signal'> | undefined;
}

export class BodyError extends Error {
  constructor(readonly reason: 'too large' | 'too slow' | 'cut short') {
    super(`A body was ${reason}.`);
  }
}

/**
 * Throws a `BodyError` if a limit is exceeded. A body of up to twice its limit is read to its end
 * all the same: if a connection is closed with unread bytes, proxies may lose the answer.
 */
export async function readBounded(
  message: Request | Response,
  { bytesMax, arrival, arriving }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const readMax = 2 * bytesMax;
  const stated = message.headers.get('Content-Length');
  if (Number(stated) > readMax) throw new BodyError('too large');
  // A request is no larger than stated, so it needs no counting. A response may be compressed.
  const isBounded = message instanceof Request && stated !== null && Number(stated) <= bytesMax;
  if (isBounded && !arrival) return readWhole(message);
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = message.body?.getReader();
  const giveUp = () => reader?.cancel().catch(() => {});
  let isLate = false;
  const endLate = () => {
    isLate = true;
    giveUp();
  };
  const endTrickle = () => {
    if (size < (arrival?.trickleBytesMin ?? 0)) endLate();
  };
  const timers = arrival
    ? [setTimeout(endLate, arrival.msMax), setTimeout(endTrickle, arrival.trickleMs)]
    : [];
  arriving?.signal.addEventListener('abort', endLate);
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      size += next.value.length;
      arriving?.note(next.value.length);
      if (size > readMax) throw new BodyError('too large');
      if (size <= bytesMax) parts.push(next.value);
    }
  } catch (error) {
    await giveUp();
    throw error instanceof BodyError ? error : new BodyError('cut short');
  } finally {
    for (const timer of timers) clearTimeout(timer);
    arriving?.signal.removeEventListener('abort', endLate);
  }
  if (isLate) throw new BodyError('too slow');
  if (size > bytesMax) throw new BodyError('too large');
  return joined(parts, size);
}

async function readWhole(message: Request): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await message.arrayBuffer());
  } catch {
    throw new BodyError('cut short');
  }
}

const refusedBody: BodyLimits = {
  bytesMax: 128 * 1024,
  arrival: { msMax: 2000, trickleMs: 2000, trickleBytesMin: 0 },
};

/**
 * Reads what is left of the body of a refused request if its connection closes after the answer,
 * for the same reason.
 */
export async function discardBody(request: Request): Promise<void> {
  const isLast = request.headers.get('Connection')?.toLowerCase() === 'close';
  if (!isLast || request.bodyUsed || !request.body) return;
  await readBounded(request, refusedBody).catch(() => {});
}

/** In a separate buffer, without other bytes. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
