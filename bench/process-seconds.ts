/** CPU time of processes, from Linux's /proc. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/processes.ts';

const ticksPerSecond = 100;

/** A process and everything below it. */
export function processesFrom(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processesFrom)];
}

/** CPU seconds of a process and everything below it, including what has ended. */
export function processSeconds(pid: number): number {
  const ticks = processesFrom(pid).flatMap(ticksOf);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Of the process itself, and of its ended children; nothing if it has just ended. */
function ticksOf(pid: number): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return fields.slice(11, 15);
  } catch {
    return [];
  }
}
