/** Lists, signals and waits for processes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

/** The running children of a process. */
export function childrenOf(pid: number): number[] {
  return listProcesses()
    .filter(({ parent, state }) => parent === pid && !state.startsWith('Z'))
    .map((row) => row.pid);
}

/** The helper process of a server with this task; null if there is none. Linux only. */
export function helperOf(pid: number, helper: string): number | null {
  const found = childrenOf(pid).find((child) =>
    variablesOf(child).some((line) => line.split(' ')[0] === `BRICKMARK_HELPER=${helper}`),
  );
  return found ?? null;
}

/** The environment of a process; empty if it has ended. Linux only. */
export function variablesOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Empty if the process has ended. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Waits until none of the processes runs; zombies count as ended. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const isLeft = ({ pid, state }: Row) => pids.includes(pid) && !state.startsWith('Z');
  await until(() => !listProcesses().some(isLeft), `the end of processes ${pids.join(', ')}`);
}

/** Sends a signal, unless the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

function listProcesses(): Row[] {
  return existsSync('/proc/self/stat') ? processesOfLinux() : processesOfPs();
}

function processesOfLinux(): Row[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in parentheses may contain any character.
      const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), state }];
    } catch {
      return [];
    }
  });
}

function processesOfPs(): Row[] {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,stat=']);
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state };
    });
}
