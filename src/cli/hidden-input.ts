/** A line that is typed without being shown: a password, a key. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, type Terminal } from './command.ts';

/** The line that was typed, or the first one of standard input; '' when there is none. */
export async function readHidden(
  { stdin, draw }: Pick<Terminal, 'stdin' | 'draw'>,
  prompt: string,
): Promise<string> {
  const isTyped = stdin.isTTY === true;
  if (isTyped) draw(prompt);
  // Nothing that is typed is echoed.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: isTyped });
  let isEnded = false;
  // While a line is typed, Ctrl-C is a character and no signal.
  lines.on('SIGINT', () => {
    isEnded = true;
    lines.close();
  });
  try {
    for await (const line of lines) return line;
    if (isEnded) throw new CommandError('Canceled; nothing was changed.');
    return '';
  } finally {
    lines.close();
    if (isTyped) draw('\n');
  }
}
