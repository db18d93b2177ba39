/** Guesses the columns of an unknown spreadsheet from its header and first rows. */

/** In the order of the form. */
export const columnRoles = [
  'number',
  'name',
  'quantity',
  'condition',
  'price',
  'total',
  'date',
  'collection',
  'status',
  'notes',
  'tags',
  'place',
  'shop',
  'asking',
  'listed',
  'link',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** Column indexes by role. */
export type ColumnMapping = Partial<Readonly<Record<ColumnRole, number>>>;

/** Names of columns, best match first. */
const names: Readonly<Record<ColumnRole, readonly string[]>> = {
  number: [
    'set number',
    'set num',
    'set no',
    'set nr',
    'set id',
    'set',
    'item number',
    'item no',
    'item nr',
    'item id',
    'lego number',
    'lego no',
    'lego set',
    'product number',
    'number',
    'num',
    'no',
    'nr',
    'item',
    'lego',
    'sku',
    'reference',
    'ref',
    'article',
    'setnummer',
    'nummer',
    'numero',
  ],
  total: [
    'total paid',
    'total cost',
    'total price',
    'cost total',
    'price total',
    'total',
    'gesamt',
  ],
  price: [
    'price paid',
    'purchase price',
    'price each',
    'unit price',
    'unit cost',
    'cost each',
    'buy price',
    'paid each',
    'paid',
    'cost',
    'price',
    'bought for',
    'each',
    'kaufpreis',
    'preis',
    'prix',
  ],
  date: [
    'purchase date',
    'date purchased',
    'date of purchase',
    'date bought',
    'bought on',
    'order date',
    'date acquired',
    'date',
    'when',
    'bought',
    'purchased',
    'acquired',
    'date added',
    'kaufdatum',
    'datum',
  ],
  quantity: ['quantity', 'qty', 'owned', 'count', 'copies', 'units', 'anzahl', 'menge', 'quantite'],
  condition: ['condition', 'cond', 'state', 'new used', 'sealed', 'zustand', 'etat'],
  status: ['status', 'listed'],
  collection: ['collection', 'folder', 'list', 'where'],
  asking: ['asking price', 'asking', 'for sale price'],
  listed: ['listed at', 'listed on', 'date listed', 'listing date'],
  link: ['listing url', 'listing link', 'listing', 'url', 'link'],
  shop: ['bought at', 'bought from', 'purchased from', 'store', 'shop', 'seller'],
  place: ['place', 'location', 'storage', 'shelf', 'bin', 'box', 'room'],
  tags: ['tags', 'tag', 'labels', 'keywords'],
  notes: ['notes', 'note', 'comments', 'comment', 'remarks', 'remark', 'memo', 'notizen'],
  name: ['name', 'title', 'set name', 'item name', 'description', 'titel', 'nom', 'bezeichnung'],
};

/** Words that rule a role out, such as retail prices and piece counts. */
const others: Partial<Readonly<Record<ColumnRole, RegExp>>> = {
  number: /\b(pieces|parts|minifigs?|name|theme|of)\b/,
  price: /\b(retail|rrp|msrp|list|market|current|value|sold|sale|selling|asking)\b/,
  total: /\b(retail|rrp|msrp|list|market|current|value|sold|sale|selling|asking|pieces)\b/,
  date: /\b(release|released|launch|exit|retired|sold|sale)\b/,
  quantity: /\b(sold|wanted|pieces|parts|minifigs?)\b/,
};

/** Roles in the order in which they choose columns. */
const takingOrder = Object.keys(names) as ColumnRole[];

/** A set number, possibly with other text, or a minifig number. */
const holdsNumber = /(?<!\d)\d{3,7}(-\d{1,2})?(?!\d)|^[a-z]{2,4}\d{2,4}[a-z]?$/i;

/** Nothing but a set number. */
const isSetNumber = /^\d{4,7}(-\d{1,2})?$/;

/** Exact names win over partial ones. */
export function guessColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): ColumnMapping {
  const keys = header.map(wordsOf);
  const taken = new Map<ColumnRole, number>();
  const isFree = (index: number) => ![...taken.values()].includes(index);
  const mayBe = (role: ColumnRole, index: number) =>
    isFree(index) &&
    !others[role]?.test(keys[index] ?? '') &&
    (role !== 'number' || mostCells(rows, index, holdsNumber));
  for (const fits of [isSame, isPart]) {
    for (const role of takingOrder) {
      if (taken.has(role)) continue;
      for (const name of names[role]) {
        const index = keys.findIndex((key, at) => fits(key, name) && mayBe(role, at));
        if (index < 0) continue;
        taken.set(role, index);
        break;
      }
    }
  }
  if (!taken.has('number')) {
    const index = keys.findIndex(
      (_, at) => isFree(at) && rows.length > 0 && mostCells(rows, at, isSetNumber),
    );
    if (index >= 0) taken.set('number', index);
  }
  return Object.fromEntries(taken);
}

/** Whether the first line has a set number, so it is a row. */
export function isHeaderless(header: readonly string[]): boolean {
  return header.some((cell) => isSetNumber.test(cell.trim()));
}

/** Lower case words without accents, separated by single spaces. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('#', ' number ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function isSame(key: string, name: string): boolean {
  return key === name;
}

function isPart(key: string, name: string): boolean {
  return ` ${key} `.includes(` ${name} `);
}

/** Whether at least half of the nonempty cells match. */
function mostCells(rows: readonly (readonly string[])[], index: number, pattern: RegExp): boolean {
  const cells = rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
  return cells.filter((cell) => pattern.test(cell)).length * 2 >= cells.length;
}
