/**
 * The answers of a kept store: every call that changes nothing, pages, files and exports. They are
 * recorded by `npm run store-of-release`, and compared by later versions.
 */
import { parse } from 'csv-parse/sync';
import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import { exportKinds } from '../../src/portfolio/export/export-records.work.ts';
import { exportFormats } from '../../src/portfolio/export/export-text.work.ts';
import type { Store } from '../../src/store/store.ts';
import { everyRequest, readKnown } from './every-request.ts';
import { accountsWithKey, type KeptAccess, keptNow, owner } from './kept-content.ts';
import { isOfOwnThing, withOwnIds } from './own-things.ts';
import { password } from './passwords.ts';
import { type Site, startSite } from './site.ts';
import { typeHere } from './typed.ts';

/** An opened store: the settings that select it, and how to open it here. */
export interface OpenedStore {
  readonly settings: Readonly<Record<string, string>>;
  open(): Promise<Store>;
}

const csvType = 'text/csv';

/** A call of the API by an account, a page of Ann's, or a command. */
export interface Question {
  readonly account?: string;
  readonly endpoint?: EndpointName;
  readonly path?: string;
  readonly init?: { readonly method?: string; readonly body?: string };
  readonly words?: readonly string[];
}

export interface Answer extends Question {
  readonly status: number;
  readonly type: string;
  /** JSON, the text of a CSV file, a hash of other files, or null for pages. */
  readonly body: unknown;
}

/**
 * A server without upkeep, publishing and deliveries, which would change answers, and with a clock
 * that stands still.
 */
export async function withKeptSite<T>(
  { open }: OpenedStore,
  work: (site: Site) => Promise<T>,
): Promise<T> {
  const site = await startSite({}, valueEngine, open);
  site.world.now = Date.parse(keptNow);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}

/** Every question of this version. */
export async function listQuestions(site: Site, access: KeptAccess): Promise<Question[]> {
  const pages = site.routes
    .filter(({ get, path }) => get && !path.includes('{') && !leftOut.test(path))
    .map(({ path }) => path);
  const exports = [
    ...exportKinds.flatMap((kind) =>
      exportFormats.map((format) => ['export', kind, '--account', owner, '--format', format]),
    ),
    ...accountsWithKey.map((email) => ['account', 'export', email, '--json']),
  ];
  // Exports first: they say how many calls there were.
  return [
    ...exports.map((words) => ({ words })),
    ...(await listCalls(site, access)),
    ...[...pages, ...morePages, ...access.paths].map((path) => ({ path })),
  ];
}

/** Docs need no store; asking is recorded in logs, which exports have as well. */
const leftOut = /^\/docs|^\/llms|\/(activity|audit)\.csv$/;

/** Pages and files about something. */
const morePages: readonly string[] = [
  '/sets/75192',
  '/sets/8101',
  '/minifigs/cas001',
  '/themes/Castle',
  '/market?q=castle',
  '/search.json?q=castle',
  '/collections/1',
  '/watchlist/1',
  '/watchlist/1/export/csv',
  '/purchases/1',
  '/evaluate/1',
  '/lots/1',
  '/sales/1',
  '/sales/year/2026.csv',
  ...exportKinds.flatMap((kind) => exportFormats.map((format) => `/export/${kind}/${format}`)),
];

/** Sets that requests are about: the first and the last numbers. */
const setsMax = 12;

/** Calls that change nothing, and end. Those that are the same for everybody are asked once. */
async function listCalls({ world }: Site, { madeUpKeys }: KeptAccess): Promise<Question[]> {
  const key = madeUpKeys[owner] ?? '';
  const known = await readKnown(world, key);
  const sets = [...known.sets.slice(0, setsMax / 2), ...known.sets.slice(-setsMax / 2)];
  const requests = everyRequest({ ...known, sets });
  const questions: Question[] = [];
  for (const [endpoint, calls] of requests) {
    const { effect, scope }: Endpoint = allEndpoints[endpoint];
    if (effect) continue;
    for (const account of scope === 'caller' ? accountsWithKey : [owner]) {
      for (const { path, init } of calls) {
        if (account !== owner && isOfOwnThing(path)) continue;
        const own = await withOwnIds(path, { store: world.store, key, at: world.now });
        const sent = init && { init: { method: `${init.method}`, body: `${init.body}` } };
        questions.push({ account, endpoint, path: own, ...sent });
      }
    }
  }
  return questions;
}

/**
 * One answer of each endpoint and account, and the exports: enough for a copy of a store that was
 * compared. Bulk files are not copied, and calls are counted.
 */
