/** Injects random but reproducible faults into simulated sources. */
import { Random } from '../market/random.ts';

export type SourceHandler = (request: Request) => Response | Promise<Response>;

export const faultKinds = [
  /** Never responds. */
  'silence',
  /** 429 with a `Retry-After`, in seconds or as a date. */
  'busy',
  /** 500, 502 or 503, with an HTML page. */
  'failure',
  /** The response is cut off. */
  'half',
  /** 200 with unrelated content. */
  'nonsense',
  /** The right response, late. */
  'slow',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultOptions {
  readonly seed: number;
  /** Seeds the faults of this source. */
  readonly source: string;
  /** Share of requests with each fault, at most 1 in total. */
  readonly shares: Readonly<Partial<Record<FaultKind, number>>>;
  readonly clock: () => number;
  readonly retryAfterSeconds?: number;
  readonly slowMs?: number;
  onRequest?(request: Request, fault: FaultKind | null): void;
}

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

/** All requests but those of `busy` and `failure` reach the source. */
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

/** Breaks the connection after half of the body. */
async function half(response: Response): Promise<Response> {
  const bytes = await response.bytes();
  const { status, headers } = response;
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isSent) controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      // Without a reason, which the server would report as its own error.
      else controller.error();
      isSent = true;
    },
  });
  // A 304 has no body.
  return status === 304
    ? new Response(null, { status, headers })
    : new Response(body, { status, headers });
}
