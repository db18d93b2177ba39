/** Several server processes on one PostgreSQL database, and clients that call them. */
import { type Admitted, countAnswers } from './answers.ts';
import { makeWorkplace, type RunOptions, type Served, type Workplace } from './cli.ts';
import type { PostgresServer } from './postgres-server.ts';

/** A database with commands and nodes that use it. */
export interface Cluster extends Pick<Workplace, 'run' | 'start' | 'json'> {
  readonly database: string;
  /** Starts a node, with additional settings, of this or another program. */
  node(
    env?: Readonly<Record<string, string>>,
    flags?: readonly string[],
    program?: readonly string[],
  ): Promise<Served>;
  close(): Promise<void>;
}

/** The catalog has this many sets, numbered from `first`. */
export const clusterSets = { count: 200, first: 1000 };

/** Creates a database, empty or with some sets and an account. */
export async function makeCluster(
  server: PostgresServer,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<Cluster> {
  const name = `nodes_${crypto.randomUUID().replaceAll('-', '')}`;
  await server.query(`CREATE DATABASE ${name}`);
  return joinCluster(server.url(name), isEmpty);
}

/** The same for an existing database. */
export async function joinCluster(database: string, isEmpty: boolean): Promise<Cluster> {
  const place = makeWorkplace();
  const withDatabase = (options: RunOptions = {}): RunOptions => ({
    ...options,
    env: { BRICKMARK_DATABASE_URL: database, ...options.env },
  });
  const cluster: Cluster = {
    database,
    run: (words, options) => place.run(words, withDatabase(options)),
    start: (words, options) => place.start(words, withDatabase(options)),
    json: (words, options) => place.json(words, withDatabase(options)),
    node: (env = {}, flags = [], program = undefined) =>
      place.serve({ flags, program, env: { BRICKMARK_DATABASE_URL: database, ...env } }),
    close: () => place.close(),
  };
  if (!isEmpty) await fill(cluster);
  return cluster;
}

async function fill(cluster: Cluster): Promise<void> {
  const lines = Array.from({ length: clusterSets.count }, (_, index) =>
    JSON.stringify({
      kind: 'set',
      set_number: String(clusterSets.first + index),
      title: `Hut ${index}`,
      theme: 'Huts',
    }),
  );
  await cluster.json(['import', 'feed', '-'], { stdin: lines.join('\n') });
  await cluster.json(['account', 'add', 'a@example.com', '--plan', 'reseller']);
}

/** Adds a key to the cluster's account. */
export function addKey(
  cluster: Cluster,
  allowance = 1000,
): Promise<{ readonly key: string; readonly key_id: number }> {
  return cluster.json(['key', 'add', 'a@example.com', '--allowance', String(allowance)]);
}

/** Today's usage by key ID. */
export async function usedByKey(cluster: Cluster): Promise<Map<number, number>> {
  const { keys } = await cluster.json<{ keys: { key_id: number; used_today: number }[] }>([
    'key',
    'list',
    'a@example.com',
  ]);
  return new Map(keys.map((key) => [key.key_id, key.used_today]));
}

/** Requests one of the sets, chosen by `salt`. */
export function askForSet(node: Served, key: string, salt: number): Promise<Response> {
  return node.get(`/set/${clusterSets.first + (salt % clusterSets.count)}`, key);
}

/** Runs clients that make calls until `end` is called, and counts the responses. */
export function callUntil(
  clients: number,
  call: (client: number, round: number) => Promise<Response>,
): { end(): Promise<Admitted>; soFar(): Admitted } {
  const counter = countAnswers();
  let isOver = false;
  const running = Array.from({ length: clients }, async (_, client) => {
    for (let round = 0; !isOver; round++) {
      await counter.count(call(client, round));
    }
  });
  return {
    soFar: () => counter.result(),
    end: async () => {
      isOver = true;
      await Promise.all(running);
      return counter.result();
    },
  };
}
