/**
 * Follows the event stream without missing any event: after a crash, a lost connection or a restart
 * of the server it continues where it stopped. Needs Node and no packages: `node follow.ts` with
 * Node 22.18 or later, else `npx tsx follow.ts`. The optional last argument filters the events.
 *
 *     BRICKMARK_URL=https://brickmark.example.com BRICKMARK_KEY=bmk_... \
 *       node follow.ts events.ndjson 'kinds=retail.price,retail.low&scope=holdings'
 */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [path = 'events.ndjson', filter = ''] = process.argv.slice(2);
const server = (process.env.BRICKMARK_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
const address = `${server}/api/plus/v1/events/stream?${filter}`;
const authorization = `Bearer ${process.env.BRICKMARK_KEY ?? ''}`;

/** The server writes at least every 15 seconds, so a longer silence is a lost connection. */
const silenceMsMax = 45_000;
const pauseMsMax = 60_000;

/** A line of the file: the position, and its event if there is one. */
interface Line {
  readonly position: number;
  readonly event?: unknown;
}

/** The position in the last line of the file; null if nothing was read yet. */
function readPosition(): number | null {
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  // A line cut off by a crash is dropped: its event will be sent again.
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(path, end);
  const last = bytes.toString('utf8', 0, end).trimEnd().split('\n').at(-1);
  return last ? (JSON.parse(last) as Line).position : null;
}

let position = readPosition();
let failures = 0;

/** Stores an event together with its position, so that there is never one without the other. */
function keep(line: Line): void {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
  position = line.position;
}

/** The messages of a stream. Each is a few lines of fields, followed by an empty line. */
async function* messagesOf(body: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^(\w*): ?(.*)/.exec(line)?.slice(1) ?? []);
      yield Object.fromEntries(fields) as { id?: string; event?: string; data?: string };
    }
  }
}

/** Reads one connection to its end. */
async function follow(signal: AbortSignal, onMessage: () => void): Promise<void> {
  const headers: Record<string, string> = { authorization };
  // Without it, the stream starts now.
  if (position !== null) headers['Last-Event-ID'] = String(position);
  const response = await fetch(address, { headers, signal });
  if (!response.ok || response.body === null) {
    console.error(`${response.status} ${(await response.text()).slice(0, 300)}`);
    // An invalid key or filter stays invalid. Rate limits and server errors are retried.
    if (response.status < 500 && response.status !== 429) process.exit(1);
    return sleep(1000 * Number(response.headers.get('retry-after') ?? 0));
  }
  for await (const { id, event, data = '{}' } of messagesOf(response.body)) {
    onMessage();
    if (event === 'stale') console.error(`Events before this position are gone: ${data}`);
    if (event === 'error') console.error(data);
    if (id === undefined) continue;
    const isEvent = event !== 'position' && event !== 'stale';
    keep({ position: Number(id), ...(isEvent && { event: JSON.parse(data) }) });
  }
}

/** Runs forever. A function, because `tsx` compiles to CommonJS, which cannot await elsewhere. */
async function run(): Promise<never> {
  console.log(`Following ${address}`);
  for (;;) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error('The server is silent.')), silenceMsMax);
    const onMessage = () => {
      failures = 0;
      timer.refresh();
    };
    await follow(silence.signal, onMessage).catch((error) => console.error(String(error)));
    clearTimeout(timer);
    // Random delay, so that clients do not all reconnect at once.
    await sleep(Math.min(1000 * 2 ** failures++, pauseMsMax) * (0.5 + Math.random() / 2));
  }
}

run();
