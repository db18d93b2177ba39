/**
 * Sends requests in loops from a separate process, for some seconds or until it is terminated, then
 * prints the number of responses by status. Its argument is a `Flood` as JSON.
 */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';

export interface Flood {
  readonly url: string;
  readonly seconds: number;
  readonly loops: readonly FloodLoop[];
  /** A file that is created after the first 200 response. */
  readonly begunFile?: string;
}

/** Concurrent loops of the same request. */
export interface FloodLoop {
  readonly count: number;
  readonly path: string;
  /** Whether each request uses a new connection. */
  readonly isFresh: boolean;
  readonly cookie?: string;
  readonly key?: string;
  /** The number of networks to claim in X-Forwarded-For. */
  readonly networks?: number;
  /** A file to upload with each request, and the form's hidden fields. */
  readonly upload?: { readonly file: string; readonly fields: Readonly<Record<string, string>> };
  /** Sends the start of an upload, then stalls and keeps the connection open. */
  readonly isSilent?: boolean;
}

const plan: Flood = JSON.parse(process.argv[2] ?? '');
const end = performance.now() + plan.seconds * 1000;
const statuses: Record<string, number> = {};
let sent = 0;

process.once('SIGTERM', finish);
await Promise.all(
  plan.loops.flatMap((loop) =>
    Array.from({ length: loop.count }, () => (loop.isSilent ? holdUpload(loop) : run(loop))),
  ),
);
finish();

function finish(): void {
  console.log(JSON.stringify(statuses));
  process.exit(0);
}

async function run(loop: FloodLoop): Promise<void> {
  while (performance.now() < end) {
    const status = await send(loop).catch((error) => String(error.code ?? error.name));
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (plan.begunFile && statuses['200'] === 1) writeFileSync(plan.begunFile, '');
  }
}

async function send(loop: FloodLoop): Promise<string> {
  const { path, isFresh, cookie, key, networks, upload } = loop;
  const headers = new Headers(cookie ? { Cookie: cookie } : {});
  if (key) headers.set('Authorization', `Bearer ${key}`);
  if (networks) headers.set('X-Forwarded-For', `198.51.100.${sent++ % networks}`);
  if (isFresh) headers.set('Connection', 'close');
  let body: FormData | null = null;
  if (upload) {
    body = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) body.set(name, value);
    body.set('file', new File([await Bun.file(upload.file).text()], 'collection.ndjson'));
    headers.set('Origin', plan.url);
  }
  const how = {
    headers,
    keepalive: !isFresh,
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.max(1, end - performance.now()) + 5_000),
  } as const;
  const response = await fetch(plan.url + path, { ...how, method: body ? 'POST' : 'GET', body });
  await response.arrayBuffer();
  const preview = body && response.headers.get('Location');
  if (!preview) return String(response.status);
  // The file is read when its preview is shown.
  const shown = await fetch(plan.url + preview, how);
  await shown.arrayBuffer();
  return String(shown.status);
}

/** An upload that stalls. */
async function holdUpload({ path, cookie }: FloodLoop): Promise<void> {
  const { hostname, port } = new URL(plan.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Origin: ${plan.url}`,
      `Cookie: ${cookie ?? ''}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 4000000',
      '',
      '--x',
    ].join('\r\n'),
  );
  await Bun.sleep(Math.max(0, end - performance.now()));
  socket.destroy();
}
