/** Ends a server without dropping a request that was already on its way. */
import { lastStreamedAt } from './streamed.ts';

/** With this header a proxy says that it can ask another node. */
export const anotherNodeHeader = 'Brickmark-Another-Node';

/** How long the server goes on answering at the most once new connections are refused. */
const usualDrainMs = 8_000;

/** How long open connections are told that they end before new ones are refused. */
const noticeMs = 100;

/** A client that takes longer than this to read a streamed answer may lose the end of it. */
const streamMs = 2_000;

/** Nothing was asked for this long: every client has read that its connection ends. */
const quietMs = 200;

const checkMs = 20;

/** Tells clients to come back over another connection, and waits until they have all gone. */
export class Drain {
  /** Whether whoever sends requests here had better send them elsewhere. */
  isLeaving = false;
  isEnding = false;
  private lastAskedAt = 0;

  constructor(private readonly drainMs = usualDrainMs) {}

  /**
   * Sends a proxy to its other node before anything is done or charged: one that never asks /readyz
   * learns in time that this node ends. Null: the request is answered here.
   */
  turnAway(request: Request): Response | null {
    if (!this.isLeaving || !request.headers.has(anotherNodeHeader)) return null;
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return new Response('{"status":"draining"}', { status: 503, headers });
  }

  /** The answer, as the last one on its connection, and not as a stream. */
  async last(answer: Response | Promise<Response>): Promise<Response> {
    this.lastAskedAt = performance.now();
    const { status, headers, body } = await answer;
    headers.set('Connection', 'close');
    return new Response(body && (await new Response(body).bytes()), { status, headers });
  }

  /**
   * Soon takes no new connections, and answers what still arrives over open ones: a request that is
   * in the network when the process ends would be lost. Before that it goes on as if nothing had
   * happened for as long as whoever asks /readyz takes to notice.
   */
  async end(
    server: Bun.Server<undefined>,
    { leavingMs, endStreams }: { readonly leavingMs: number; endStreams(): void },
  ): Promise<void> {
    this.isLeaving = true;
    if (leavingMs > 0) await Bun.sleep(leavingMs);
    this.isEnding = true;
    // By now whoever reads one finds another node.
    endStreams();
    // Clients on open connections learn first that these end: stopping closes those that are idle,
    // and a request may be on its way over one. Nor does Bun send the rest of a stream after that;
    // but the last of them has left by now.
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
    // A client that takes for ever does not keep the server from ending.
    await Promise.race([stopped, server.stop(true)]);
  }
}
