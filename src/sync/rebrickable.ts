/**
 * Rebrickable's tables. They refer to each other, so they are fetched and imported together: all
 * six of one day, or none.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { asObject, type JsonValue } from '../domain/kernel/json.ts';
import { noValidators, type SourceClient, SourceError, type Validators } from './client.ts';
import type { Answer, AnswerFile, Connector } from './connector.ts';
import { type FetchedFile, fetchFile, keptValidators, validatorsIn } from './fetched-file.ts';
import type { RebrickableSettings } from './settings.ts';

/** The tables, each with the beginning of its header. */
const tables = {
  themes: 'id,name,parent_id',
  sets: 'set_num,name,',
  minifigs: 'fig_num,name,',
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
      return 'Rebrickable answers, and its tables can be fetched.';
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
  if (known !== null && !(await hasChanged(client, url, known))) return { files: [] };
  const files: AnswerFile[] = [];
  const validators: Partial<Record<TableName, Validators>> = {};
  for (const name of tableNames) {
    const fetched = await fetchTable(client, url, { name, unlessSame: noValidators });
    if (fetched === null) throw notOneDump();
    files.push({
      name: fileName(name, fetched.bytes),
      bytes: fetched.bytes,
      format: 'rebrickable',
    });
    validators[name] = fetched.validators;
  }
  const all = { ...nothingKnown, ...validators };
  // New tables may have been put there one by one, while these were fetched one by one.
  if (isValidated(all) && (await hasChanged(client, url, all))) throw notOneDump();
  return { files, cursor: keptAll(all) };
}

/** Whether any table is another one than it was. */
async function hasChanged(client: SourceClient, url: URL, known: AllValidators): Promise<boolean> {
  for (const name of tableNames) {
    const fetched = await fetchTable(client, url, { name, unlessSame: known[name] });
    if (fetched !== null) return true;
  }
  return false;
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
  const problem = new SourceError(`Rebrickable sent something that is not its ${name}.`, 'later');
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
  return new SourceError('Rebrickable put new tables there while they were fetched.', 'later');
}

const nothingKnown: AllValidators = {
  themes: noValidators,
  sets: noValidators,
  minifigs: noValidators,
  inventories: noValidators,
  inventory_minifigs: noValidators,
  inventory_sets: noValidators,
};

/** Whether the server says of every table which version it is. */
function isValidated(all: AllValidators): boolean {
  return tableNames.every((name) => (all[name].etag ?? all[name].lastModified) !== null);
}

/** What is known of all tables; null unless it is known of all. */
function readValidators(cursor: JsonValue): AllValidators | null {
  const kept = asObject(cursor) ?? {};
  const entries = tableNames.map((name) => [name, validatorsIn(kept[name])]);
  const all: AllValidators = { ...nothingKnown, ...Object.fromEntries(entries) };
  return isValidated(all) ? all : null;
}

function keptAll(all: AllValidators): JsonValue {
  return Object.fromEntries(tableNames.map((name) => [name, keptValidators(all[name])]));
}
