/** Standard input, which can be read once, kept on disk for what has to be read twice. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from './command.ts';

/** Input that can be opened as often as it is needed. */
export interface Input {
  open(): Readable;
  /** Removes what was kept. */
  close(): void;
}

/** The input as it comes: it is opened once at most. */
export function directInput(context: Context): Input {
  return { open: () => context.stdin, close: () => {} };
}

/** Reads the input to its end and keeps it, however long it is. */
export async function bufferInput(context: Context): Promise<Input> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-input-'));
  const path = join(folder, 'input');
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    await pipeline(context.stdin, createWriteStream(path));
  } catch (error) {
    close();
    throw error;
  }
  return { open: () => createReadStream(path), close };
}

/** Nothing to read. */
export const noInput: Input = { open: () => Readable.from([]), close: () => {} };
