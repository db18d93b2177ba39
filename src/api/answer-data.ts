/** The exact JSON of `data`, with its `ETag`. */
import { hash } from 'node:crypto';
import { joined, lengthOf, type TextParts } from '../http/text-parts.ts';

/** 132 bits of a SHA-256: no collisions, not even deliberate ones. */
const tagLength = 22;

/** The size of a tag in memory, in characters. */
const tagRoom = 60;

/**
 * The JSON of a response, in parts if it is long: joining them before they are encoded is several
 * times slower. Cached responses are kept in this form, so that the tag is computed once, when it
 * is first needed.
 */
export class AnswerData {
  private made: string | null = null;

  constructor(readonly text: TextParts) {}

  get json(): string {
    return joined(this.text);
  }

  /**
   * The value of `ETag`, derived only from the bytes of `data`. It is weak, because `meta` differs
   * in each response.
   */
  get tag(): string {
    this.made ??= `W/"${hash('sha256', this.json, 'base64url').slice(0, tagLength)}"`;
    return this.made;
  }
}

export function dataOf(value: unknown): AnswerData {
  return new AnswerData(JSON.stringify(value));
}

/** The size in memory with the tag, in characters. */
export function roomOf({ text }: AnswerData): number {
  return lengthOf(text) + tagRoom;
}

/** One tag of a list; members may be empty. */
const listed = /[\s,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/**
 * Whether `If-None-Match` contains a tag, by weak comparison. `*` matches any tag; an invalid
 * header matches none.
 */
export function namesTag(header: string, tag: string): boolean {
  // Fast path: clients usually send the one tag they got.
  if (header === tag || header.trim() === '*') return true;
  const sought = opaque(tag);
  listed.lastIndex = 0;
  for (let found = listed.exec(header); found; found = listed.exec(header)) {
    if (opaque(found[1] ?? '') === sought) return true;
  }
  return false;
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
