/**
 * A fake of Google's Apps Script for docs/examples/sheets.gs. UrlFetchApp.fetch is synchronous, so
 * scripts run in a worker that blocks while the main thread fetches.
 */

/** A running script with its own cache, properties and lock. */
export interface ScriptThread {
  call(name: string, ...args: readonly unknown[]): Promise<unknown>;
  /** The calls of UrlFetchApp.fetch, in order. */
  readonly fetched: readonly FetchedCall[];
  /** The lifetime in seconds of each cache entry, by its key. */
  kept(): Promise<Readonly<Record<string, number>>>;
  /** Clears the cache. */
  forget(): Promise<void>;
  /** Makes every later attempt to take the script lock fail. */
  lock(): Promise<void>;
  stop(): void;
}

export interface FetchedCall {
  readonly url: string;
  readonly options: {
    readonly method: string;
    readonly contentType: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly payload: string;
  };
}

/** A message from the worker: a result, or a request that it waits for. */
type WorkerMessage =
  | { readonly id: number; readonly result: unknown; readonly error?: string }
  | { readonly fetch: FetchedCall };

const answerBytesMax = 4 * 1024 * 1024;

/** Starts a script in a worker; `prompts` are the answers to its dialogs. */
export function startScript(
  code: string,
  { prompts = [] as readonly string[] } = {},
): ScriptThread {
  const shared = new SharedArrayBuffer(8 + answerBytesMax);
  const worker = new Worker(new URL('./apps-script-worker.ts', import.meta.url).href);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fetched: FetchedCall[] = [];
  let calls = 0;
  worker.onmessage = async ({ data }: MessageEvent<WorkerMessage>) => {
    if ('fetch' in data) {
      fetched.push(data.fetch);
      return answerInto(shared, await fetchFor(data.fetch));
    }
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) call?.resolve(data.result);
    else call?.reject(new Error(data.error));
  };
  const ask = (message: object): Promise<unknown> => {
    const call = Promise.withResolvers<unknown>();
    const id = ++calls;
    waiting.set(id, call);
    worker.postMessage({ id, ...message });
    return call.promise;
  };
  worker.postMessage({ code, shared, prompts });
  return {
    call: (name, ...args) => ask({ name, args }),
    fetched,
    kept: async () => (await ask({ wanted: 'kept' })) as Record<string, number>,
    forget: async () => {
      await ask({ wanted: 'forget' });
    },
    lock: async () => {
      await ask({ wanted: 'lock' });
    },
    stop: () => worker.terminate(),
  };
}

async function fetchFor({ url, options }: FetchedCall): Promise<object> {
  try {
    const response = await fetch(url, {
      method: options.method.toUpperCase(),
      headers: { ...options.headers, 'Content-Type': options.contentType },
      body: options.payload,
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** Writes a response to shared memory and wakes the worker. */
function answerInto(shared: SharedArrayBuffer, answer: object): void {
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const state = new Int32Array(shared, 0, 2);
  new Uint8Array(shared, 8).set(bytes);
  Atomics.store(state, 1, bytes.length);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
}
