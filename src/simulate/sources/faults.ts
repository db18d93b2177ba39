/** What goes wrong at real sources, at random but repeatably, in front of any simulated one. */
import { Random } from '../random.ts';

/** A simulated source: answers requests as the real one would. */
export type SourceHandler = (request: Request) => Response | Promise<Response>;

/** The faults that there are. */
export const faultKinds = [
  /** Nothing comes, for as long as the caller waits. */
  'silence',
  /** 429 with a `Retry-After`, in seconds or as a date. */
  'busy',
  /** 500, 502 or 503, with a page for browsers. */
  'failure',
  /** The answer breaks off in the middle. */
  'half',
  /** 200, with something that is not what was asked for. */
  'nonsense',
  /** The right answer, late. */
  'slow',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** How often which fault happens. */
export interface FaultOptions {
  readonly seed: number;
  /** Names the source, so that each has faults of its own. */
  readonly source: string;
  /** The share of requests with each fault; together at most 1. */
  readonly shares: Readonly<Partial<Record<FaultKind, number>>>;
  readonly clock: () => number;
  /** How long it asks to be left alone. */
  readonly retryAfterSeconds?: number;
  /** How much too late a slow answer is. */
  readonly slowMs?: number;
  /** Is told of every request, and the fault that it met. */
  onRequest?(request: Request, fault: FaultKind | null): void;
}

/** The source with faults. */
export function withFaults(source: SourceHandler, options: FaultOptions): SourceHandler {
  const random = new Random(options.seed, 'faults', options.source);
  return async (request) => {
    const fault = drawFault(random, options.shares);
    options.onRequest?.(request, fault);
    return fault === null ? source(request) : faulty[fault](source, request, { random, options });
  };
}

function drawFault(random: Random, shares: FaultOptions['shares']): FaultKind | null {
  let left = random.fraction();
  for (const kind of faultKinds) {
    left -= shares[kind] ?? 0;
    if (left < 0) return kind;
  }
  return null;
}

interface FaultContext {
  readonly random: Random;
  readonly options: FaultOptions;
}

type Faulty = (source: SourceHandler, request: Request, context: FaultContext) => Promise<Response>;

/** What is not answered, or only in part, has reached the source all the same. */
const faulty: Readonly<Record<FaultKind, Faulty>> = {
  silence: async (source, request) => {
    await source(request);
    await aborted(request.signal);
    return new Response(null, { status: 504 });
  },
  busy: async (_source, _request, { random, options }) => {
    const seconds = options.retryAfterSeconds ?? 30;
    const until = new Date(options.clock() + seconds * 1000).toUTCString();
    const headers = { 'Retry-After': random.chance(0.5) ? String(seconds) : until };
    return new Response('Too many requests', { status: 429, headers });
  },
  failure: async (_source, _request, { random }) =>
    new Response('<html><body>Something went wrong</body></html>', {
      status: random.pick([500, 502, 503]),
      headers: { 'Content-Type': 'text/html' },
    }),
  half: async (source, request) => half(await source(request)),
  nonsense: async (source, request, { random }) => {
    const { headers } = await source(request);
    const type = headers.get('Content-Type') ?? 'application/json';
    const body = random.pick(['{"data": [', '<html>Maintenance</html>', '']);
    return new Response(body, { headers: { 'Content-Type': type } });
  },
  slow: async (source, request, { options }) => {
    await Promise.race([Bun.sleep(options.slowMs ?? 200), aborted(request.signal)]);
    return source(request);
  },
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The first half of an answer, after which the connection breaks. */
async function half(response: Response): Promise<Response> {
  const bytes = await response.bytes();
  const { status, headers } = response;
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isSent) controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      // Without a reason: a server would report one as its own fault.
      else controller.error();
      isSent = true;
    },
  });
  // A 304 has no body that could break off.
  return status === 304
    ? new Response(null, { status, headers })
    : new Response(body, { status, headers });
}
