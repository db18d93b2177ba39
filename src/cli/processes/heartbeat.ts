/**
 * Notices a child process that stands still, such as a stopped one. A child sends a beat every
 * second; one that is silent is not at once taken for dead, because its event loop may be blocked
 * by long work, or the machine may be busy. Whether it still runs is asked of the system.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Clock, secondMs } from '../../kernel/time.ts';

/** The IPC message of a heartbeat. */
const beat = 'beat';

export function isBeat(message: unknown): boolean {
  return message === beat;
}

export const beatMs = secondMs;

/** Runs in the child, until it ends. */
export function startBeating(): void {
  const send = () => {
    if (process.connected) process.send?.(beat);
    else endOrphan();
  };
  send();
  setInterval(send, beatMs).unref();
}

/** How long a helper may take to end by itself once the process that started it is gone. */
const orphanMs = 8 * secondMs;

/** Also ends one that was starting, or waits for a database, when the other process ended. */
function endOrphan(): void {
  setTimeout(() => process.exit(), orphanMs).unref();
}

/**
 * A silent process that does not run is replaced after this. With the silence before it is noticed,
 * and a restart, a replacement takes less than 10 s.
 */
const stillMs = 4 * secondMs;

/** Whether a process runs, as far as the system says. */
export interface Vitals {
  /** Whether a thread has work to do, or waits for a disk. */
  readonly isRunning: boolean;
  /** How often its threads were given the processor. */
  readonly turns: number;
}

/** Silence that is normal. */
const quietMs = 2 * beatMs;

interface HeartbeatDeps {
  readonly elapsed: Clock;
  /** Null if the system does not say. */
  findVitals(): Vitals | null;
}

export class Heartbeat {
  /** Time since the last beat, as far as this process itself was running. */
  silentMs = 0;
  private stillMs = 0;
  private turns: number | null = null;
  private lookedAt: number;

  constructor(
    /** One that runs without a beat, because its event loop is blocked, is replaced after this. */
    private readonly blockedMs: number,
    private readonly deps: HeartbeatDeps,
  ) {
    this.lookedAt = deps.elapsed();
  }

  note(): void {
    this.silentMs = 0;
    this.stillMs = 0;
    this.turns = null;
  }

  /** Called every `beatMs`; returns why the process must be replaced, or null. */
  look(): 'stands still' | 'is blocked' | null {
    const at = this.deps.elapsed();
    // If this process stood still itself, as after a pause of the whole machine, beats may wait to
    // be read, so only one interval counts.
    const passedMs = Math.min(at - this.lookedAt, beatMs);
    this.lookedAt = at;
    this.silentMs += passedMs;
    if (this.silentMs < quietMs) return null;
    this.stillMs = this.isMoving() ? 0 : this.stillMs + passedMs;
    if (this.stillMs >= stillMs) return 'stands still';
    return this.silentMs >= this.blockedMs ? 'is blocked' : null;
  }

  private isMoving(): boolean {
    const vitals = this.deps.findVitals();
    if (vitals === null) return true;
    const isMoving = vitals.isRunning || vitals.turns !== this.turns;
    this.turns = vitals.turns;
    return isMoving;
  }
}

/** From Linux; null on other systems, or if the process has ended. */
export function findVitals(pid: number): Vitals | null {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const all = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'));
    const turns = all
      .flatMap((text) => [...text.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)$/gm)])
      .reduce((sum, [, count]) => sum + Number(count), 0);
    return { isRunning: all.some((text) => /^State:\s*[RD]/m.test(text)), turns };
  } catch {
    return null;
  }
}

/** Resident memory, from Linux; 0 on other systems, or if the process has ended. */
export function findMemoryBytes(pid: number): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
