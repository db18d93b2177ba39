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
    for (const minifig of inside.numbers) {
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
    items.set(`set ${number.toLowerCase()}`, JSON.stringify([about, inside.numbers, inside.units]));
  }
  for (const minifig of table('minifigs')) {
    const about = [minifig.name, minifig.img_url, years.get(minifig.fig_num ?? '')];
    items.set(`minifig ${minifig.fig_num}`, JSON.stringify(about));
  }
  return items;
}

/** Minifigs of all inventories of a set and the sets in its newest one; units in the newest. */
function plainContents(table: (name: string) => Rows) {
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
  /** The set once for every time that it is in another, with the sets inside. */
  const all = (set: string): string[] => [
    set,
    ...(sets.get(newest.get(set)?.id) ?? []).flatMap(({ set_num = '', quantity }) =>
      Array.from({ length: Number(quantity) }, () => all(set_num)).flat(),
    ),
  ];
  return (set: string) => {
    const ids = all(set).flatMap((inside) => inventories.get(inside) ?? []);
    const rows = ids.flatMap(({ id }) => minifigs.get(id) ?? []);
    const newestRows = all(set).flatMap((inside) => minifigs.get(newest.get(inside)?.id) ?? []);
    return {
      numbers: [...new Set(rows.map(({ fig_num = '' }) => fig_num))].sort(),
      units: newestRows.reduce((total, { quantity }) => total + Number(quantity), 0),
    };
  };
}
