/**
 * eBay's Marketplace Insights: sales of the last 90 days, searched by set. Access is restricted,
 * and operators must check whether its terms allow deriving prices.
 */

import { countText } from '../../kernel/format.ts';
import { asObject, isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { type Clock, dayMs, formatInstant, hourMs, minuteMs } from '../../kernel/time.ts';
import { type SourceClient, SourceError } from '../client.work.ts';
import type { Answer, Plan, PlannedCall, PlanRequest } from '../connector.work.ts';
import { OAuth2Token } from '../oauth2.work.ts';
import type { RankedQuestion, Topic } from '../planning.ts';
import { parseJson, urlOf } from '../responses.work.ts';
import type { SettingsTable } from '../settings-text.ts';
import {
  baseUrl,
  callsPerDay,
  defineSource,
  every,
  type SettingsOf,
  secret,
} from '../source.work.ts';
import type { Question } from '../source-state.ts';

const scope = 'https://api.ebay.com/oauth/api_scope/buy.marketplace.insights';
const searchPath = 'buy/marketplace_insights/v1_beta/item_sales/search';

/** Complete LEGO sets and packs. */
const category = '19006';

/** eBay's maximum. */
const pageSize = 200;

/** Sets with more sales are known well enough without the rest. */
const pagesMax = 5;

/** eBay returns sales of this period. */
const historyMs = 90 * dayMs;

/** A little less, so that no sale is missed. */
const reachDays = 85;

/** Sales may be reported late. */
const overlapMs = 3 * dayMs;

/** Wait after there was nothing to ask. */
const idleMs = hourMs;

/** Wait before retrying with a new token. */
const tokenMs = minuteMs;

/** eBay's condition IDs by topic. */
const conditions: Readonly<Record<string, string>> = {
  'sold-new': '{1000|1500|1750}',
  'sold-used': '{2000|2500|2750|3000|4000|5000|6000}',
};

const topicsEvery = (everyMs: number): readonly Topic[] => {
  const restDays = everyMs / dayMs;
  return [
    { name: 'sold-new', kind: 'set', condition: 'sealed', reachDays, restDays, needs: null },
    { name: 'sold-used', kind: 'set', condition: 'used', reachDays, restDays, needs: null },
  ];
};

interface Search {
  readonly number: string;
  readonly topic: string;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const ebaySettings = {
  url: baseUrl('https://api.ebay.com/'),
  // Sales arrive slowly.
  everyMs: every('20h'),
  callsPerDay: callsPerDay(5000),
  marketplace: { name: 'marketplace', read: readMarketplace },
  clientId: secret('client_id'),
  clientSecret: secret('client_secret'),
};

type EbaySettings = SettingsOf<typeof ebaySettings>;

export const ebaySource = defineSource({
  name: 'ebay',
  data: 'Sales',
  settings: ebaySettings,
  connect: (settings, { clock }) => {
    const { callsPerDay, marketplace } = settings;
    const api = new EbayApi(settings, clock);
    return {
      topics: topicsEvery(settings.everyMs),
      budget: { kind: 'day', calls: callsPerDay },
      check: async (client) => {
        const to = clock();
        const search = { number: '75192', topic: 'sold-new', from: to - dayMs, to, offset: 0 };
        await api.search(client, search, 1);
        return `Connected to eBay (${marketplace}). Limit: ${countText(callsPerDay)} calls a day.`;
      },
      plan: (request) => plan(request, api, topicsEvery(settings.everyMs)),
    };
  },
});

function readMarketplace(table: SettingsTable): string {
  const marketplace = table.text('marketplace') ?? 'EBAY_US';
  if (/^EBAY_[A-Z]{2}$/.test(marketplace)) return marketplace;
  throw table.error('marketplace', `'marketplace' must be a code such as "EBAY_US".`);
}

/** Remaining pages of earlier searches come first. */
async function plan(
  { source, cursor, planner, at, limit }: PlanRequest,
  api: EbayApi,
  topics: readonly Topic[],
): Promise<Plan> {
  const pages = new Pages(readSearches(cursor));
  const left = pages.list().slice(0, limit);
  const count = limit - left.length;
  const questions = count === 0 ? [] : await planner.rank({ source, topics, limit: count, at });
  const calls = [
    ...left.map((search) => pageCall(search, pages, api)),
    ...questions.map((question) => firstCall(question, at, pages, api)),
  ];
  return { calls, nextAt: calls.length < limit ? at + idleMs : at };
}

/** Remaining pages, updated by each call. */
class Pages {
  constructor(private searches: readonly Search[]) {}

  list(): readonly Search[] {
    return this.searches;
  }

  /** The cursor after a page was fetched. */
  after(done: Search, next: Search | null): JsonValue {
    const others = this.searches.filter((search) => !isSame(search, done));
    this.searches = next === null ? others : [...others, next];
    return this.searches.map((search) => ({ ...search }));
  }
}

function isSame(a: Search, b: Search): boolean {
  return a.number === b.number && a.topic === b.topic && a.offset === b.offset;
}

function readSearches(cursor: JsonValue): Search[] {
  if (!Array.isArray(cursor)) return [];
  return cursor.flatMap((each) => {
    const { number, topic, from, to, offset } = isObject(each) ? each : {};
    if (typeof number !== 'string' || typeof topic !== 'string') return [];
    if (![from, to, offset].every((value) => typeof value === 'number')) return [];
    return [{ number, topic, from: Number(from), to: Number(to), offset: Number(offset) }];
  });
}

function pageCall(search: Search, pages: Pages, api: EbayApi): PlannedCall {
  const page = search.offset / pageSize + 1;
  return {
    subject: `${search.number}, ${search.topic}, page ${page}`,
    reason: 'more was sold than a page holds',
    cost: 1,
    questions: [],
    ask: (client) =>
      askPage(client, search, pages, api).catch((error: unknown) => {
        // A page that fails must not block the others.
        if (!(error instanceof SourceError) || error.kind !== 'item') throw error;
        return { files: [], cursor: pages.after(search, null) };
      }),
  };
}

/** Titles only contain plain numbers, so others cannot be searched. */
const plainNumber = /^\d{4,7}$/;

function firstCall(question: RankedQuestion, at: number, pages: Pages, api: EbayApi): PlannedCall {
  const { kind, key, topic, number, askedAt, reason } = question;
  const topicQuestion: Question = { kind, key, topic };
  const from = Math.max(at - historyMs, (askedAt ?? 0) - overlapMs);
  const isSearchable = plainNumber.test(number);
  return {
    subject: `${number}, ${topic}`,
    reason,
    cost: isSearchable ? 1 : 0,
    questions: [topicQuestion],
    ask: async (client): Promise<Answer> => {
      if (!isSearchable) return { files: [], unknown: [topicQuestion] };
      return askPage(client, { number, topic, from, to: at, offset: 0 }, pages, api);
    },
  };
}

async function askPage(
  client: SourceClient,
  search: Search,
  pages: Pages,
  api: EbayApi,
): Promise<Answer> {
  const { bytes, body } = await api.search(client, search, pageSize);
  const { itemSales, total } = body;
  const count = Array.isArray(itemSales) ? itemSales.length : 0;
  const end = search.offset + pageSize;
  const hasNext = typeof body.next === 'string' && end < Number(total) && end < pagesMax * pageSize;
  const name = `${search.number}.${search.topic}.${search.offset}.json`;
  return {
    files: count === 0 ? [] : [{ name, bytes, format: 'ebay-sales' }],
    cursor: pages.after(search, hasNext ? { ...search, offset: end } : null),
    hasMore: pages.list().length > 0,
  };
}

class EbayApi {
  private readonly token: OAuth2Token;
  /** The last `Authorization` header that eBay accepted. */
  private accepted: string | null = null;

  constructor(
    private readonly settings: EbaySettings,
    clock: Clock,
  ) {
    const { url, clientId, clientSecret } = settings;
    const tokenUrl = new URL('identity/v1/oauth2/token', url);
    this.token = new OAuth2Token(
      { service: 'eBay', tokenUrl, clientId, clientSecret, scope },
      clock,
    );
  }

  async search(
    client: SourceClient,
    { number, topic, from, to, offset }: Search,
    limit: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly body: JsonObject }> {
    const { url: base, marketplace } = this.settings;
    const dates = `lastSoldDate:[${formatInstant(from)}..${formatInstant(to)}]`;
    const parameters = {
      // Both words, in any order.
      q: `lego,${number}`,
      category_ids: category,
      filter: `conditionIds:${conditions[topic]},${dates}`,
      limit: String(limit),
      offset: String(offset),
    };
    const url = urlOf(base, searchPath, parameters);
    const authorization = await this.token.authorize(client);
    const answer = await client.send({
      url,
      headers: { authorization, 'x-ebay-c-marketplace-id': marketplace },
      returnedErrors: [400, 401, 403],
    });
    if (answer.status === 401) {
      this.token.forget();
      if (authorization !== this.accepted) throw newTokenRefused();
      throw new SourceError('eBay rejected the access token.', 'later', tokenMs);
    }
    if (answer.status === 403) throw notAdmitted();
    this.accepted = authorization;
    const body = asObject(parseJson(answer, 'eBay')) ?? {};
    if (answer.status === 400) {
      throw new SourceError('eBay rejected the request.', 'item');
    }
    if (typeof body.total !== 'number') {
      throw new SourceError('eBay sent a response without results.', 'later');
    }
    return { bytes: answer.bytes, body };
  }
}

/** A new token would be rejected as well. */
function newTokenRefused(): SourceError {
  return new SourceError(
    'eBay rejected a token that it has just issued. ' +
      "Check that the keys and 'url' are both for production, or both for the sandbox.",
    'stopped',
  );
}

function notAdmitted(): SourceError {
  return new SourceError(
    'This application has no access to eBay Marketplace Insights. ' +
      'Apply at https://developer.ebay.com, or turn the source off.',
    'stopped',
  );
}
