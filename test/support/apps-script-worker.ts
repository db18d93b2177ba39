/** Worker of apps-script.ts: runs a script against minimal fakes of Google's services. */

interface StartMessage {
  readonly code: string;
  readonly shared: SharedArrayBuffer;
  readonly prompts: readonly string[];
}

interface CallMessage {
  readonly id: number;
  readonly name?: string;
  readonly args?: readonly unknown[];
  readonly wanted?: 'kept' | 'forget' | 'lock';
}

const cache = new Map<string, { readonly text: string; readonly seconds: number }>();
const properties = new Map<string, string>();
const alerts: string[] = [];
let prompts: string[] = [];
let shared = new SharedArrayBuffer(8);

/** Simulates another formula that holds the lock. */
let isLocked = false;

const services = {
  UrlFetchApp: {
    fetch: (url: string, { muteHttpExceptions, followRedirects, ...options }: Options) => {
      if (!muteHttpExceptions || followRedirects) throw new Error('Failures would be thrown.');
      const answer = fetchNow({ url, options });
      if (answer.failure !== undefined) throw new Error(`Address unavailable: ${url}`);
      return {
        getResponseCode: () => answer.status,
        getContentText: () => answer.text,
      };
    },
  },
  CacheService: {
    getDocumentCache: () => null,
    getScriptCache: () => ({
      getAll: (keys: readonly string[]) => {
        const found = keys.filter((key) => cache.has(checked(key)));
        return Object.fromEntries(found.map((key) => [key, cache.get(key)?.text]));
      },
      putAll: (values: Readonly<Record<string, string>>, seconds: number) => {
        if (seconds > 21_600) throw new Error('Nothing is kept for more than six hours.');
        for (const [key, text] of Object.entries(values)) {
          if (text.length > 100 * 1024) throw new Error('Argument too large: value');
          cache.set(checked(key), { text, seconds });
        }
      },
    }),
  },
  PropertiesService: {
    getUserProperties: () => ({
      getProperty: (name: string) => properties.get(name) ?? null,
      setProperties: (values: Readonly<Record<string, string>>) => {
        for (const [name, value] of Object.entries(values)) properties.set(name, value);
      },
      deleteProperty: (name: string) => properties.delete(name),
    }),
  },
  LockService: {
    getScriptLock: () => ({ tryLock: () => !isLocked, releaseLock: () => {} }),
  },
  SpreadsheetApp: {
    getUi: () => ({
      Button: { OK: 'OK' },
      ButtonSet: { OK_CANCEL: 'OK_CANCEL' },
      prompt: () => {
        const typed = prompts.shift();
        return {
          getSelectedButton: () => (typed === undefined ? 'CANCEL' : 'OK'),
          getResponseText: () => typed,
        };
      },
      alert: (text: string) => alerts.push(text),
    }),
  },
};

interface Options extends Record<string, unknown> {
  readonly muteHttpExceptions?: boolean;
  readonly followRedirects?: boolean;
}

function checked(key: string): string {
  if (key.length > 250) throw new Error('Argument too large: key');
  return key;
}

/** Blocks this thread until the main thread has written the response. */
function fetchNow(call: object): { status: number; text: string; failure?: string } {
  const state = new Int32Array(shared, 0, 2);
  postMessage({ fetch: call });
  Atomics.wait(state, 0, 0);
  const bytes = new Uint8Array(shared, 8, Atomics.load(state, 1)).slice();
  Atomics.store(state, 0, 0);
  return JSON.parse(new TextDecoder().decode(bytes));
}

let script: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {};

function start({ code, ...started }: StartMessage): void {
  ({ shared } = started);
  prompts = [...started.prompts];
  const names = [...code.matchAll(/^function (\w+)/gm)].map(([, name]) => name);
  const make = new Function(...Object.keys(services), `${code}\nreturn { ${names.join(', ')} };`);
  script = make(...Object.values(services));
}

function answer({ name, args = [], wanted }: CallMessage): unknown {
  if (wanted === 'forget') return cache.clear();
  if (wanted === 'lock') {
    isLocked = true;
    return;
  }
  if (wanted === 'kept') {
    return Object.fromEntries([...cache].map(([key, { seconds }]) => [key, seconds]));
  }
  const result = script[name ?? '']?.(...args);
  return name === 'setBrickmarkKey' ? alerts.splice(0) : result;
}

addEventListener('message', ({ data }: MessageEvent<StartMessage | CallMessage>) => {
  if ('code' in data) return start(data);
  try {
    postMessage({ id: data.id, result: answer(data) });
  } catch (error) {
    postMessage({ id: data.id, error: String(error) });
  }
});
