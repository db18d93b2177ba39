/** The exact JSON of `data`, and the tag that callers who have kept it ask again with. */
import { hash } from 'node:crypto';

/** Characters of a tag: 132 bits of a SHA-256, which nobody meets twice, not even on purpose. */
const tagLength = 22;

/** What a tag takes in memory, in characters. */
const tagRoom = 60;

/**
 * The JSON of an answer. What is kept in memory is kept as this, because its tag is then made once,
 * when it is first asked for, and not again for every answer.
 */
export class AnswerData {
  private made: string | null = null;

  constructor(readonly json: string) {}

  /**
   * The value of `ETag`. It follows from the bytes that are served and from nothing else, so that
   * it is never the tag of other data. It is weak, because the rest of an answer, `meta`, is
   * another one each time.
   */
  get tag(): string {
    this.made ??= `W/"${hash('sha256', this.json, 'base64url').slice(0, tagLength)}"`;
    return this.made;
  }
}

/** What data takes in memory with its tag, in characters. */
export function roomOf({ json }: AnswerData): number {
  return json.length + tagRoom;
}

/** One tag of a list; members may be empty. */
const listed = /[\s,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/y;

/**
 * Whether `If-None-Match` names a tag, by the weak comparison that it is made with. `*` is any tag
 * there is. What is no list of tags names none: the answer is then given as if nothing were asked.
 */
export function namesTag(header: string, tag: string): boolean {
  // Nearly everybody sends back the one tag that they were given.
  if (header === tag || header.trim() === '*') return true;
  const wanted = opaque(tag);
  listed.lastIndex = 0;
  for (let found = listed.exec(header); found; found = listed.exec(header)) {
    if (opaque(found[1] ?? '') === wanted) return true;
  }
  return false;
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
