/** Calls to a process of our own, over a socket that only our own user can reach. */

/** A process that listens on a socket once it has started. */
export interface SocketProcess {
  /** Where it listens; waits until it does. */
  socket(): Promise<string>;
}

/** What is sent. The path is what the other side knows, not what a browser asked for. */
export interface SocketCall {
  readonly target: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array<ArrayBuffer> | string | null;
  /** Ends the call when nobody waits for it any longer. */
  readonly signal?: AbortSignal;
}

/** Calls a process of ours. What it answers is passed on as it is. */
export async function callSocket(process: SocketProcess, call: SocketCall): Promise<Response> {
  const unix = await process.socket();
  const { target, method, headers, body = null, signal } = call;
  return fetch(`http://brickmark${target}`, {
    unix,
    method,
    headers,
    body,
    redirect: 'manual',
    decompress: false,
    ...(signal && { signal }),
  });
}
