/** Runs a program and measures its peak memory and CPU time. */
import { existsSync, readFileSync } from 'node:fs';

export interface Measured {
  readonly status: number;
  readonly stderr: string;
  /** Peak, in bytes. */
  readonly memory: number;
  readonly cpuSeconds: number;
}

/** The interval between samples of its memory. */
const lookMs = 10;

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
 * Peak memory of a process so far (VmHWM). The maxRSS reported at its end includes the memory of
 * the process that it was forked from.
 */
export function peakOf(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
