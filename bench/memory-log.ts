/** The memory of a server and its helper processes over time, from Linux's /proc. */
import { readFileSync } from 'node:fs';
import { processesFrom } from './process-seconds.ts';
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
function memoryBelow(pid: number): Map<string, number> {
  const all = processesFrom(pid).map(
    (each) => [nameOf(each, pid), megabytes(each, 'status', 'VmRSS')] as const,
  );
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One line for each process, and one for all; their pages of the program are shared. */
export function memoryReport(pid: number): string[] {
  const all = processesFrom(pid).map((each) => ({
    name: nameOf(each, pid),
    resident: megabytes(each, 'status', 'VmRSS'),
    proportional: megabytes(each, 'smaps_rollup', 'Pss'),
  }));
  const sum = (read: (one: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + read(one), 0);
  const total = {
    name: 'together',
    resident: sum(({ resident }) => resident),
    proportional: sum(({ proportional }) => proportional),
  };
  return [...all, total].map(
    ({ name, resident, proportional }) =>
      `  ${name.padEnd(10)} ${resident.toFixed(0).padStart(4)} MB resident (RSS), ` +
      `${proportional.toFixed(0).padStart(4)} MB with shared pages divided (PSS)`,
  );
}

function nameOf(pid: number, server: number): string {
  if (pid === server) return 'serve';
  const helper = /BRICKMARK_HELPER=(\w+)/.exec(readProcess(pid, 'environ'));
  return helper?.[1] ?? `process ${pid}`;
}

function megabytes(pid: number, file: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readProcess(pid, file));
  return Number(found?.[1] ?? 0) / 1024;
}

/** Empty if the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
