/** Ends a run in which no test has started for minutes, and names the current tests. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longer than any test may take, including its setup and cleanup. */
export const standstillMs = 600_000;

const checkMs = 5_000;

/** Watches the current tests of processes (`test/support/current-test.ts`). */
export class Standstill {
  /** Each process writes its current test to a file named by its process ID. */
  readonly folder = mkdtempSync(join(tmpdir(), 'brickmark-running-'));
  private readonly timer: NodeJS.Timeout;
  private readonly startedAt = Date.now();

  constructor(onStandstill: (running: readonly RunningTest[]) => void, limitMs = standstillMs) {
    this.timer = setInterval(
      () => {
        const running = this.list();
        const last = Math.max(this.startedAt, ...running.map(({ startedAt }) => startedAt));
        if (Date.now() - last > limitMs) onStandstill(running);
      },
      Math.min(checkMs, limitMs),
    );
  }

  close(): void {
    clearInterval(this.timer);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The current test of each running process. */
  private list(): RunningTest[] {
    return readdirSync(this.folder).flatMap((name) => {
      const path = join(this.folder, name);
      const pid = Number(name);
      if (!isRunning(pid)) return [];
      return [{ pid, name: readFileSync(path, 'utf8'), startedAt: statSync(path).mtimeMs }];
    });
  }
}

export interface RunningTest {
  readonly pid: number;
  /** The suite and the name of the test; empty between tests. */
  readonly name: string;
  readonly startedAt: number;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
