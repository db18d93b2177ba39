/** Progress lines on the terminal. */
import { countText, nounText } from '../kernel/format.ts';
import { secondMs } from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './command.ts';

const barWidth = 24;
const redrawMs = 100;

/** Prints nothing if standard error is not a terminal. */
interface ProgressLine {
  update(done: number, total: number | null, step?: 'learning' | 'valuing'): void;
  end(): void;
}

/** Shows a bar, or a count if the total is unknown. */
export function progressLine(
  context: Pick<Context, 'isTerminal' | 'draw'>,
  label: string,
): ProgressLine {
  let drawnAt = 0;
  let isDrawn = false;
  let learningSince: number | null = null;
  return {
    update: (done, total, step) => {
      const at = performance.now();
      if (!context.isTerminal || at - drawnAt < redrawMs) return;
      drawnAt = at;
      isDrawn = true;
      learningSince = step === 'learning' ? (learningSince ?? at) : null;
      const share = total ? bar(done / total) : countText(done);
      const text =
        learningSince === null
          ? `${label} ${share}`
          : `Learning from sales ${Math.round((at - learningSince) / 1000)} s`;
      context.draw(`\r\u001b[K${text}`);
    },
    end: () => {
      if (isDrawn) context.draw('\r\u001b[K');
    },
  };
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * barWidth);
  const percent = Math.floor(Math.min(1, share) * 100);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent}%`;
}

/** Runs `work` with a progress line, which is cleared when it ends. */
export async function withProgress<T>(
  context: Context,
  label: string,
  work: (update: ProgressLine['update']) => Promise<T>,
): Promise<T> {
  const progress = progressLine(context, label);
  try {
    return await work(progress.update);
  } finally {
    progress.end();
  }
}

/** Publishes everything that has changed. */
export function publishWithProgress(
  store: Store,
  context: Context,
  label: string,
): Promise<number> {
  return withProgress(context, label, (update) =>
    context.makePublisher(store).publishStale(undefined, update),
  );
}

/** Progress of steps that follow each other: a new label starts a new line. */
export function progressOfSteps(context: Context): {
  update(label: string, done: number, total: number | null): void;
  end(): void;
} {
  let current: { readonly label: string; readonly line: ProgressLine } | null = null;
  const end = () => {
    current?.line.end();
    current = null;
  };
  return {
    update: (label, done, total) => {
      if (current?.label !== label) {
        end();
        current = { label, line: progressLine(context, label) };
      }
      current.line.update(done, total);
    },
    end,
  };
}

/** Progress of a migration: now and then a line if standard error is not a terminal. */
export function fillProgress(context: Pick<Context, 'isTerminal' | 'draw' | 'say'>): {
  update(rows: number): void;
  end(): void;
} {
  const label = 'Filling new columns of the store';
  const line = progressLine(context, label);
  let saidAt = performance.now();
  return {
    update: (rows) => {
      line.update(rows, null);
      if (context.isTerminal || performance.now() - saidAt < patienceMs) return;
      saidAt = performance.now();
      context.say(`${label}: ${nounText(rows, 'row')} so far …`);
    },
    end: line.end,
  };
}

/** How long long work is said to take, and then the time between lines. */
export const patienceMs: number = 30 * secondMs;

/** Says now and then that long work goes on; terminals show its progress anyway. */
export async function withPatience<T>(
  context: Pick<Context, 'isTerminal' | 'say'>,
  text: string,
  work: () => Promise<T>,
  everyMs: number = patienceMs,
): Promise<T> {
  if (context.isTerminal) return work();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / secondMs);
    context.say(`${text}, after ${nounText(seconds, 'second')} …`);
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
