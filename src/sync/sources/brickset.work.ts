/**
 * Brickset's API, version 3: all sets page by page, and later the changed ones. Errors have status
 * 200 and are described in the body.
 */
import { compareText } from '../../catalog/items/numbers.ts';
import { dayText } from '../../kernel/format.ts';
import { asObject, isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';
import { dayMs, formatDay, hourMs, parseDay } from '../../kernel/time.ts';
import { type SourceClient, SourceError, type SourceResponse } from '../client.work.ts';
import type { Answer, Plan, PlannedCall } from '../connector.work.ts';
import { parseJson } from '../responses.work.ts';
import {
  baseUrl,
  callsPerDay,
  defineSource,
  every,
  type SettingsOf,
  secret,
} from '../source.work.ts';

/** Brickset's maximum. */
const pageSize = 500;

/** Years with sets: Brickset announces those of the next two years. */
const [firstYear, yearsAhead] = [1949, 2];

/** Changes are requested by day, in an unknown time zone, so days overlap. */
const overlapMs = 2 * dayMs;

/** Wait after exceeding Brickset's limit. */
const overLimitMs = 3 * hourMs;

/** A page of 500 sets takes a few megabytes. */
const bytesMax = 32 * 1024 * 1024;

/** Progress through all pages. */
interface Sweep {
  readonly startedAt: number;
  /** Start of the previous sweep; null for the first one, which reads everything. */
  readonly since: number | null;
  /** The next page. */
  readonly page: number;
  /** Null until the first response. */
  readonly pages: number | null;
}

const bricksetSettings = {
  url: baseUrl('https://brickset.com/api/v3.asmx/'),
  everyMs: every('24h'),
  callsPerDay: callsPerDay(100),
  key: secret('key'),
};

type BricksetSettings = SettingsOf<typeof bricksetSettings>;

export const bricksetSource = defineSource({
  name: 'brickset',
  data: 'Catalog',
  settings: bricksetSettings,
  connect: (settings) => {
    const { callsPerDay, everyMs } = settings;
    return {
      budget: { kind: 'day', calls: callsPerDay },
      // Brickset only counts `getSets`.
      isCheckFree: true,
      check: async (client) =>
        usageSentence(await post(client, settings, 'getKeyUsageStats'), callsPerDay),
      plan: async ({ cursor, at, limit }): Promise<Plan> => {
        const sweep = readCursor(cursor, at);
        // The number of pages is known after the first one.
        const known = (sweep.pages ?? sweep.page) - sweep.page + 1;
        const count = Math.max(1, Math.min(limit, known));
        const calls = Array.from({ length: count }, (_, index) =>
          pageCall({ ...sweep, page: sweep.page + index }, settings),
        );
        return { calls, nextAt: at + everyMs };
      },
    };
  },
});

/** Continues the sweep of a cursor, or starts a new one. */
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
    // A stable order while pages are read.
    orderBy: 'Number',
    pageSize,
    pageNumber: page,
  });
  const { sets, matches } = answer.body;
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

/** Brickset requires a filter; all years match everything. */
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
  readonly body: JsonObject;
}

/** POST keeps the key out of the URL. */
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
  const body = asObject(parseJson(answer, 'Brickset')) ?? {};
  if (body.status === 'success') return { bytes: answer.bytes, body };
  throw rejection(typeof body.message === 'string' ? body.message : 'no reason given');
}

function rejection(message: string): SourceError {
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

/** Brickset counts by day. */
function usageSentence({ body }: BricksetAnswer, callsPerDay: number): string {
  const days = Array.isArray(body.apiKeyUsage) ? body.apiKeyUsage.map(asObject) : [];
  const latest = days
    .map((day) => ({ day: String(day?.dateStamp ?? '').slice(0, 10), count: Number(day?.count) }))
    .filter(({ day, count }) => count > 0 && parseDay(day) !== null)
    .sort((a, b) => compareText(b.day, a.day))[0];
  const used = latest
    ? `Calls on ${dayText(latest.day)}: ${latest.count} of ${callsPerDay}.`
    : 'Calls in the last 30 days: none.';
  return `Connected to Brickset. ${used}`;
}
