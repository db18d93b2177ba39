/** Simulates Rebrickable's compressed tables. */
import { gzipSync } from 'node:zlib';
import type { MinifigFacts, SetFacts } from '../../src/catalog/items/catalog.ts';
import { itemKey } from '../../src/catalog/items/numbers.ts';
import { quoteCell } from '../../src/kernel/csv-cell.ts';
import { dayMs, dayOf, formatDay } from '../../src/kernel/time.ts';
import type { SourceHandler } from './faults.ts';
import type { SimulatedWorld } from './source-market.ts';
import { answerFile, type StoredFile } from './stored-file.ts';

/** Tables are published on days with changes. */
export function simulateRebrickable({ market, clock }: SimulatedWorld): SourceHandler {
  const dumps = new Map<string, ReadonlyMap<string, StoredFile>>();
  return (request) => {
    const day = dayOf(clock());
    const { sets, minifigs } = market.whole;
    const released = sets.filter(({ releaseDate }) => isOut(releaseDate, day));
    const name = released.map(({ number }) => number).join(' ');
    const dump = dumps.get(name) ?? packed(tablesOf(released, minifigs), day * dayMs);
    dumps.set(name, dump);
    const file = new URL(request.url).pathname.split('/').at(-1) ?? '';
    return answerFile(request, dump.get(file) ?? null);
  };
}

function isOut(releaseDate: string | null, day: number): boolean {
  return releaseDate === null || releaseDate <= formatDay(day * dayMs);
}

function packed(tables: Readonly<Record<string, string>>, at: number): Map<string, StoredFile> {
  const files = Object.entries(tables).map(([name, text]): [string, StoredFile] => {
    const bytes = new Uint8Array(gzipSync(text));
    return [`${name}.csv.gz`, { bytes, type: 'application/gzip', at }];
  });
  return new Map(files);
}

export function tablesOf(
  sets: readonly SetFacts[],
  minifigs: readonly MinifigFacts[],
): Record<string, string> {
  const themes = new ThemeIds();
  const numbers = new Map(
    minifigs.map((fig, index) => [itemKey('minifig', fig.number), figNumber(fig, index)]),
  );
  const setRows = sets.map((set) => [
    variantOf(set.number),
    set.title,
    set.year,
    themes.idOf(set),
    set.pieces ?? 0,
    set.imageUrl,
  ]);
  const contents = sets.flatMap(({ minifigs: inside }, index) =>
    [...countOf(inside ?? [])].flatMap(([number, quantity]) => {
      const fig = numbers.get(itemKey('minifig', number));
      return fig === undefined ? [] : [[index + 1, fig, quantity]];
    }),
  );
  return {
    themes: table(['id', 'name', 'parent_id'], themes.rows),
    sets: table(['set_num', 'name', 'year', 'theme_id', 'num_parts', 'img_url'], setRows),
    minifigs: table(
      ['fig_num', 'name', 'num_parts', 'img_url'],
      minifigs.map((fig, index) => [figNumber(fig, index), fig.name, 4, fig.imageUrl]),
    ),
    inventories: table(
      ['id', 'version', 'set_num'],
      sets.map(({ number }, index) => [index + 1, 1, variantOf(number)]),
    ),
    inventory_minifigs: table(['inventory_id', 'fig_num', 'quantity'], contents),
    inventory_sets: table(['inventory_id', 'set_num', 'quantity'], []),
  };
}

/** Rebrickable's set numbers always have a variant. */
function variantOf(number: string): string {
  return /-\d+$/.test(number) ? number : `${number}-1`;
}

/** Rebrickable has its own minifig numbers. */
function figNumber({ aliases }: MinifigFacts, index: number): string {
  const own = aliases.find((alias) => /^fig-\d{6}$/.test(alias));
  return own ?? `fig-${String(index + 1).padStart(6, '0')}`;
}

class ThemeIds {
  readonly rows: [id: number, name: string, parent: number | null][] = [];
  private readonly ids = new Map<string, number>();

  idOf({ theme, subtheme }: SetFacts): number {
    const parent = this.find(theme, null);
    return subtheme === null ? parent : this.find(subtheme, parent);
  }

  private find(name: string, parent: number | null): number {
    const key = JSON.stringify([parent, name]);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.rows.length + 1;
    this.rows.push([id, name, parent]);
    this.ids.set(key, id);
    return id;
  }
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

type Cell = string | number | null;

function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows]
    .map((row) => `${row.map((cell) => quoteCell(String(cell ?? ''))).join(',')}\n`)
    .join('');
}
