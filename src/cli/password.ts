/** Reads a password: typed without being shown, or the first line of standard input. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Context } from './command.ts';

/** The password, without the end of its line. */
export async function readPassword(context: Context): Promise<string> {
  const isTyped = context.stdin.isTTY === true;
  if (isTyped) context.draw('Password: ');
  // Nothing that is typed is echoed.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: context.stdin, output: silence, terminal: isTyped });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isTyped) context.draw('\n');
  }
}
