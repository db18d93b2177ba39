/** Runs a program and tells how much memory and time it took. */
import { existsSync, readFileSync } from 'node:fs';

/** What a program took. */
export interface Measured {
  readonly status: number;
  readonly stderr: string;
  /** At most, in bytes. */
  readonly memory: number;
  readonly cpuSeconds: number;
}

/** How often its memory is looked at. */
const lookMs = 10;

/** Runs a program to its end. */
export async function runMeasured(
  words: readonly string[],
  place: { readonly cwd?: string; readonly env?: Record<string, string | undefined> } = {},
): Promise<Measured> {
  const child = Bun.spawn([...words], {
    env: process.env,
    ...place,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  let memory = 0;
  const looking = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid));
  }, lookMs);
  const [stderr, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  clearInterval(looking);
  const used = child.resourceUsage();
  return {
    status,
    stderr,
    cpuSeconds: Number(used?.cpuTime.total ?? 0) / 1e6,
    memory: memory || (used?.maxRSS ?? 0),
  };
}

/**
 * The most that a process has had so far. What the system tells at its end will not do: there, a
 * process counts the memory of the one that started it as its own.
 */
function peakOf(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
