/** Runs wrk, and installs it if it is missing and this is root. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processSeconds } from './process-seconds.ts';
import { benchFolder } from './store.ts';

/** The script that makes wrk's requests. */
export const script = join(import.meta.dir, 'requests.lua');

const preparedRequests = 20_000;

export interface Load {
  readonly requestsPerSecond: number;
  /** CPU time of the server and its helper processes, in microseconds. */
  readonly cpuPerAnswer: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Responses other than 2xx and 3xx, and failed connections. */
  readonly errors: number;
}

export function ensureWrk(): void {
  if (spawnSync('wrk', ['--version']).error === undefined) return;
  if (process.getuid?.() === 0) {
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', 'wrk'], { stdio: 'ignore' });
  }
  if (spawnSync('wrk', ['--version']).error !== undefined) {
    throw new Error('The benchmark needs wrk: install it with your package manager.');
  }
}

/** Loads a server with 32 connections for some seconds. */
export async function runWrk(
  { url, pid }: { readonly url: string; readonly pid: number },
  options: { readonly script: string; readonly seconds: number },
): Promise<Load> {
  const args = ['-t1', '-c32', `-d${options.seconds}s`, '--latency', '-s', options.script, url];
  const env = process.env;
  const cpuBefore = processSeconds(pid);
  const wrk = Bun.spawn(['wrk', ...args], { env, stdout: 'pipe', stderr: 'inherit' });
  const text = await new Response(wrk.stdout).text();
  const cpuSeconds = processSeconds(pid) - cpuBefore;
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text);
  const socketErrors = sockets ? sockets.slice(1).reduce((sum, n) => sum + Number(n), 0) : 0;
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    cpuPerAnswer: (cpuSeconds * 1e6) / number(/(\d+) requests in/),
    medianMs: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(text)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(text)),
    errors: (number(/Non-2xx or 3xx responses: (\d+)/) || 0) + socketErrors,
  };
}

function milliseconds(match: RegExpExecArray | null): number {
  if (!match) return Number.NaN;
  const factor = { us: 0.001, ms: 1, s: 1000 }[match[2] as 'us' | 'ms' | 's'];
  return Number(match[1]) * factor;
}

/** The median of each figure. */
export function medianLoad(loads: readonly Load[]): Load {
  return {
    requestsPerSecond: median(loads.map((load) => load.requestsPerSecond)),
    cpuPerAnswer: median(loads.map((load) => load.cpuPerAnswer)),
    medianMs: median(loads.map((load) => load.medianMs)),
    p99Ms: median(loads.map((load) => load.p99Ms)),
    errors: loads.reduce((sum, load) => sum + load.errors, 0),
  };
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Writes the requests of the next run. */
export function writeRequests(line: (index: number) => string): void {
  const file = join(benchFolder, 'requests.txt');
  const lines = Array.from({ length: preparedRequests }, (_, index) => line(index));
  writeFileSync(file, `${lines.join('\n')}\n`);
  process.env.BENCH_REQUESTS = file;
}

/** A member by Zipf's law: the first ones are chosen far more often than the last. */
export function zipf<T>(members: readonly T[], index: number): T {
  const uniform = ((index * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
  const rank = Math.floor(members.length ** uniform) - 1;
  return members[Math.min(rank, members.length - 1)] ?? (members[0] as T);
}
