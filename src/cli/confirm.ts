/** Asks before something is removed. */
import { createInterface } from 'node:readline';
import type { Terminal } from './command.ts';

/** Whether a person types yes. */
export async function confirm(
  { stdin, draw }: Pick<Terminal, 'stdin' | 'draw'>,
  question: string,
): Promise<boolean> {
  draw(`${question} [y/N] `);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
