/** A minimal reader of Rebrickable dumps, to compare the importer with. */
import { join } from 'node:path';
import { readPlainCsv } from './plain-csv.ts';

type Rows = Readonly<Record<string, string>>[];

/**
 * Comparable facts of each item by kind and number. Case does not distinguish numbers, but a
 * different case is a change of facts.
 */
export function plainRebrickable(folder: string): Map<string, string> {
  const table = (name: string) => readPlainCsv(join(folder, `${name}.csv`));
  const sets = table('sets');
  const contents = plainContents(table);
  const themes = new Map(table('themes').map((theme) => [theme.id, theme]));
  const path = (id = ''): string[] => {
    const theme = themes.get(id);
    return theme ? [...path(theme.parent_id), theme.name ?? ''] : [];
  };
  const years = new Map<string, number>();
  const items = new Map<string, string>();
  for (const set of sets) {
    const inside = contents(set.set_num ?? '');
    for (const [minifig] of inside) {
      years.set(minifig, Math.min(Number(set.year), years.get(minifig) ?? 9999));
    }
    const names = path(set.theme_id);
    const number = (set.set_num ?? '').replace(' -', '-');
    const about = [
      number,
      set.name,
      set.year,
      set.num_parts,
      set.img_url,
      names[0],
      names.slice(1).at(-1),
    ];
    items.set(
      `set ${number.toLowerCase()}`,
      JSON.stringify([about, inside.map(([minifig]) => minifig), sum(inside)]),
    );
  }
  for (const minifig of table('minifigs')) {
    const about = [minifig.name, minifig.img_url, years.get(minifig.fig_num ?? '')];
    items.set(`minifig ${minifig.fig_num}`, JSON.stringify(about));
  }
  return items;
}

/** Minifigs with their counts, from all inventories of a set and the sets in its newest one. */
function plainContents(table: (name: string) => Rows): (set: string) => [string, number][] {
  const newest = new Map<string, Readonly<Record<string, string>>>();
  for (const inventory of table('inventories')) {
    const before = newest.get(inventory.set_num ?? '');
    if (!before || Number(inventory.version) > Number(before.version)) {
      newest.set(inventory.set_num ?? '', inventory);
    }
  }
  const minifigs = Map.groupBy(table('inventory_minifigs'), (row) => row.inventory_id);
  const sets = Map.groupBy(table('inventory_sets'), (row) => row.inventory_id);
  const inventories = Map.groupBy(table('inventories'), (row) => row.set_num);
  const own = (set: string) => {
    const most = new Map<string, number>();
    for (const { id } of inventories.get(set) ?? []) {
      for (const [number = '', rows] of Map.groupBy(minifigs.get(id) ?? [], (r) => r.fig_num)) {
        const count = rows.reduce((total, row) => total + Number(row.quantity), 0);
        most.set(number, Math.max(count, most.get(number) ?? 0));
      }
    }
    return most;
  };
  const add = (set: string, times: number, counts: Map<string, number>) => {
    const id = newest.get(set)?.id;
    for (const [number, count] of own(set)) {
      counts.set(number, (counts.get(number) ?? 0) + times * count);
    }
    for (const row of sets.get(id) ?? []) {
      add(row.set_num ?? '', times * Number(row.quantity), counts);
    }
    return counts;
  };
  return (set) => [...add(set, 1, new Map())].sort(([a], [b]) => (a < b ? -1 : 1));
}

function sum(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}
