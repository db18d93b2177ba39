/** CPU time of processes, from Linux's /proc. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/processes.ts';

const ticksPerSecond = 100;

/** CPU seconds of a process and its children. */
export function processSeconds(pid: number): number {
  const own = [pid, ...childrenOf(pid)].map((each) => {
    const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return own.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}
