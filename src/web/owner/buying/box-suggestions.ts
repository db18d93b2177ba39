/** Finds suggestions for rows that are not in the catalog. */
import type { EvaluatedRow } from '../../../buying/boxes/evaluate-rows.work.ts';
import { nearNumbers } from '../../../buying/boxes/near-numbers.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { suggestItems } from '../../catalog/find-item.ts';
import { choiceValue, type SuggestedItem } from '../../kit/set-picker.tsx';
import type { WebDeps } from '../../page.ts';

/** Searches are made for this many rows of a page. */
const searchedRowsMax = 12;

const suggestionsMax = 6;

/** By the position of the row. */
export async function suggestRows(deps: WebDeps, rows: readonly EvaluatedRow[]) {
  const unknown = rows.filter(({ item }) => item === null).slice(0, searchedRowsMax);
  const near = await findNear(deps, unknown);
  const found = unknown.map(async ({ row, index }) => {
    const named = await findNamed(deps, row.ignored);
    const all = [...named, ...(near.get(index) ?? [])];
    const unique = new Map(all.map((item) => [choiceValue(item), item]));
    return [index, [...unique.values()].slice(0, suggestionsMax)] as const;
  });
  return new Map(await Promise.all(found));
}

const namedMax = 3;

async function findNamed(deps: WebDeps, text: string): Promise<SuggestedItem[]> {
  const sets = await suggestItems(deps, 'set', text);
  const minifigs = sets.length > 0 ? [] : await suggestItems(deps, 'minifig', text);
  return [...sets, ...minifigs].slice(0, namedMax);
}

/** Sets whose number is nearly the same; all rows are looked up at once. */
async function findNear({ market }: WebDeps, rows: readonly EvaluatedRow[]) {
  const keys = rows.map(({ row, index }) => {
    const near = row.number === null ? [] : nearNumbers(row.number);
    return { index, keys: near.map((number) => itemKey('set', number)) };
  });
  const all = new Set(keys.flatMap((each) => each.keys));
  if (all.size === 0) return new Map();
  const names = await market.findNames('set', [...all]);
  const found = keys.map(({ index, keys: own }) => {
    const items = own.flatMap((key) => {
      const item = names.get(key);
      const { number = '', name: title = '' } = item ?? {};
      return item ? [{ kind: 'set', number, title, theme: '', year: null } as const] : [];
    });
    return [index, items] as const;
  });
  return new Map(found.map(([index, items]) => [index, [...items]]));
}
