/** Calls to a process of our own, over a socket that only our own user can reach. */

/** A process that listens on a socket once it has started. */
export interface SocketProcess {
  /** Where it listens; waits until it does. */
  socket(): Promise<string>;
  /** It does not answer: whoever calls next has another one. */
  giveUp(): void;
}

/** What is sent. The path is what the other side knows, not what a browser asked for. */
export interface SocketCall {
  readonly target: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | string | null;
  /** How long the answer may take to begin. One that has begun may take as long as it likes. */
  readonly patienceMs: number;
  /** Ends the call when nobody waits for it any longer. */
  readonly signal?: AbortSignal;
}

/** What fetching says of a socket that is not there, or that nobody listens on. */
const unreachable = ['ECONNREFUSED', 'ENOENT', 'FailedToOpenSocket'];

/** Calls a process of ours. What it answers is passed on as it is. */
export async function callSocket(process: SocketProcess, call: SocketCall): Promise<Response> {
  const { target, method, headers, body, patienceMs, signal } = call;
  const unix = await process.socket();
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
    // One that stands still, or cannot be reached, is no use to anybody. Whatever else went wrong
    // is about this call alone.
    const { code = '' } = error as { code?: string };
    if (late.signal.aborted || unreachable.includes(code)) process.giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
