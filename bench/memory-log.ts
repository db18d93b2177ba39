/** The memory of a server and its helper processes over time, from Linux's /proc. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../test/support/processes.ts';
import { median } from './wrk.ts';

interface Sample {
  readonly atMs: number;
  /** Megabytes by process. */
  readonly memory: ReadonlyMap<string, number>;
}

/** A process is flat if its memory in the last quarter is at most this much above the second. */
const flatGrowth = { ratio: 1.1, megabytes: 10 };

export class MemoryLog {
  private readonly samples: Sample[] = [];
  private readonly start = performance.now();

  constructor(
    private readonly pid: number,
    private readonly say: (line: string) => void,
  ) {}

  /** `remark` is printed beside it. */
  note(remark: string): void {
    const memory = memoryBelow(this.pid);
    const atMs = performance.now() - this.start;
    this.samples.push({ atMs, memory });
    const parts = Array.from(memory, ([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`);
    this.say(`${(atMs / 60_000).toFixed(1).padStart(6)} min  ${parts.join('  ')}  ${remark}`);
  }

  /** One line for each process. */
  summary(): string[] {
    const names = new Set(this.samples.flatMap(({ memory }) => [...memory.keys()]));
    return Array.from(names, (name) => {
      const inQuarter = (quarter: number) => {
        const from = Math.floor((this.samples.length * (quarter - 1)) / 4);
        const to = Math.floor((this.samples.length * quarter) / 4);
        const part = this.samples.slice(from, Math.max(to, from + 1));
        return median(part.flatMap(({ memory }) => memory.get(name) ?? []));
      };
      const [early, late] = [inQuarter(2), inQuarter(4)];
      const most = Math.max(...this.samples.flatMap(({ memory }) => memory.get(name) ?? []));
      const isFlat = late <= Math.max(early * flatGrowth.ratio, early + flatGrowth.megabytes);
      return (
        `  ${name.padEnd(10)} second quarter ${early.toFixed(0)} MB, last quarter ` +
        `${late.toFixed(0)} MB, at most ${most.toFixed(0)} MB: ${isFlat ? 'flat' : 'GROWS'}`
      );
    });
  }
}

/** Resident megabytes of a server and its helpers, by name. */
export function memoryBelow(pid: number): Map<string, number> {
  const all = [pid, ...childrenOf(pid)].map(
    (each) => [nameOf(each, pid), residentOf(each)] as const,
  );
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf(pid: number, server: number): string {
  if (pid === server) return 'serve';
  const helper = /BRICKMARK_HELPER=(\w+)/.exec(readProcess(pid, 'environ'));
  return helper?.[1] ?? `process ${pid}`;
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProcess(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** Empty if the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