export function someOf(answers: readonly Answer[]): Answer[] {
  const seen = new Set<string>();
  return answers.filter(({ account, endpoint, words, status }) => {
    if (endpoint === undefined) return words !== undefined;
    const isCopied = allEndpoints[endpoint].tag !== 'Bulk' && endpoint !== 'getUsage';
    const name = `${account} ${endpoint}`;
    if (!isCopied || status !== 200 || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Endpoints without a success, of those that end and change nothing. */
export function findUnanswered(answers: readonly Answer[]): string[] {
  const answered = new Set(answers.map(({ endpoint, status }) => status === 200 && endpoint));
  return Object.entries<Endpoint>(allEndpoints)
    .filter(([, { effect, kind }]) => !effect && kind !== 'stream')
    .map(([name]) => name)
    .filter((name) => !answered.has(name as EndpointName));
}

/** Asks in order, since calls are counted. */
export async function ask(
  opened: OpenedStore,
  { madeUpKeys }: KeptAccess,
  questions: readonly Question[],
): Promise<Answer[]> {
  return withKeptSite(opened, async (site) => {
    const ann = site.visitor();
    await ann.submit(await ann.get('/sign-in'), '/sign-in', { email: owner, password });
    const Cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ');
    const answers: Answer[] = [];
    for (const question of questions) {
      const { account, path = '', init, words } = question;
      if (words) {
        answers.push({ ...question, ...(await runCommand(opened, words)) });
        continue;
      }
      const response =
        account === undefined
          ? await fetch(site.url + path, { headers: { Cookie }, redirect: 'manual' })
          : await site.world.call(path, madeUpKeys[account] ?? '', {
              ...init,
              ...(init?.body && { headers: { 'Content-Type': 'application/json' } }),
            });
      const isPage = account === undefined;
      const body = await (isPage ? readPage(response) : readCall(response));
      answers.push({ ...question, status: response.status, type: typeOf(response), body });
    }
    return answers;
  });
}

async function runCommand({ settings }: OpenedStore, words: readonly string[]) {
  const environment = { ...settings, BRICKMARK_NOW: keptNow };
  const { status, stdout, stderr } = await typeHere(words, { folder: '/', environment });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  if (!stdout.startsWith('{')) return { status, type: csvType, body: stdout };
  return { status, type: '', body: withoutTime(JSON.parse(stdout)) };
}

/** Without what differs between two calls, and without the words of errors. */
async function readCall(response: Response): Promise<unknown> {
  if (!typeOf(response).startsWith('application/json')) {
    return Bun.SHA256.hash(await response.bytes(), 'hex');
  }
  const { meta, error, ...body } = (await response.json()) as CallBody;
  if (error) return { error: { code: error.code } };
  const limit = meta?.rate_limit && { ...meta.rate_limit, remaining: null };
  return { ...body, meta: { ...meta, request_id: null, ...(limit && { rate_limit: limit }) } };
}

interface CallBody {
  readonly meta?: { readonly rate_limit?: object };
  readonly error?: { readonly code: string };
}

/** Pages only have to be there; downloads are compared. */
async function readPage(response: Response): Promise<unknown> {
  if (typeOf(response).startsWith(csvType)) return response.text();
  const isDownload = response.headers.has('content-disposition');
  if (isDownload && typeOf(response).startsWith('application/json')) {
    return withoutTime((await response.json()) as Export);
  }
  await response.bytes();
  return null;
}

const typeOf = ({ headers }: Response) => headers.get('content-type') ?? '';

/** Exports say when they and earlier ones were made, by a clock that runs. */
function withoutTime(file: Export): Export {
  const activity = file.activity?.filter(({ action }) => !action.endsWith('.exported'));
  return { ...file, exported_at: null, ...(activity && { activity }) };
}

interface Export {
  readonly exported_at?: string | null;
  readonly activity?: readonly { readonly action: string }[];
}

/**
 * How an answer differs from the recorded one; null if it does not. Later versions may add keys to
 * objects, and columns after the last one.
 */
export function findDifference(before: Answer, now: Answer | undefined): string | null {
  const isCsv = before.type.startsWith(csvType) && now?.type === before.type;
  return isCsv ? findInCsv(`${before.body}`, `${now.body}`) : findInJson(before, now, '');
}

function findInJson(before: unknown, now: unknown, place: string): string | null {
  if (Object.is(before, now)) return null;
  const isSameKind = Array.isArray(before) === Array.isArray(now);
  if (typeof before !== 'object' || typeof now !== 'object' || !before || !now || !isSameKind) {
    return `${place}: ${JSON.stringify(before)} has become ${JSON.stringify(now)}`;
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length !== now.length) {
    return `${place}: ${before.length} elements have become ${now.length}`;
  }
  for (const [key, value] of Object.entries(before)) {
    const found = findInJson(value, (now as Record<string, unknown>)[key], `${place}/${key}`);
    if (found !== null) return found;
  }
  return null;
}

function findInCsv(before: string, now: string): string | null {
  const read = (text: string): string[][] => parse(text, { relax_column_count: true, bom: true });
  const rows = read(before);
  const known = read(now).map((row, index) => row.slice(0, rows[index]?.length));
  return findInJson(rows, known, '');
}
