/** Converts details of units in the files of other services to those of the feed. */

import { cutText } from '../../kernel/text.ts';
import type { Grade } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { detailLimits } from '../../portfolio/lots/lot-details.ts';

/** Fields of a `holding` line; those that a file does not have are left out. */
export type ImportedLotDetails = Readonly<Record<string, unknown>>;

/** Grades in the words of services and collectors, as letters and digits. */
const gradeWords: readonly (readonly [RegExp, Grade])[] = [
  [/^(new|sealed|misb|nisb|bnib)?(perfect|mint)(box)?$/, 'perfect'],
  [/^(new|sealed|misb|nisb)?(light|minor|slight|shelf)(box)?(wear|worn)(box)?$/, 'light_wear'],
  [/^(new|sealed|misb|nisb)?(damaged|dented|crushed|torn)box$/, 'damaged_box'],
  [/^(new|sealed|misb|nisb)?box(damaged|dented|crushed|torn)$/, 'damaged_box'],
  [/^(used)?(asnew|likenew|cib|completeinbox)$/, 'complete_boxed'],
  [
    /^(used)?complete(d)?(with|w)?(box|boxand)(and|with)?(instructions?|manual)?$/,
    'complete_boxed',
  ],
  [/^(used)?complete$/, 'complete'],
  [/^(used)?incomplete$/, 'incomplete'],
  [/^(used)?(for)?parts(only)?$/, 'parts'],
];

export function gradeOfWord(word: string): Grade | null {
  const key = word.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = gradeWords.find(([pattern]) => pattern.test(key));
  return found?.[1] ?? percentGrade(key);
}

/** `incomplete 85%` or `85% complete`. */
function percentGrade(key: string): Grade | null {
  const match = /^(?:used)?(?:incomplete([1-9]\d?)|([1-9]\d?)complete)$/.exec(key);
  const percent = match?.[1] ?? match?.[2];
  return percent === undefined ? null : `incomplete_${Number(percent)}`;
}

/** BrickLink's letter or word for what a set includes: C, B (or I), S. */
export function subconditionGrade(letter: string, condition: Condition): Grade | null {
  if (condition === 'sealed') return null;
  if (/^c/i.test(letter)) return 'complete';
  return /^[bi]/i.test(letter) ? 'incomplete' : null;
}

/** A remark for what no grade expresses, such as a new set that is not sealed. */
export function subconditionNote(letter: string, condition: Condition): string | null {
  if (condition === 'used') return null;
  if (/^c/i.test(letter)) return 'New, complete, not sealed';
  return /^[bi]/i.test(letter) ? 'New, incomplete' : null;
}

/** Texts of a file as one note: without control characters, and cut to what a note may have. */
export function noteOf(...texts: readonly (string | null | undefined)[]): string | null {
  const lines = texts.flatMap((text) => tidy(text ?? '') || []);
  const note = [...new Set(lines)].join('\n');
  return note === '' ? null : cutText(note, detailLimits.notes);
}

/** One line, cut to a length; null if it is empty. */
export function lineOf(text: string | null, lengthMax: number): string | null {
  const line = tidy(text ?? '').replace(/\s+/g, ' ');
  return line === '' ? null : cutText(line, lengthMax);
}

function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]/gu, ' ')
    .trim();
}
