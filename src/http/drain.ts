/** Stops a server without dropping requests that are already on their way. */
import { lastStreamedAt } from './streamed.ts';

/** A proxy sends this header if it can use another node. */
export const anotherNodeHeader = 'Brickmark-Another-Node';

/** The maximum time to answer requests once new connections are refused. */
const usualDrainMs = 8_000;

/** How long open connections are announced as closing before new ones are refused. */
const noticeMs = 100;

/** A client that takes longer than this to read a streamed response may lose its end. */
const streamMs = 2_000;

/** After this time without requests, all clients know that their connection is closing. */
const quietMs = 200;

const checkMs = 20;

/** Asks clients to reconnect, and waits until they are gone. */
export class Drain {
  /** Whether clients should use another node. */
  isLeaving = false;
  isEnding = false;
  private lastAskedAt = 0;

  constructor(private readonly drainMs = usualDrainMs) {}

  /**
   * Sends a proxy to another node before anything is done or charged, because it may never check
   * /readyz. Null: answer the request here.
   */
  turnAway(request: Request): Response | null {
    if (!this.isLeaving || !request.headers.has(anotherNodeHeader)) return null;
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return new Response('{"status":"draining"}', { status: 503, headers });
  }

  /** Marks a response as the last on its connection, and buffers it instead of streaming. */
  async last(answer: Response | Promise<Response>): Promise<Response> {
    this.lastAskedAt = performance.now();
    const { status, headers, body } = await answer;
    headers.set('Connection', 'close');
    return new Response(body && (await new Response(body).bytes()), { status, headers });
  }

  /**
   * Stops accepting connections, and answers what still arrives on open ones: a request in transit
   * would be lost otherwise. Before that, it continues as usual for as long as checks of /readyz
   * take to notice.
   */
  async end(
    server: Bun.Server<undefined>,
    { leavingMs, endStreams }: { readonly leavingMs: number; endStreams(): void },
  ): Promise<void> {
    this.isLeaving = true;
    if (leavingMs > 0) await Bun.sleep(leavingMs);
    this.isEnding = true;
    // By now, clients of streams can find another node.
    endStreams();
    // Clients must first learn that connections close: stopping closes idle connections, and a
    // request may be in transit. Bun also drops the rest of a stream then, but the last one has
    // been sent by now.
    const streamedUntil = lastStreamedAt() + streamMs;
    await Bun.sleep(Math.max(noticeMs, streamedUntil - performance.now()));
    const stopped = server.stop();
    const stoppedAt = performance.now();
    this.lastAskedAt = stoppedAt;
    while (performance.now() - stoppedAt < this.drainMs) {
      const isQuiet = performance.now() - this.lastAskedAt > quietMs;
      if (isQuiet && server.pendingRequests === 0) break;
      await Bun.sleep(checkMs);
    }
    // A slow client does not keep the server from stopping.
    await Promise.race([stopped, server.stop(true)]);
  }
}
