/** Details of the units of a lot besides the purchase: how values are read, and what they mean. */
import { countText } from '../../kernel/format.ts';
import { asObject } from '../../kernel/json.ts';
import { centsMax, type Reading, readCents } from '../../kernel/money.ts';
import { hiddenCharacterProblem, shortText, shortValue } from '../../kernel/text.ts';
import { dayOf, parseDay } from '../../kernel/time.ts';
import { parseGrade } from '../../market/grades/grades.ts';
import type { FieldValue } from './fields.ts';
import type { DetailField } from './lot-fields.ts';

export const detailLimits = {
  notes: 2_000,
  tags: 20,
  tag: 40,
  place: 100,
  boughtAt: 100,
  url: 2_000,
  ownFields: 10,
  ownName: 40,
  ownValue: 200,
} as const;

type DetailReading = Reading<FieldValue>;

type DetailRow =
  | { readonly kind: 'text' | 'lines'; readonly lengthMax: number }
  | { readonly kind: Exclude<DetailField['kind'], 'text' | 'lines'> };

/** Reads a detail from the feed, a file or a form, neither empty nor null. */
export function readDetail(row: DetailRow, value: unknown, today: string): DetailReading {
  switch (row.kind) {
    case 'text':
      return readText(value, row.lengthMax);
    case 'lines':
      return readLines(value, row.lengthMax);
    case 'tags':
      return readTags(value);
    case 'place':
      return readPlace(value);
    case 'url':
      return readUrl(value);
    case 'money':
      return readCents(value, centsMax);
    case 'day':
      return readDay(value, today);
    case 'grade':
      return readGrade(value);
    case 'own':
      return readOwn(value);
  }
}

/** Whole days that the units have been listed; null if they are not, or since when is unknown. */
export function daysListed(
  { status, listedAt }: { readonly status: string; readonly listedAt: string | null },
  today: number,
): number | null {
  const since = status === 'listed' && listedAt !== null ? parseDay(listedAt) : null;
  return since === null ? null : Math.max(0, today - dayOf(since));
}

const gradeForms =
  'perfect, light_wear, damaged_box, complete_boxed, complete, incomplete, incomplete_85 ' +
  '(with a percentage) or parts';

function readGrade(value: unknown): DetailReading {
  const grade = typeof value === 'string' ? parseGrade(value.trim()) : null;
  return grade ? { value: grade } : { problem: `must be ${gradeForms}, not ${shortValue(value)}` };
}

function readText(value: unknown, lengthMax: number): DetailReading {
  if (typeof value !== 'string') return { problem: `must be text, not ${shortValue(value)}` };
  const text = value.trim();
  const problem = hiddenCharacterProblem(text) ?? lengthProblem(text, lengthMax);
  return problem === null ? { value: text || null } : { problem };
}

function lengthProblem(text: string, lengthMax: number): string | null {
  return [...text].length > lengthMax
    ? `must have at most ${countText(lengthMax)} characters`
    : null;
}

/** Lines end in a line feed; tabs become spaces. */
function readLines(value: unknown, lengthMax: number): DetailReading {
  if (typeof value !== 'string') return { problem: `must be text, not ${shortValue(value)}` };
  const lines = value
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trimEnd());
  const text = lines.join('\n').trim();
  const problem =
    hiddenCharacterProblem(text.replaceAll('\n', ' ')) ?? lengthProblem(text, lengthMax);
  return problem === null ? { value: text || null } : { problem };
}

/** A list, or a text with commas. A tag counts once, in any case. */
function readTags(value: unknown): DetailReading {
  const list = typeof value === 'string' ? value.split(/[,;\n]/) : value;
  if (!Array.isArray(list) || !list.every((tag) => typeof tag === 'string')) {
    return { problem: `must be a list of text, not ${shortValue(value)}` };
  }
  const tags = new Map<string, string>();
  for (const tag of list) {
    const text = tag.trim().replace(/\s+/g, ' ');
    const problem =
      hiddenCharacterProblem(text) ??
      (/[,;]/.test(text) ? 'must not contain commas or semicolons' : null) ??
      lengthProblem(text, detailLimits.tag);
    if (problem) return { problem: `has a tag that ${problem}: '${shortText(text)}'` };
    const key = text.toLowerCase();
    if (text !== '' && !tags.has(key)) tags.set(key, text);
  }
  if (tags.size > detailLimits.tags) {
    return { problem: `must have at most ${detailLimits.tags} tags, not ${tags.size}` };
  }
  return { value: [...tags.values()].join(', ') || null };
}

