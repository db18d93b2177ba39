/** Standard input as the source of an import, and the file of its rejected rows. */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RejectedRow } from '../../ingest/runner/report.ts';
import { CommandError, type Context } from '../command.ts';

export interface StandardInput {
  open(): Readable;
  /** Deletes the buffer. */
  close(): void;
}

/** Can be opened only once. */
export function directInput(context: Context): StandardInput {
  return { open: () => context.stdin, close: () => {} };
}

/** Copies the input to a temporary file, so that it can be read twice. */
export async function bufferInput(context: Context): Promise<StandardInput> {
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

export const noInput: StandardInput = { open: () => Readable.from([]), close: () => {} };

export interface RejectFile {
  add(reject: RejectedRow): void;
  close(): void;
}

/** Without a path, rejects are only counted. */
export function rejectFile(path: string | null): RejectFile {
  if (path === null) return { add: () => {}, close: () => {} };
  const file = openForWriting(path);
  return {
    add: ({ where, reason, row }) => {
      writeSync(file, `${JSON.stringify({ where, reason, row })}\n`);
    },
    close: () => closeSync(file),
  };
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new CommandError(`Cannot write the reject file: ${(error as Error).message}.`);
  }
}
