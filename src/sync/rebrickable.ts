/**
 * Rebrickable's tables. They refer to each other, so they are fetched and imported together: all
 * six of one day, or none.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { asObject, type JsonValue } from '../domain/kernel/json.ts';
import { noValidators, type SourceClient, SourceError, type Validators } from './client.ts';
import type { Answer, Connector } from './connector.ts';
import { type FetchedFile, fetchFile, keptValidators, validatorsIn } from './fetched-file.ts';
import type { RebrickableSettings } from './settings.ts';

/** The tables, each with the beginning of its header; first the one that changes most often. */
const tables = {
  sets: 'set_num,name,',
  minifigs: 'fig_num,name,',
  themes: 'id,name,parent_id',
  inventories: 'id,version,set_num',
  inventory_minifigs: 'inventory_id,fig_num,',
  inventory_sets: 'inventory_id,set_num,',
} as const;
type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

/** The smallest of them. */
const checkedTable: TableName = 'themes';

/** Some ten times as much as the largest table has, packed and not. */
const [packedBytesMax, bytesMax] = [32 * 1024 * 1024, 128 * 1024 * 1024];

const unpack = promisify(gunzip);

type AllValidators = Readonly<Record<TableName, Validators>>;

/** Rebrickable, which needs no key for these. */
export function rebrickableConnector({ url, everyMs }: RebrickableSettings): Connector {
  return {
    name: 'rebrickable',
    step: 'catalog',
    budget: null,
    check: async (client) => {
      await fetchTable(client, url, { name: checkedTable, unlessSame: noValidators });
      return 'Connected to Rebrickable. Its tables can be downloaded.';
    },
    plan: async ({ cursor, at }) => {
      const known = readValidators(cursor);
      return {
        calls: [
          {
            subject: `${tableNames.length} tables`,
            reason: known === null ? 'nothing has been fetched yet' : 'they may have changed',
            cost: 1,
            questions: [],
            ask: (client) => askForAll(client, url, known),
          },
        ],
        nextAt: at + everyMs,
      };
    },
  };
}

async function askForAll(
  client: SourceClient,
  url: URL,
  known: AllValidators | null,
): Promise<Answer> {
  const fetched: Tables = known === null ? new Map() : await findChanged(client, url, known);
  if (known !== null && fetched.size === 0) return { files: [] };
  for (const name of tableNames.filter((each) => !fetched.has(each))) {
    const file = await fetchTable(client, url, { name, unlessSame: noValidators });
    if (file === null) throw notOneDump();
    fetched.set(name, file);
  }
  await requireStill(client, url, fetched);
  return {
    files: [...fetched].map(([name, { bytes }]) => ({
      name: fileName(name, bytes),
      bytes,
      format: 'rebrickable',
    })),
    cursor: keptAll(fetched),
  };
}

type Tables = Map<TableName, FetchedFile>;

/** The first table that is another one than it was; none when all are the same. */
async function findChanged(client: SourceClient, url: URL, known: AllValidators): Promise<Tables> {
  for (const name of tableNames) {
    const file = await fetchTable(client, url, { name, unlessSame: known[name] });
    if (file !== null) return new Map([[name, file]]);
  }
  return new Map();
}

/**
 * New tables may be put there while these are fetched, one by one. Then the one that was fetched
 * first is no longer the one that is there; if it is, those that came after it belong to it.
 */
async function requireStill(client: SourceClient, url: URL, fetched: Tables): Promise<void> {
  const [first] = fetched;
  if (first === undefined) return;
  const [name, { validators, bytes }] = first;
  if (!isKnown(validators)) return;
  const again = await fetchTable(client, url, { name, unlessSame: validators });
  // Some servers send a table again though it is the same.
  if (again !== null && !Buffer.from(again.bytes).equals(bytes)) throw notOneDump();
}

async function fetchTable(
  client: SourceClient,
  url: URL,
  { name, unlessSame }: { readonly name: TableName; readonly unlessSame: Validators },
): Promise<FetchedFile | null> {
  const fetched = await fetchFile(client, {
    url: new URL(`${name}.csv.gz`, url),
    unlessSame,
    bytesMax: packedBytesMax,
  });
  if (fetched !== null) await requireTable(name, fetched.bytes);
  return fetched;
}

/** A page for people, or half a table, may come in place of a table. */
async function requireTable(name: TableName, bytes: Uint8Array): Promise<void> {
  const problem = new SourceError(`Rebrickable sent a file that is not its ${name}.`, 'later');
  const text = isPacked(bytes)
    ? await unpack(bytes, { maxOutputLength: bytesMax }).catch(() => {
        throw problem;
      })
    : bytes;
  const beginning = new TextDecoder().decode(text.subarray(0, 100)).replace(/^\ufeff/, '');
  if (!beginning.startsWith(tables[name])) throw problem;
}

/** Some servers say of a packed file that it was packed for the way, and so it comes unpacked. */
function fileName(name: TableName, bytes: Uint8Array): string {
  return isPacked(bytes) ? `${name}.csv.gz` : `${name}.csv`;
}

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function notOneDump(): SourceError {
  return new SourceError('Rebrickable published new tables during the download.', 'later');
}

/** Whether the server says which version of a table it has. */
function isKnown({ etag, lastModified }: Validators): boolean {
  return (etag ?? lastModified) !== null;
}

/** What is known of all tables; null unless it is known of each. */
function readValidators(cursor: JsonValue): AllValidators | null {
  const kept = asObject(cursor) ?? {};
  const of = (name: TableName) => validatorsIn(kept[name]);
  const all: AllValidators = {
    sets: of('sets'),
    minifigs: of('minifigs'),
    themes: of('themes'),
    inventories: of('inventories'),
    inventory_minifigs: of('inventory_minifigs'),
    inventory_sets: of('inventory_sets'),
  };
  return tableNames.every((name) => isKnown(all[name])) ? all : null;
}

function keptAll(fetched: Tables): JsonValue {
  const entries = [...fetched].map(([name, { validators }]) => [name, keptValidators(validators)]);
  return Object.fromEntries(entries);
}