export function tagsOf(tags: string | null): string[] {
  return tags === null ? [] : tags.split(', ');
}

const placeSeparator = ' › ';

/** `Shelf A > Bin 3` is the same as `Shelf A › Bin 3`. */
function readPlace(value: unknown): DetailReading {
  if (typeof value !== 'string') return { problem: `must be text, not ${shortValue(value)}` };
  const parts = value.split(/[›>»]/).map((part) => part.trim().replace(/ +/g, ' '));
  return readText(parts.filter(Boolean).join(placeSeparator), detailLimits.place);
}

/** Whether a place is another one or inside of it. */
export function isInPlace(place: string | null, outer: string): boolean {
  return place === outer || (place?.startsWith(outer + placeSeparator) ?? false);
}

/** A place and those it is in: `Shelf A`, `Shelf A › Bin 3`. */
export function outerPlaces(place: string | null): string[] {
  const parts = place === null ? [] : place.split(placeSeparator);
  return parts.map((_, index) => parts.slice(0, index + 1).join(placeSeparator));
}

function readDay(value: unknown, today: string): DetailReading {
  const day = typeof value === 'string' ? parseDay(value) : null;
  if (day === null || String(value) < '1900-01-01') {
    return { problem: `must be a date such as 2026-11-15, not ${shortValue(value)}` };
  }
  return String(value) > today
    ? { problem: `is in the future: ${value}; today is ${today}` }
    : { value: String(value) };
}

function readUrl(value: unknown): DetailReading {
  const read = readText(value, detailLimits.url);
  if ('problem' in read || read.value === null) return read;
  return /^https?:\/\/[^\s/]\S*$/i.test(String(read.value)) && URL.canParse(String(read.value))
    ? read
    : { problem: `must be an http or https address, not ${shortValue(value)}` };
}

/** An object of texts by name, which replaces all own fields of a lot. */
function readOwn(value: unknown): DetailReading {
  const object = asObject(value);
  if (object === null) {
    return { problem: `must be an object such as {"Buyer": "Ann"}, not ${shortValue(value)}` };
  }
  const values: [string, string][] = [];
  for (const [given, text] of Object.entries(object)) {
    const name = readOwnName(given);
    if ('problem' in name) return { problem: `has a name that ${name.problem}` };
    if (text === null) continue;
    // 1e400 is a JSON number, but read as infinite.
    const written = Number.isFinite(text) ? String(text) : text;
    const read = readText(written, detailLimits.ownValue);
    if ('problem' in read) return { problem: `has '${shortText(given)}', which ${read.problem}` };
    if (read.value !== null) values.push([name.value, String(read.value)]);
  }
  if (values.length > detailLimits.ownFields) {
    return { problem: `must have at most ${detailLimits.ownFields} fields` };
  }
  return { value: ownText(values) };
}

/** A name that an account gives to a field. */
export function readOwnName(text: string): { readonly value: string } | { problem: string } {
  const name = text.trim().replace(/ +/g, ' ');
  if (name === '') return { problem: 'is empty' };
  const problem =
    hiddenCharacterProblem(name) ??
    (/["\\]/.test(name) ? 'must not contain quotation marks or backslashes' : null) ??
    lengthProblem(name, detailLimits.ownName);
  return problem === null ? { value: name } : { problem };
}

/** Values by name as they are stored; null if there are none. */
export function ownText(values: Iterable<readonly [name: string, value: string]>): string | null {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return sorted.length === 0 ? null : JSON.stringify(Object.fromEntries(sorted));
}

/** Stored own fields, by name. */
export function ownValues(stored: string | null): Readonly<Record<string, string>> {
  return stored === null ? {} : JSON.parse(stored);
}

/** A name that an account gave to a field of its own. */
export interface OwnField {
  readonly id: number;
  readonly name: string;
}
