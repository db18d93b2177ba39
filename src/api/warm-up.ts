/**
 * Work before the first request, so that no visitor waits for it. `/readyz` returns 503 until then;
 * requests are answered all the same.
 */

import type { Log } from '../http/log.ts';
import { secondMs } from '../kernel/time.ts';
import { withTimeout } from '../kernel/timeout.ts';

/** After this, the server is ready anyway: slow first pages are better than none. */
const patienceMs = 60 * secondMs;

interface WarmUpOptions {
  readonly isReady?: boolean;
  readonly msMax?: number;
}

export class WarmUp {
  private isOver = false;
  private readonly isReady: boolean;
  private readonly msMax: number;

  /** `isReady`: a server that was ready before stays ready while it warms up again. */
  constructor(
    private readonly log: Pick<Log, 'failure'>,
    { isReady = false, msMax = patienceMs }: WarmUpOptions = {},
  ) {
    this.isReady = isReady;
    this.msMax = msMax;
  }

  get isDone(): boolean {
    return this.isOver || this.isReady;
  }

  /** Never rejects: what fails is logged. */
  async run(parts: readonly PromiseLike<unknown>[]): Promise<void> {
    await Promise.all(parts.map((part) => withTimeout(part, this.msMax, tooLate).catch(this.note)));
    this.isOver = true;
  }

  /** The server is stopping, so nothing is a failure any more. */
  end(): void {
    this.isOver = true;
  }

  private readonly note = (error: unknown): void => {
    if (!this.isOver) this.log.failure('warming', error);
  };
}

function tooLate(): Error {
  return new Error('Warming up takes too long. The first pages may be slow.');
}
