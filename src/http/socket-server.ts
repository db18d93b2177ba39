/** The other side of `callSocket`: a process of ours that listens for another one of ours. */
import http from 'node:http';
import { headerBytesMax } from '../contract/limits.ts';

/** Answers what comes over a socket, which only our own user can reach. */
export function serveSocket(
  socket: string,
  answering: {
    answer(request: Request): Promise<Response>;
    /** Called with what failed; it is answered with 500. */
    onFault(error: unknown): void;
  },
): { stop(): Promise<void> } {
  // As much as callers may send, and what is added on the way.
  Object.assign(http, { maxHeaderSize: 2 * headerBytesMax });
  // How long an answer may take is for whoever asks to say. Bun's types know this for ports alone.
  const endless: object = { idleTimeout: 0 };
  const server = Bun.serve({
    ...endless,
    unix: socket,
    development: false,
    fetch: (request: Request) => answering.answer(request),
    error: (error: unknown) => {
      answering.onFault(error);
      return new Response(null, { status: 500 });
    },
  });
  // Whoever asks has ended, or sends nothing any more.
  return { stop: () => server.stop(true) };
}
