/** Ends a server without dropping a request that was already on its way. */

/** How long the server goes on answering at the most once it is asked to end. */
const drainMs = 8_000;

/** Nothing was asked for this long: every client has read that its connection ends. */
const quietMs = 200;

const checkMs = 20;

/** Tells clients to come back over another connection, and waits until they have all gone. */
export class Drain {
  isEnding = false;
  private lastAskedAt = 0;

  /** The answer, as the last one on its connection. */
  async last(answer: Response | Promise<Response>): Promise<Response> {
    this.lastAskedAt = performance.now();
    const response = await answer;
    response.headers.set('Connection', 'close');
    return response;
  }

  /**
   * Takes no new connections, and answers what still arrives over open ones: a request that is in
   * the network when the process ends would be lost.
   */
  async end(server: Bun.Server<undefined>): Promise<void> {
    this.isEnding = true;
    const startedAt = performance.now();
    this.lastAskedAt = startedAt;
    const stopped = server.stop();
    while (performance.now() - startedAt < drainMs) {
      const isQuiet = performance.now() - this.lastAskedAt > quietMs;
      if (isQuiet && server.pendingRequests === 0) break;
      await Bun.sleep(checkMs);
    }
    // A client that takes for ever does not keep the server from ending.
    await Promise.race([stopped, server.stop(true)]);
  }
}
