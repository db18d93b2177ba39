/** Reads a password or key without echo. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, type Terminal } from './command.ts';

/** The first line of standard input; '' if it is empty. */
export async function readHidden(
  { stdin, draw }: Pick<Terminal, 'stdin' | 'draw'>,
  prompt: string,
): Promise<string> {
  const isTyped = stdin.isTTY === true;
  if (isTyped) draw(prompt);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: isTyped });
  let isEnded = false;
  // In raw mode, Ctrl-C is a character, not a signal.
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
