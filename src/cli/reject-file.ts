/** The file that keeps every rejected row. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Reject } from '../ingest/report.ts';
import { CommandError } from './command.ts';

/** Where rejected rows go. */
export interface RejectFile {
  add(reject: Reject & { readonly row: string }): void;
  close(): void;
}

/** Opens the file; without one, rejects are only counted. */
export function rejectFile(path: string | null): RejectFile {
  if (path === null) return { add: () => {}, close: () => {} };
  const file = openForWriting(path);
  return {
    add: (reject) => {
      writeSync(file, `${JSON.stringify(reject)}\n`);
    },
    close: () => closeSync(file),
  };
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new CommandError(`The reject file cannot be written: ${(error as Error).message}.`);
  }
}
