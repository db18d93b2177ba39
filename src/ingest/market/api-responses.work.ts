/** Reads JSON responses of data services: one record, several, or an error. */

import { asObject, type JsonObject } from '../../kernel/json.ts';
import { type JsonRecord, readJsonRecords } from '../readers/json-records.work.ts';
import { openSources, SourceFileError } from '../readers/source-file.work.ts';
import type { ReadOptions } from '../runner/format.work.ts';

export interface ResponseFormat {
  /** The field with the records of a file. */
  readonly listName: string;
  /** The records of a response; null if it is a record itself. */
  membersOf(answer: JsonObject): readonly unknown[] | null;
  /** Why a response has no records; null if it has. */
  problemOf(answer: JsonObject): string | null;
}

export type LocatedRecord =
  | { readonly where: string; readonly record: JsonObject }
  | { readonly where: string; readonly reason: string };

/**
 * Yields the records of files and folders one by one. A response without records is a reject, so
 * that others in the folder are imported; if it is the only one, it throws.
 */
export async function* readResponses(
  paths: readonly string[],
  options: ReadOptions,
  format: ResponseFormat,
): AsyncGenerator<LocatedRecord> {
  let first: LocatedRecord | null = null;
  let count = 0;
  for await (const found of readAll(paths, options, format.listName)) {
    for (const record of unfold(found, format)) {
      if (++count === 1) {
        first = record;
        continue;
      }
      if (first) yield first;
      first = null;
      yield record;
    }
  }
  if (first && 'reason' in first) throw new SourceFileError(`${first.where}: ${first.reason}.`);
  if (first) yield first;
}

async function* readAll(paths: readonly string[], options: ReadOptions, listName: string) {
  for await (const part of openSources(paths, options)) {
    for await (const group of readJsonRecords(part, listName)) yield* group;
  }
}

function unfold({ where, value }: JsonRecord, format: ResponseFormat): LocatedRecord[] {
  const response = asObject(value);
  if (response === null) return [{ where, reason: 'the record is not a JSON object' }];
  const reason = format.problemOf(response);
  if (reason !== null) return [{ where, reason }];
  const members = format.membersOf(response);
  if (members === null) return [{ where, record: response }];
  const inner = { ...format, membersOf: () => null };
  return members.flatMap((member, index) =>
    unfold({ where: `${where}.${index + 1}`, value: member }, inner),
  );
}
