/** A progress line on the terminal. */
import { countText } from '../domain/kernel/format.ts';
import type { Store } from '../domain/store.ts';
import type { Context } from './command.ts';

const barWidth = 24;
const redrawMs = 100;

/** Draws how far a piece of work is; silent where nobody watches. */
export interface ProgressLine {
  update(done: number, total: number | null, step?: 'learning' | 'valuing'): void;
  end(): void;
}

/** A line that names the work and shows a bar, or a count when the end is not known. */
export function progressLine(context: Context, label: string): ProgressLine {
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

/** Publishes what is stale, with a line that shows how far it is. */
export async function publishWithProgress(
  store: Store,
  context: Context,
  label: string,
): Promise<number> {
  const progress = progressLine(context, label);
  const published = await context.makePublisher(store).publishStale(undefined, progress.update);
  progress.end();
  return published;
}

/** Does a step of something that takes long; people who watch see what it did, and how long. */
export async function takeStep(
  context: Context,
  { name, unit }: { readonly name: string; readonly unit: string },
  run: () => Promise<number>,
): Promise<void> {
  const startedAt = performance.now();
  const count = countText(await run());
  if (!context.isTerminal) return;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  context.say(
    `  ${name.padEnd(20)} ${count.padStart(9)} ${unit.padEnd(8)} ${seconds.padStart(5)} s`,
  );
}
