/** The file that keeps every rejected row. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { RejectedRow } from '../ingest/report.ts';
import { CommandError } from './command.ts';

/** Where rejected rows go. */
export interface RejectFile {
  add(reject: RejectedRow): void;
  close(): void;
}

/** Opens the file; without one, rejects are only counted. */
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
