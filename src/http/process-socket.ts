/** Calls between our own processes, over a socket that only our own user can access. */
import http from 'node:http';
import { headerBytesMax } from '../contract/limits.ts';
import { minuteMs } from '../kernel/time.ts';

/** A process that listens on a socket once it has started. */
export interface SocketProcess {
  /** The path of the socket, once the process listens. */
  socket(): Promise<string>;
  /** The process does not respond: the next call gets a new one. */
  giveUp(): void;
}

/** The target is a path that the other process knows, not the one that a browser requested. */
export interface SocketCall {
  readonly target: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | string | null;
  /** Timeout for the start of the response. After that there is no limit. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** How long a process that ends still answers, such as an import that a reload found running. */
const finishMsMax = 5 * minuteMs;
const finishLookMs = 50;

/** Error codes of a missing socket, or one without a listener. */
const unreachable = ['ECONNREFUSED', 'ENOENT', 'FailedToOpenSocket'];

/** The process has received nothing. After any other error it may have executed the call. */
export class NotSentError extends Error {}

/** The response is passed on unchanged. */
export async function callSocket(process: SocketProcess, call: SocketCall): Promise<Response> {
  const { target, method, headers, body, patienceMs, signal } = call;
  const unix = await process.socket().catch(failNotSent);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patienceMs);
  try {
    return await fetch(`http://brickmark${target}`, {
      unix,
      method,
      headers,
      body,
      redirect: 'manual',
      decompress: false,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    });
  } catch (error) {
    // A process that hangs or cannot be reached is replaced. Other errors concern only this call.
    const { code = '' } = error as { code?: string };
    const isUnreachable = unreachable.includes(code);
    if (late.signal.aborted || isUnreachable) process.giveUp();
    if (isUnreachable) failNotSent(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function failNotSent(error: unknown): never {
  throw new NotSentError(error instanceof Error ? error.message : String(error), { cause: error });
}

export function serveSocket(
  socket: string,
  answering: {
    answer(request: Request): Promise<Response>;
    /** Called with a fault, which is answered with 500. */
    onFault(error: unknown): void;
  },
): { stop(): Promise<void> } {
  // As much as callers may send, plus what the server adds.
  Object.assign(http, { maxHeaderSize: 2 * headerBytesMax });
  // The caller sets the timeout. Bun's types have this option only for ports.
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
  return {
    // The caller has exited, or sends nothing more, but may wait for answers.
    stop: async () => {
      const until = performance.now() + finishMsMax;
      while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(finishLookMs);
      await server.stop(true);
    },
  };
}
