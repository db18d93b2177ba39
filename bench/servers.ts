/** Starts the compared servers, each in a child process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, thisBuild } from './builds.ts';
import { benchFolder, dataFolder, dataOf } from './store.ts';

export interface BenchServer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const here = import.meta.dir;
/** BENCH_PORT sets another, if it is in use. */
const firstPort = Number(process.env.BENCH_PORT ?? 18_080);

export function startBrickmark(
  data = dataFolder,
  flags: readonly string[] = [],
): Promise<BenchServer> {
  return startServe(thisBuild, data, firstPort, flags);
}

/** The server of another build, beside this one's, on its store of the benchmark. */
export function startBuild(build: Build): Promise<BenchServer> {
  return startServe(build, dataOf(build), firstPort + 3);
}

function startServe(
  { name, program }: Build,
  data: string,
  port: number,
  flags: readonly string[] = [],
): Promise<BenchServer> {
  const command = [program, 'serve', '--data', data, ...flags, '--port', String(port)];
  return start(name, command, port, '/healthz');
}

/** Headers that a server computes for each response; Fastify rejects a copied Transfer-Encoding. */
const computedHeaders = new Set(['date', 'content-length', 'transfer-encoding']);

/** The two bare peers, which return the bytes of a response of Brickmark. */
export async function startPeers(answer: Response): Promise<BenchServer[]> {
  const file = join(benchFolder, 'answer.json');
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !computedHeaders.has(name)),
  );
  writeFileSync(file, JSON.stringify({ body: await answer.text(), headers }));
  process.env.BENCH_ANSWER = file;
  const bun = [process.execPath, join(here, 'bare-bun.ts')];
  const fastify = ['node', join(here, 'bare-fastify.mjs')];
  return [
    await start('bare Bun.serve', bun, firstPort + 1, '/'),
    await start('bare Fastify', fastify, firstPort + 2, '/'),
  ];
}

async function start(
  name: string,
  command: readonly string[],
  port: number,
  probe: string,
): Promise<BenchServer> {
  const env = { ...process.env, PORT: String(port) };
  const child = Bun.spawn([...command], { env, stdout: 'ignore', stderr: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}${probe}`).then(
      () => true,
      () => false,
    );
    if (child.exitCode !== null) throw new Error(`${name} ended; is port ${port} in use?`);
    if (isUp) break;
    if (tries > 500) throw new Error(`${name} did not start.`);
    await Bun.sleep(10);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await child.exited;
  };
  return { name, url, pid: child.pid, stop };
}
