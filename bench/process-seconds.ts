/** CPU time of processes, from Linux's /proc. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/processes.ts';

const ticksPerSecond = 100;

/** A process and everything below it. */
export function processesFrom(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processesFrom)];
}

/** CPU seconds of a process and everything below it. */
export function processSeconds(pid: number): number {
  const own = processesFrom(pid).map((each) => {
    const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return own.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}
