/**
 * The cursor of a page, as text: the sort key of the last item, and a mark of the list it belongs
 * to. It refers to no publication, so it stays valid.
 */
import { hash } from 'node:crypto';
import { bad } from '../contract/input-messages.ts';
import { shortText } from '../kernel/text.ts';
import type { SortKey } from '../market/lists/market-filters.ts';

const markLength = 8;

/** Lists with other filters or another order have other marks. */
export function listMark(list: object): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, markLength);
}

export function writeCursor(mark: string, { by, key }: SortKey): string {
  return Buffer.from(JSON.stringify([mark, by, key])).toString('base64url');
}

export function readCursor(mark: string, cursor: string): SortKey {
  const [of, by, key] = parse(cursor) ?? [];
  const isSortValue = typeof by === 'number' || typeof by === 'string' || by === null;
  if (typeof of !== 'string' || !isSortValue || typeof key !== 'string') {
    throw bad(
      "The query parameter 'after' must be the 'next' of the page before; " +
        `got '${shortText(cursor)}'.`,
    );
  }
  if (of !== mark) {
    throw bad(
      "The query parameter 'after' belongs to a list with other filters or another sort; send " +
        'them as for the page before, or leave it out.',
    );
  }
  return { by, key };
}

function parse(cursor: string): readonly unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}
