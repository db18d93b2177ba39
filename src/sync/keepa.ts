/**
 * Keepa's API: what amazon.com, which is retailer A, asked for sets. It gives tokens by the minute,
 * a product costs some, and every answer says how many are left.
 */

import { gtinKey, printedBarcode } from '../domain/catalog/barcode.ts';
import { countText } from '../domain/kernel/format.ts';
import { asObject, type JsonObject } from '../domain/kernel/json.ts';
import { shortText } from '../domain/kernel/text.ts';
import { type Clock, dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import type { TokenLevel } from '../domain/sync/budget.ts';
import type { RankedQuestion, SourceNames, Topic } from '../domain/sync/planning.ts';
import type { Question } from '../domain/sync/sync-store.ts';
import { retryAfter, type SourceClient, SourceError } from './client.ts';
import type { Answer, Connector, Plan, PlannedCall, PlanRequest } from './connector.ts';
import { readJsonAnswer } from './json-answer.ts';
import type { KeepaSettings } from './settings.ts';

/** amazon.com, the only one whose prices are US dollars. */
const domain = '1';

/** The most products that one call may ask for. */
const productsMax = 100;

/** Fewer are not worth a call: it waits until there are tokens for so many. */
const productsMin = 20;

/** A product takes one token, and two more with the history of its buy box. */
const tokensPerProduct = 3;

/** A hundred products with all their history take some 25 MB. */
const bytesMax = 64 * 1024 * 1024;
const timeoutMs = 3 * minuteMs;

/** When to plan again: tokens come by the minute. */
const nextMs = 5 * minuteMs;

/** When to look again after there was nothing to ask. */
const idleMs = hourMs;

/** Histories are complete however old the last answer is; prices should be younger than this. */
const offersEvery = (everyMs: number): Topic => ({
  name: 'offers',
  kind: 'set',
  condition: null,
  reachDays: Math.max(3, (3 * everyMs) / dayMs),
  restDays: everyMs / dayMs,
  needs: 'asin-or-barcode',
});

/** Keepa, with a key. */
export function keepaConnector(
  settings: KeepaSettings,
  deps: { readonly clock: Clock },
): Connector {
  const api = new KeepaApi(settings, deps.clock);
  return {
    name: 'keepa',
    step: 'market',
    topics: [offersEvery(settings.everyMs)],
    budget: { kind: 'tokens' },
    check: async (client) => {
      const { tokens } = await api.get(client, 'token', {});
      const left = countText(tokens.left);
      return `Connected to Keepa. Tokens: ${left} left, ${tokens.perMinute} a minute.`;
    },
    plan: (asked) => plan(asked, api, offersEvery(settings.everyMs)),
  };
}

async function plan(
  { planner, at, limit, left }: PlanRequest,
  api: KeepaApi,
  offers: Topic,
): Promise<Plan> {
  if (left === null) return { calls: [levelCall(api)], nextAt: at };
  const affordable = Math.floor(left / tokensPerProduct);
  const count = Math.min(limit * productsMax, Math.max(productsMin, affordable));
  const questions = await planner.rank({ source: 'keepa', topics: [offers], limit: count, at });
  const names = await planner.findNames(
    'set',
    questions.map(({ key }) => key),
  );
  const asked = questions.flatMap((question) => {
    const code = codeOf(names.get(question.key));
    return code === null ? [] : [{ question, ...code }];
  });
  const calls = (['asin', 'code'] as const).flatMap((by) =>
    chunksOf(asked.filter((each) => each.by === by)).map((chunk) => productCall(by, chunk, api)),
  );
  return { calls, nextAt: at + (calls.length === 0 ? idleMs : nextMs) };
}

/** What is left is not known: Keepa says it for nothing. */
function levelCall(api: KeepaApi): PlannedCall {
  return {
    subject: 'tokens',
    reason: 'how many there are',
    cost: 0,
    questions: [],
    ask: async (client) => {
      const { tokens } = await api.get(client, 'token', {});
      return { files: [], tokens, hasMore: true };
    },
  };
}

/** A question, and how its product is called at Amazon. */
interface AskedProduct {
  readonly question: RankedQuestion;
  readonly by: 'asin' | 'code';
  readonly code: string;
}

/** A product by its ASIN; by a barcode, a UPC before others, where none is known. */
function codeOf(names: SourceNames | undefined): Omit<AskedProduct, 'question'> | null {
  if (!names) return null;
  if (names.asin !== null) return { by: 'asin', code: names.asin };
  const codes = names.barcodes.map(printedBarcode);
  const code = codes.find(({ length }) => length === 12) ?? codes[0];
  return code === undefined ? null : { by: 'code', code };
}

function chunksOf(products: readonly AskedProduct[]): AskedProduct[][] {
  const count = Math.ceil(products.length / productsMax);
  return Array.from({ length: count }, (_, index) =>
    products.slice(index * productsMax, (index + 1) * productsMax),
  );
}

function productCall(
  by: AskedProduct['by'],
  products: readonly AskedProduct[],
  api: KeepaApi,
): PlannedCall {
  const [first] = products;
  const others = products.length - 1;
  const cost = products.length * tokensPerProduct;
  return {
    subject: `${first?.question.number}${others > 0 ? ` and ${others} more` : ''}, offers`,
    reason: first?.question.reason ?? '',
    cost,
    questions: products.map(questionOf),
    ask: async (client): Promise<Answer> => {
      const parameters = {
        domain,
        [by]: products.map(({ code }) => code).join(','),
        history: '1',
        stats: '90',
        buybox: '1',
      };
      const { bytes, said, tokens } = await api.get(client, 'product', parameters, cost);
      const found = readCodes(said.products);
      const unknown = products.filter(({ code }) => !found.has(codeKey(code))).map(questionOf);
      const name = `products-${first?.code}.json`;
      const files = found.size === 0 ? [] : [{ name, bytes, format: 'keepa' }];
      return { files, unknown, tokens };
    },
  };
}

function questionOf({ question: { kind, key, topic } }: AskedProduct): Question {
  return { kind, key, topic };
}

/** Keepa answers for what it does not know, too: such a product is of type 4. */
const typeUnknown = 4;

/** The ASINs and barcodes of the products that Keepa knows. */
function readCodes(products: unknown): ReadonlySet<string> {
  if (!Array.isArray(products))
    throw new SourceError('Keepa sent a response without products.', 'later');
  const codes = products.flatMap((each) => {
    const product = asObject(each) ?? {};
    if (product.productType === typeUnknown) return [];
    const { asin, upcList, eanList, gtinList } = product;
    return [asin, upcList, eanList, gtinList].flat();
  });
  return new Set(codes.filter((code) => typeof code === 'string').map(codeKey));
}

/** An ASIN or a barcode as it is compared: Keepa may list a UPC with zeros before it. */
function codeKey(code: string): string {
  return gtinKey(code) ?? code;
}

interface KeepaAnswer {
  readonly bytes: Uint8Array;
  readonly said: JsonObject;
  readonly tokens: TokenLevel;
}

class KeepaApi {
  constructor(
    private readonly settings: KeepaSettings,
    private readonly clock: Clock,
  ) {}

  /** Calls Keepa, which wants its key in the address. */
  async get(
    client: SourceClient,
    path: string,
    parameters: Readonly<Record<string, string>>,
    cost = 0,
  ): Promise<KeepaAnswer> {
    const url = new URL(path, this.settings.url);
    url.searchParams.set('key', this.settings.key.reveal());
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const answer = await client.send({ url, bytesMax, timeoutMs, returnedErrors: [400, 402, 429] });
    if (answer.status === 402) throw unpaid();
    // What stands in front of Keepa says so, too, in its own way.
    const askedMs = answer.status === 429 ? retryAfter(answer.headers, this.clock()) : null;
    if (askedMs !== null) throw tooOften(askedMs);
    const said = asObject(readJsonAnswer(answer, 'Keepa')) ?? {};
    if (answer.status === 429) throw tooOften(refillMs(said, cost));
    if (answer.status >= 400) throw rejection(said);
    const tokens = tokensOf(said, this.clock());
    if (tokens === null) {
      throw new SourceError("Keepa's response does not say how many tokens are left.", 'later');
    }
    return { bytes: answer.bytes, said, tokens };
  }
}

function unpaid(): SourceError {
  return new SourceError(
    'Keepa rejected the key, or the subscription has ended. See https://keepa.com/#!api.',
    'stopped',
  );
}

function tooOften(retryAfterMs: number): SourceError {
  return new SourceError('Too few Keepa tokens are left.', 'later', retryAfterMs);
}

/** Keepa says in how many milliseconds the next tokens come; the others follow by the minute. */
function refillMs({ refillIn, refillRate, tokensLeft }: JsonObject, cost: number): number {
  const nextMs = typeof refillIn === 'number' && refillIn >= 0 ? refillIn : minuteMs;
  const missing = Math.max(0, cost - Number(tokensLeft ?? 0));
  const rounds = Number(refillRate) > 0 ? Math.ceil(missing / Number(refillRate)) : 1;
  return nextMs + Math.max(0, rounds - 1) * minuteMs;
}

function rejection({ error }: JsonObject): SourceError {
  const { type, message } = asObject(error) ?? {};
  const words = [type, message].filter((word) => typeof word === 'string').join(': ');
  if (/key/i.test(words)) return unpaid();
  return new SourceError(`Keepa rejected the request: ${shortText(words)}`, 'item');
}

function tokensOf(said: JsonObject, at: number): TokenLevel | null {
  const { tokensLeft: left, refillRate, tokenFlowReduction = 0 } = said;
  if (typeof left !== 'number' || typeof refillRate !== 'number') return null;
  return { left, at, perMinute: Math.max(0, refillRate - Number(tokenFlowReduction)) };
}
