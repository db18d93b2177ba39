/**
 * A stand-in for Google's Apps Script, as far as docs/examples/sheets.gs uses it. Scripts fetch
 * without waiting, which JavaScript elsewhere cannot: so they run in a thread of their own, which
 * sleeps while this one fetches for it.
 */

/** What a script is run with: the parts of Google's runtime, made anew for each. */
export interface ScriptThread {
  /** Calls a function of the script. */
  call(name: string, ...args: readonly unknown[]): Promise<unknown>;
  /** What was asked of UrlFetchApp. */
  readonly fetched: readonly FetchedCall[];
  /** How long each thing was to be kept, by the names in the cache. */
  kept(): Promise<Readonly<Record<string, number>>>;
  /** Forgets what is in the cache. */
  forget(): Promise<void>;
  /** From now on another formula fetches, and does not end. */
  lock(): Promise<void>;
  stop(): void;
}

/** A call of UrlFetchApp.fetch. */
export interface FetchedCall {
  readonly url: string;
  readonly options: {
    readonly method: string;
    readonly contentType: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly payload: string;
  };
}

/** What the thread says: it has a result, or it sleeps until a call is answered. */
type Said =
  | { readonly id: number; readonly result: unknown; readonly error?: string }
  | { readonly fetch: FetchedCall };

const answerBytesMax = 4 * 1024 * 1024;

/** Starts a thread with a script; `prompts` are what somebody types into its questions. */
export function startScript(
  code: string,
  { prompts = [] as readonly string[] } = {},
): ScriptThread {
  const shared = new SharedArrayBuffer(8 + answerBytesMax);
  const worker = new Worker(new URL('./apps-script-worker.ts', import.meta.url).href);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fetched: FetchedCall[] = [];
  let calls = 0;
  worker.onmessage = async ({ data }: MessageEvent<Said>) => {
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

/** Writes an answer where the thread finds it, and wakes it up. */
function answerInto(shared: SharedArrayBuffer, answer: object): void {
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  const state = new Int32Array(shared, 0, 2);
  new Uint8Array(shared, 8).set(bytes);
  Atomics.store(state, 1, bytes.length);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
}
