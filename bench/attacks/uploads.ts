/** Uploads of files: those that work, and those that stall. */
import { connect, type Socket } from 'node:net';
import { hiddenFields } from '../../test/support/owner-pages.ts';
import { network, onGround, say, seconds, tally } from './ground.ts';

const path = '/inventory/import';

/** One account stalls two uploads in each of four networks, while another account uploads. */
export async function stalledUploads(): Promise<void> {
  const accounts = [{ email: 'slow@example.com' }, { email: 'new@example.com' }];
  await onGround({ accounts }, async ({ server, signIn }) => {
    const slow = await signIn('slow@example.com');
    const upload = await uploader(server.url, await signIn('new@example.com'));
    const stalled = [1, 2, 3, 4].flatMap((from) =>
      [1, 2].map(() => stall(server.url, slow, network(from))),
    );
    await Bun.sleep(1_000);
    await sayUploads(upload, 10);
    for (const socket of stalled) socket.destroy();
  });
}

/**
 * Eight accounts, each in a network of its own, stall an upload, and begin another one whenever it
 * is ended, while another account uploads.
 */
export async function uploads(): Promise<void> {
  const emails = Array.from({ length: 8 }, (_, index) => `slow${index}@example.com`);
  const accounts = [...emails, 'new@example.com'].map((email) => ({ email }));
  await onGround({ accounts }, async ({ server, signIn }) => {
    const cookies: string[] = [];
    for (const email of emails) cookies.push(await signIn(email));
    const upload = await uploader(server.url, await signIn('new@example.com'));
    let isOver = false;
    const open = new Map<number, Socket>();
    let begun = 0;
    const stallAgain = (cookie: string, from: number) => {
      if (isOver) return;
      begun++;
      const socket = stall(server.url, cookie, network(from));
      open.set(from, socket);
      socket.on('data', () => socket.destroy());
      socket.on('close', () => stallAgain(cookie, from));
    };
    cookies.forEach(stallAgain);
    await Bun.sleep(1_000);
    await sayUploads(upload, 8);
    isOver = true;
    say('Stalled uploads begun', begun);
    for (const socket of open.values()) socket.destroy();
  });
}

async function sayUploads(upload: () => Promise<number>, count: number): Promise<void> {
  const statuses: number[] = [];
  const times: number[] = [];
  while (statuses.length < count) {
    const asked = performance.now();
    statuses.push(await upload());
    times.push(performance.now() - asked);
  }
  say('Uploads of another account meanwhile', tally(statuses));
  say('Slowest of them', seconds(Math.max(...times)));
}

/** Makes a function that uploads a small file; it returns the status. */
export async function uploader(url: string, cookie: string): Promise<() => Promise<number>> {
  const headers = { Cookie: cookie, 'X-Forwarded-For': network(99), Origin: url };
  const page = await (await fetch(url + path, { headers })).text();
  const file = new File(['set_number\n1000\n'], 'lots.csv');
  return () => sendFiles(url + path, { page, headers, files: [file] });
}

/** Sends the form of a page with files; returns the status. */
export async function sendFiles(
  address: string,
  form: {
    readonly page: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly files: readonly File[];
  },
): Promise<number> {
  const { page, headers, files } = form;
  const body = new FormData();
  for (const [name, value] of Object.entries(hiddenFields(page))) body.set(name, value);
  for (const file of files) body.append('file', file);
  const response = await fetch(address, { method: 'POST', body, headers, redirect: 'manual' });
  await response.text();
  return response.status;
}

/** Sends the start of an upload, and nothing more. */
function stall(url: string, cookie: string, from: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Origin: ${url}`,
      `Cookie: ${cookie}`,
      `X-Forwarded-For: ${from}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 4000000',
      '',
      '--x',
    ].join('\r\n'),
  );
  return socket;
}
