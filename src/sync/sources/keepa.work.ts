/**
 * Keepa's API: offers on amazon.com, which is retailer A. Tokens are refilled every minute,
 * products cost tokens, and every response has the number left.
 */
import { gtinKey, printedBarcode } from '../../catalog/barcodes/barcode.ts';
import { countText } from '../../kernel/format.ts';
import { asObject, type JsonObject } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';
import { type Clock, dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { TokenLevel } from '../budget.ts';
import { retryAfter, type SourceClient, SourceError } from '../client.work.ts';
import type { Answer, AnswerFile, Plan, PlannedCall, PlanRequest } from '../connector.work.ts';
import type { RankedQuestion, SourceNames, Topic } from '../planning.ts';
import { parseJson, urlOf } from '../responses.work.ts';
import { baseUrl, defineSource, every, type SettingsOf, secret } from '../source.work.ts';
import type { Question } from '../source-state.ts';

/** amazon.com, the only marketplace with prices in US dollars. */
const domain = '1';

/** Keepa's maximum per call. */
const productsMax = 100;

/** Calls for fewer products wait for more tokens. */
const productsMin = 20;

/** One per product, and two more for the history of the buy box. */
const tokensPerProduct = 3;

/** 100 products with complete histories take about 25 MB. */
const bytesMax = 64 * 1024 * 1024;
const timeoutMs = 3 * minuteMs;

/** Wait between plans, while tokens are refilled. */
const nextMs = 5 * minuteMs;

/** Wait after there was nothing to ask. */
const idleMs = hourMs;

/** Responses have complete histories, so the reach only limits the age of current prices. */
const offersEvery = (everyMs: number): Topic => ({
  name: 'offers',
  kind: 'set',
  condition: null,
  reachDays: Math.max(3, (3 * everyMs) / dayMs),
  restDays: everyMs / dayMs,
  needs: 'asin-or-barcode',
});

const keepaSettings = {
  url: baseUrl('https://api.keepa.com/'),
  // Shops change prices at any time.
  everyMs: every('2h'),
  key: secret('key'),
};

type KeepaSettings = SettingsOf<typeof keepaSettings>;

export const keepaSource = defineSource({
  name: 'keepa',
  data: 'Retail prices',
  settings: keepaSettings,
  connect: (settings, { clock }) => {
    const api = new KeepaApi(settings, clock);
    return {
      topics: [offersEvery(settings.everyMs)],
      budget: { kind: 'tokens' },
      // Asking for the number of tokens costs none.
      isCheckFree: true,
      check: async (client) => {
        const { tokens } = await api.get(client, 'token', {});
        const left = countText(tokens.left);
        return `Connected to Keepa. Tokens: ${left} left, ${tokens.perMinute} a minute.`;
      },
      plan: (request) => plan(request, api, offersEvery(settings.everyMs)),
    };
  },
});

async function plan(
  { source, planner, at, limit, left }: PlanRequest,
  api: KeepaApi,
  offers: Topic,
): Promise<Plan> {
  if (left === null) return { calls: [levelCall(api)], nextAt: at };
  const affordable = Math.floor(left / tokensPerProduct);
  const count = Math.min(limit * productsMax, Math.max(productsMin, affordable));
  const questions = await planner.rank({ source, topics: [offers], limit: count, at });
  const names = await planner.findNames(
    'set',
    questions.map(({ key }) => key),
  );
  const products = questions.flatMap((question) => {
    const code = codeOf(names.get(question.key));
    return code === null ? [] : [{ question, ...code }];
  });
  const calls = (['asin', 'code'] as const).flatMap((by) =>
    chunksOf(products.filter((each) => each.by === by)).map((chunk) => productCall(by, chunk, api)),
  );
  return { calls, nextAt: at + (calls.length === 0 ? idleMs : nextMs) };
}

/** Requests the token level, which is free. */
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

/** A question with the code of its product. */
interface CodedProduct {
  readonly question: RankedQuestion;
  readonly by: 'asin' | 'code';
  readonly code: string;
}

/** The ASIN, or else a barcode, preferably a UPC. */
function codeOf(names: SourceNames | undefined): Omit<CodedProduct, 'question'> | null {
  if (!names) return null;
  if (names.asin !== null) return { by: 'asin', code: names.asin };
  const codes = names.barcodes.map(printedBarcode);
  const code = codes.find(({ length }) => length === 12) ?? codes[0];
  return code === undefined ? null : { by: 'code', code };
}

function chunksOf(products: readonly CodedProduct[]): CodedProduct[][] {
  const count = Math.ceil(products.length / productsMax);
  return Array.from({ length: count }, (_, index) =>
    products.slice(index * productsMax, (index + 1) * productsMax),
  );
}

function productCall(
  by: CodedProduct['by'],
  products: readonly CodedProduct[],
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
      const { bytes, body, tokens } = await api.get(client, 'product', parameters, cost);
      const found = readCodes(body.products);
      const unknown = products.filter(({ code }) => !found.has(codeKey(code))).map(questionOf);
      const name = `products-${first?.code}.json`;
      const files: AnswerFile[] = found.size === 0 ? [] : [{ name, bytes, format: 'keepa' }];
      return { files, unknown, tokens };
    },
  };
}

function questionOf({ question: { kind, key, topic } }: CodedProduct): Question {
  return { kind, key, topic };
}

/** The product type of unknown products. */
const typeUnknown = 4;

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

/** Normalized for comparison, since Keepa may list a UPC with leading zeros. */
function codeKey(code: string): string {
  return gtinKey(code) ?? code;
}

interface KeepaAnswer {
  readonly bytes: Uint8Array;
  readonly body: JsonObject;
  readonly tokens: TokenLevel;
}

class KeepaApi {
  constructor(
    private readonly settings: KeepaSettings,
    private readonly clock: Clock,
  ) {}

  /** Keepa requires the key in the URL. */
  async get(
    client: SourceClient,
    path: string,
    parameters: Readonly<Record<string, string>>,
    cost = 0,
  ): Promise<KeepaAnswer> {
    const key = this.settings.key.reveal();
    const url = urlOf(this.settings.url, path, { key, ...parameters });
    const answer = await client.send({ url, bytesMax, timeoutMs, returnedErrors: [400, 402, 429] });
    if (answer.status === 402) throw unpaid();
    // A proxy in front of Keepa may limit requests, too.
    const retryMs = answer.status === 429 ? retryAfter(answer.headers, this.clock()) : null;
    if (retryMs !== null) throw tooOften(retryMs);
    const body = asObject(parseJson(answer, 'Keepa')) ?? {};
    if (answer.status === 429) throw tooOften(refillMs(body, cost));
    if (answer.status >= 400) throw rejection(body);
    const tokens = tokensOf(body, this.clock());
    if (tokens === null) {
      throw new SourceError("Keepa's response does not say how many tokens are left.", 'later');
    }
    return { bytes: answer.bytes, body, tokens };
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

/** Time until enough tokens are refilled; `refillIn` is the time to the next refill. */
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

function tokensOf(body: JsonObject, at: number): TokenLevel | null {
  const { tokensLeft: left, refillRate, tokenFlowReduction = 0 } = body;
  if (typeof left !== 'number' || typeof refillRate !== 'number') return null;
  return { left, at, perMinute: Math.max(0, refillRate - Number(tokenFlowReduction)) };
}
