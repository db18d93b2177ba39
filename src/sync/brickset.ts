/**
 * Brickset's API, version 3: all sets page by page, and later those that changed. Its errors are
 * answers with the status 200 that say so.
 */
import { dayText } from '../domain/kernel/format.ts';
import { asObject, isObject, type JsonObject, type JsonValue } from '../domain/kernel/json.ts';
import { shortText } from '../domain/kernel/text.ts';
import { dayMs, formatDay, hourMs, parseDay } from '../domain/kernel/time.ts';
import { type SourceClient, SourceError, type SourceResponse } from './client.ts';
import type { Answer, Connector, Plan, PlannedCall } from './connector.ts';
import { readJsonAnswer } from './json-answer.ts';
import type { BricksetSettings } from './settings.ts';

/** The most that Brickset puts on a page. */
const pageSize = 500;

/** Brickset has no sets of earlier years, and announces those of the next two. */
const [firstYear, yearsAhead] = [1949, 2];

/** What changed is asked for by day, from a day before: nobody says whose midnight counts. */
const overlapMs = 2 * dayMs;

/** When to try again after Brickset said that it was asked too often. */
const overLimitMs = 3 * hourMs;

/** A page of 500 sets with everything that is known of them takes a few megabytes. */
const bytesMax = 32 * 1024 * 1024;

/** How far a sweep has come. */
interface Sweep {
  /** When it began. */
  readonly startedAt: number;
  /** When the one before it began; null: there was none, so that it reads everything. */
  readonly since: number | null;
  /** The page that comes next. */
  readonly page: number;
  /** How many there are; null until one of them said so. */
  readonly pages: number | null;
}

/** Brickset, with a key. */
export function bricksetConnector(settings: BricksetSettings): Connector {
  const { callsPerDay, everyMs } = settings;
  return {
    name: 'brickset',
    step: 'catalog',
    budget: { kind: 'day', calls: callsPerDay },
    check: async (client) =>
      usageSentence(await post(client, settings, 'getKeyUsageStats'), callsPerDay),
    plan: async ({ cursor, at, limit }): Promise<Plan> => {
      const sweep = readCursor(cursor, at);
      // How many pages there are shows on the first one.
      const known = sweep.pages === null ? 1 : sweep.pages - sweep.page + 1;
      const count = Math.max(1, Math.min(limit, known));
      const calls = Array.from({ length: count }, (_, index) =>
        pageCall({ ...sweep, page: sweep.page + index }, settings),
      );
      return { calls, nextAt: at + everyMs };
    },
  };
}

/** The sweep that a cursor stands in, or a new one. */
function readCursor(cursor: JsonValue, at: number): Sweep {
  const { startedAt = null, since = null, page, pages } = isObject(cursor) ? cursor : {};
  return {
    startedAt: typeof startedAt === 'number' ? startedAt : at,
    since: typeof since === 'number' ? since : null,
    page: typeof page === 'number' ? page : 1,
    pages: typeof pages === 'number' ? pages : null,
  };
}

function pageCall(sweep: Sweep, settings: BricksetSettings): PlannedCall {
  const { page, pages, since } = sweep;
  return {
    subject: `page ${page}${pages === null ? '' : ` of ${pages}`}`,
    reason: since === null ? 'all sets' : `sets that changed since ${dayText(changedSince(since))}`,
    cost: 1,
    questions: [],
    ask: (client) => askPage(client, sweep, settings),
  };
}

async function askPage(
  client: SourceClient,
  sweep: Sweep,
  settings: BricksetSettings,
): Promise<Answer> {
  const { page } = sweep;
  const answer = await post(client, settings, 'getSets', {
    ...filterOf(sweep),
    extendedData: 1,
    // An order that does not change while pages are read.
    orderBy: 'Number',
    pageSize,
    pageNumber: page,
  });
  const { sets, matches } = answer.said;
  if (!Array.isArray(sets) || typeof matches !== 'number') {
    throw new SourceError('Brickset sent a response without sets.', 'later');
  }
  const pages = Math.ceil(matches / pageSize);
  const hasMore = page < pages;
  const name = `sets-${String(page).padStart(4, '0')}.json`;
  return {
    files: sets.length === 0 ? [] : [{ name, bytes: answer.bytes, format: 'brickset' }],
    cursor: hasMore ? { ...sweep, page: page + 1, pages } : { since: sweep.startedAt },
    hasMore,
  };
}

/** Brickset wants at least one thing to look for: all years are everything. */
function filterOf({ since, startedAt }: Sweep): Record<string, JsonValue> {
  if (since !== null) return { updatedSince: changedSince(since) };
  const lastYear = new Date(startedAt).getUTCFullYear() + yearsAhead;
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  return { year: years.join(',') };
}

function changedSince(since: number): string {
  return formatDay(since - overlapMs);
}

interface BricksetAnswer {
  readonly bytes: SourceResponse['bytes'];
  readonly said: JsonObject;
}

/** Everything is posted, so that the key is in no address. */
async function post(
  client: SourceClient,
  settings: BricksetSettings,
  method: string,
  params?: JsonObject,
): Promise<BricksetAnswer> {
  const fields: Record<string, string> = { apiKey: settings.key.reveal() };
  if (params) Object.assign(fields, { userHash: '', params: JSON.stringify(params) });
  const answer = await client.send({
    url: new URL(method, settings.url),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    bytesMax,
  });
  const said = asObject(readJsonAnswer(answer, 'Brickset')) ?? {};
  if (said.status === 'success') return { bytes: answer.bytes, said };
  throw refusal(typeof said.message === 'string' ? said.message : 'no reason given');
}

function refusal(message: string): SourceError {
  if (/invalid api key/i.test(message)) {
    return new SourceError(
      'Brickset rejected the key. Check it, or request one at ' +
        'https://brickset.com/tools/webservices/requestkey.',
      'stopped',
    );
  }
  if (/limit/i.test(message)) {
    return new SourceError("Brickset's rate limit is reached.", 'later', overLimitMs);
  }
  return new SourceError(`Brickset returned an error: ${shortText(message)}`, 'later');
}

/** Only `getSets` is counted, day by day. */
function usageSentence({ said }: BricksetAnswer, callsPerDay: number): string {
  const days = Array.isArray(said.apiKeyUsage) ? said.apiKeyUsage.map(asObject) : [];
  const latest = days
    .map((day) => ({ day: String(day?.dateStamp ?? '').slice(0, 10), count: Number(day?.count) }))
    .filter(({ day, count }) => count > 0 && parseDay(day) !== null)
    .sort((a, b) => (a.day < b.day ? 1 : -1))[0];
  const used = latest
    ? `Calls on ${dayText(latest.day)}: ${latest.count} of ${callsPerDay}.`
    : 'Calls in the last 30 days: none.';
  return `Connected to Brickset. ${used}`;
}
