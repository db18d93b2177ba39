/** Answers of data services as JSON: one record, several, or the word that there are none. */
import type { ReadOptions } from '../format.ts';
import { asObject, type JsonObject } from '../json-values.ts';
import { type JsonRecord, readJsonRecords } from '../readers/json-records.ts';
import { listFiles, openSource, SourceFileError } from '../readers/source-file.ts';

/** A record of an answer. */
export type AnswerRecord = JsonObject;

/** How a service answers. */
export interface AnswerForm {
  /** The field under which a file lists its records. */
  readonly listName: string;
  /** The records inside an answer; null when it is a record itself. */
  membersOf(answer: AnswerRecord): readonly unknown[] | null;
  /** Why an answer holds no records at all; null when it does. */
  faultOf(answer: AnswerRecord): string | null;
}

/** A record with its place, or the reason why there is none. */
export type PlacedAnswer =
  | { readonly where: string; readonly record: AnswerRecord }
  | { readonly where: string; readonly reason: string };

/**
 * The records in files and folders, one at a time. An answer without records is one rejected row,
 * so that it does not keep the others of a folder out; when it is all there is, it is a fault.
 */
export async function* readAnswers(
  paths: readonly string[],
  options: ReadOptions,
  form: AnswerForm,
): AsyncGenerator<PlacedAnswer> {
  let first: PlacedAnswer | null = null;
  let count = 0;
  for await (const found of readAll(paths, options, form.listName)) {
    for (const answer of unfold(found, form)) {
      if (++count === 1) {
        first = answer;
        continue;
      }
      if (first) yield first;
      first = null;
      yield answer;
    }
  }
  if (first && 'reason' in first) throw new SourceFileError(`${first.where}: ${first.reason}.`);
  if (first) yield first;
}

async function* readAll(paths: readonly string[], options: ReadOptions, listName: string) {
  for (const file of paths.flatMap((path) => listFiles(path))) {
    for await (const part of openSource(file, options)) {
      for await (const group of readJsonRecords(part, listName)) yield* group;
    }
  }
}

function unfold({ where, value }: JsonRecord, form: AnswerForm): PlacedAnswer[] {
  const answer = asObject(value);
  if (answer === null) return [{ where, reason: 'the record is not a JSON object' }];
  const reason = form.faultOf(answer);
  if (reason !== null) return [{ where, reason }];
  const members = form.membersOf(answer);
  if (members === null) return [{ where, record: answer }];
  const inner = { ...form, membersOf: () => null };
  return members.flatMap((member, index) =>
    unfold({ where: `${where}.${index + 1}`, value: member }, inner),
  );
}
