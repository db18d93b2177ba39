/** Rebrickable's tables refer to each other: all six of one day are imported together, or none. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { asObject, type JsonValue } from '../../kernel/json.ts';
import { noValidators, type SourceClient, SourceError, type Validators } from '../client.work.ts';
import type { Answer } from '../connector.work.ts';
import { type FetchedFile, fetchFile, validatorsIn } from '../responses.work.ts';
import { baseUrl, defineSource, every } from '../source.work.ts';

/** Tables with the start of their headers; the most frequently changed one first. */
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

/** The smallest table. */
const checkedTable: TableName = 'themes';

/** About ten times the largest table, compressed and not. */
const [packedBytesMax, bytesMax] = [32 * 1024 * 1024, 128 * 1024 * 1024];

/** Longer than every header. */
const headerSliceMax = 100;

const unpack = promisify(gunzip);

type AllValidators = ReadonlyMap<TableName, Validators>;

export const rebrickableSource = defineSource({
  name: 'rebrickable',
  data: 'Catalog',
  settings: {
    url: baseUrl('https://cdn.rebrickable.com/media/downloads/'),
    everyMs: every('24h'),
  },
  connect: ({ url, everyMs }) => ({
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
  }),
});

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
  await requireUnchanged(client, url, fetched);
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

/** The first table that has changed; empty if none has. */
async function findChanged(client: SourceClient, url: URL, known: AllValidators): Promise<Tables> {
  for (const name of tableNames) {
    const file = await fetchTable(client, url, {
      name,
      unlessSame: known.get(name) ?? noValidators,
    });
    if (file !== null) return new Map([[name, file]]);
  }
  return new Map();
}

/**
 * New tables may be published during the download. If the first table is still the same at the end,
 * the others belong to it.
 */
async function requireUnchanged(client: SourceClient, url: URL, fetched: Tables): Promise<void> {
  const [first] = fetched;
  if (first === undefined) return;
  const [name, { validators, bytes }] = first;
  if (!isKnown(validators)) return;
  const again = await fetchTable(client, url, { name, unlessSame: validators });
  // Some servers send unchanged tables again.
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

/** An HTML page or part of a table may be sent instead. */
async function requireTable(name: TableName, bytes: Uint8Array): Promise<void> {
  const problem = new SourceError(`Rebrickable sent a file that is not its ${name}.`, 'later');
  const text = isPacked(bytes)
    ? await unpack(bytes, { maxOutputLength: bytesMax }).catch(() => {
        throw problem;
      })
    : bytes;
  const slice = new TextDecoder().decode(text.subarray(0, headerSliceMax));
  const beginning = slice.replace(/^\ufeff/, '');
  if (!beginning.startsWith(tables[name])) throw problem;
}

/** Some servers declare compressed files as `Content-Encoding`, so they arrive decompressed. */
function fileName(name: TableName, bytes: Uint8Array): string {
  return isPacked(bytes) ? `${name}.csv.gz` : `${name}.csv`;
}

function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function notOneDump(): SourceError {
  return new SourceError('Rebrickable published new tables during the download.', 'later');
}

function isKnown({ etag, lastModified }: Validators): boolean {
  return (etag ?? lastModified) !== null;
}

/** Null unless all tables have validators. */
function readValidators(cursor: JsonValue): AllValidators | null {
  const kept = asObject(cursor) ?? {};
  const all = new Map(tableNames.map((name) => [name, validatorsIn(kept[name])]));
  return [...all.values()].every(isKnown) ? all : null;
}

function keptAll(fetched: Tables): JsonValue {
  return Object.fromEntries([...fetched].map(([name, { validators }]) => [name, validators]));
}
