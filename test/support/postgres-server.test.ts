/** The PostgreSQL server that other suites use: stop, crash, pause, standby and cleanup. */
// @runs SQLite (rest): starts PostgreSQL
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { PostgresServer } from './postgres-server.ts';
import { startStandby } from './postgres-standby.ts';
import { untilGone } from './processes.ts';
import { until } from './until.ts';

interface Count {
  readonly rows: number;
}

const count = 'SELECT count(*)::float8 AS rows FROM note';

describe('a server', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.launch();
    await server.query('CREATE TABLE note (number int PRIMARY KEY)');
    await server.query('INSERT INTO note VALUES (1)');
  });

  afterAll(() => server.remove());

  test('restarts on its port with all acknowledged rows after a stop or a crash', async () => {
    const { port } = server;
    const ends = [() => server.stop('fast'), () => server.stop('immediate'), () => server.crash()];
    for (const [index, end] of ends.entries()) {
      await server.query(`INSERT INTO note VALUES (${index + 2})`);
      await end();
      await expect(server.query(count)).rejects.toThrow();
      await server.start();
      expect(await server.query<Count>(count)).toEqual([{ rows: index + 2 }]);
    }
    expect(server.port).toBe(port);
  });

  test('does not respond while paused, and responds to pending queries once resumed', async () => {
    const client = new SQL({ url: server.url(), max: 1 });
    await client`SELECT 1`;
    server.pause();
    const answer = client`SELECT 2 AS number`.then(([row]) => row.number);
    expect(await Promise.race([answer, Bun.sleep(300)])).toBeUndefined();
    server.resume();
    expect(await answer).toBe(2);
    await client.close();
  });

  test('sorts by the rules of a language, unless COLLATE "C" is given', async () => {
    const sorted = (collate: string) =>
      server.query(`SELECT string_agg(w, '' ORDER BY w ${collate}) AS w
        FROM (VALUES ('b'), ('B'), ('a')) AS words(w)`);
    expect(await sorted('')).toEqual([{ w: 'abB' }]);
    expect(await sorted('COLLATE "C"')).toEqual([{ w: 'Bab' }]);
  });
});

describe.each(['on', 'remote_apply'] as const)('a synchronous standby, commit %s', (commit) => {
  test('has every acknowledged row after the primary is killed, and accepts writes once promoted', async () => {
    const primary = await PostgresServer.launch({ isDurable: true });
    await primary.query('CREATE TABLE note (number int PRIMARY KEY)');
    const standby = await startStandby(primary, { synchronous: true, commit });
    await primary.query('INSERT INTO note VALUES (0)');
    if (commit === 'on') await until(async () => (await countOf(standby)) >= 1);
    expect(await countOf(standby)).toBe(1);
    await expect(standby.query('INSERT INTO note VALUES (-1)')).rejects.toThrow('read-only');

    const client = new SQL({ url: primary.url(), max: 1 });
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await client.unsafe(`INSERT INTO note VALUES (${acknowledged + 1})`);
        acknowledged++;
      }
    })().catch(() => {});
    await until(() => acknowledged >= 200);
    await primary.crash();
    await writing;
    await client.close();

    await standby.promote();
    expect(await countOf(standby)).toBeGreaterThanOrEqual(acknowledged + 1);
    const gaps = `SELECT number FROM generate_series(1, ${acknowledged}) AS number
      WHERE number NOT IN (SELECT number FROM note)`;
    expect(await standby.query(gaps)).toEqual([]);
    await standby.query('INSERT INTO note VALUES (-1)');
    await Promise.all([primary.remove(), standby.remove()]);
  });
});

async function countOf(server: PostgresServer): Promise<number> {
  const [row] = await server.query<Count>(count);
  return row?.rows ?? -1;
}

describe('a process that starts a server and then', () => {
  const support = join(import.meta.dir, 'postgres-server.ts');
  const program = (after: string) => `
    import { readFileSync } from 'node:fs';
    import { PostgresServer } from ${JSON.stringify(support)};
    const server = await PostgresServer.launch();
    const [pid] = readFileSync(server.data + '/postmaster.pid', 'utf8').split('\\n');
    console.log(JSON.stringify({ pid: Number(pid), data: server.data }));
    ${after}`;

  const ends: [string, string, NodeJS.Signals | null][] = [
    ['ends', '', null],
    ['is interrupted', 'await Bun.sleep(60_000);', 'SIGINT'],
    ['is terminated', 'await Bun.sleep(60_000);', 'SIGTERM'],
    ['is killed while it is frozen', 'server.pause(); await Bun.sleep(60_000);', 'SIGKILL'],
  ];
  test.concurrent.each(ends)('%s leaves no process and no folder', async (_, after, signal) => {
    const child = Bun.spawn([process.execPath, '-e', program(after)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { value } = await child.stdout.getReader().read();
    const { pid, data } = JSON.parse(new TextDecoder().decode(value));
    if (signal) child.kill(signal);
    await child.exited;
    await untilGone([pid]);
    await until(() => !existsSync(dirname(data)));
  });
});
