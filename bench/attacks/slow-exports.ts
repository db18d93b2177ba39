/**
 * Sixteen accounts export from one network, and read five kilobytes a second. Meanwhile another
 * account exports from another network.
 */
import { Database } from 'bun:sqlite';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { network, onGround, say, seconds, tally } from './ground.ts';
import { lotOf, soldSet } from './lots.ts';

const attackers = 16;
/** About 15 MB, so that the buffers of the system do not hold the file. */
const lotsEach = 40_000;
const bytesPerSecond = 5_000;
const attackMs = 180_000;

export async function slowExports(): Promise<void> {
  const emails = Array.from({ length: attackers }, (_, index) => `slow${index}@example.com`);
  const accounts = [...emails, 'new@example.com'].map((email) => ({ email }));
  const lines = accounts.flatMap(({ email }) => lotOf(email));
  await onGround(
    { accounts, lines: [soldSet, ...lines], fill: copyLots },
    async ({ server, signIn }) => {
      const cookies: string[] = [];
      for (const email of emails) cookies.push(await signIn(email));
      const newcomer = await signIn('new@example.com');
      const start = performance.now();
      const slow = cookies.map((cookie) => exportSlowly(server.url, cookie));
      await Promise.all(slow.map(({ status }) => status));
      const statuses = await Promise.all(slow.map(({ status }) => status));
      const holder = cookies[statuses.indexOf('200')] ?? '';
      const tries: (string | number)[] = [];
      const times: number[] = [];
      let freedAt: number | null = null;
      while (performance.now() - start < attackMs) {
        const asked = performance.now();
        tries.push(await exportOnce(server.url, newcomer, network(2)));
        times.push(performance.now() - asked);
        // A slow account can export again, elsewhere, once it is cut off.
        const isFreed =
          freedAt !== null || (await exportOnce(server.url, holder, network(3))) === 200;
        if (isFreed) freedAt ??= performance.now();
        await Bun.sleep(1_000);
      }
      say('Slow exports from one network', tally(statuses));
      say(
        'The first was cut off',
        freedAt === null ? 'never' : `after ${seconds(freedAt - start)}`,
      );
      say('Exports of another account meanwhile', tally(tries));
      say('Slowest of them', seconds(Math.max(...times)));
      for (const { socket } of slow) socket.destroy();
    },
  );
}

/** Copies the lot of each account; through the store, that would take minutes. */
async function copyLots(data: string): Promise<void> {
  const db = new Database(join(data, 'accounts.db'));
  const listed = db.query<{ name: string }, []>(`SELECT name FROM pragma_table_info('lot')`).all();
  const columns = listed.map(({ name }) => name).filter((name) => name !== 'id');
  const values = columns.map((name) => (name === 'source_id' ? `'lot ' || n` : name));
  db.run(
    `WITH RECURSIVE numbers AS (
       SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${lotsEach}
     )
     INSERT INTO lot (${columns.join()})
     SELECT ${values.join()} FROM lot, numbers WHERE account_id <= ${attackers}`,
  );
  db.close();
}

/** Reads a file as fast as it comes; returns the status. */
async function exportOnce(url: string, cookie: string, from: string): Promise<number> {
  const headers = { Cookie: cookie, 'X-Forwarded-For': from };
  const response = await fetch(`${url}/account/export`, { headers });
  const text = await response.text();
  if (response.status === 200) JSON.parse(text);
  return response.status;
}

interface SlowExport {
  readonly socket: Socket;
  readonly status: Promise<string>;
}

function exportSlowly(url: string, cookie: string): SlowExport {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const status = Promise.withResolvers<string>();
  const end = () => status.resolve('closed');
  socket.on('error', end);
  socket.on('close', end);
  socket.on('data', (bytes) => {
    status.resolve(bytes.toString('latin1').split(' ')[1] ?? '');
    socket.pause();
    setTimeout(() => socket.resume(), (bytes.length / bytesPerSecond) * 1000);
  });
  socket.write(
    [
      'GET /account/export HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Cookie: ${cookie}`,
      `X-Forwarded-For: ${network(1)}`,
      '\r\n',
    ].join('\r\n'),
  );
  return { socket, status: status.promise };
}
