/**
 * BrickLink's API, version 1: six months of sales of sets and minifigs, the units for sale, and the
 * minifigs of sets.
 * Responses always have status 200; errors are in `meta.code`.
 */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { countText } from '../../kernel/format.ts';
import { asObject, type JsonObject } from '../../kernel/json.ts';
import { dayMs, hourMs, secondMs } from '../../kernel/time.ts';
import { type SourceClient, SourceError } from '../client.work.ts';
import type {
  Answer,
  AnswerFile,
  ConnectionDeps,
  Plan,
  PlannedCall,
  PlanRequest,
} from '../connector.work.ts';
import { signOAuth1 } from '../oauth1.ts';
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

/** Countries are two letters. */
const regions = [
  'africa',
  'asia',
  'eu',
  'europe',
  'middle_east',
  'north_america',
  'oceania',
  'south_america',
];

/** A little less than the six months of a price guide, so that no sale is missed. */
const guideDays = 170;

/** Inventories rarely change. */
const inventoryDays = 365;

/** One in this many calls requests an inventory. */
const callsPerInventory = 10;

/** One in this many calls requests the units for sale. */
const callsPerStock = 5;

/** Counts of units for sale are used for a month. */
const stockDays = 30;

/** Wait after there was nothing to ask. */
const idleMs = hourMs;

/** Wait after exceeding BrickLink's limit. */
const overLimitMs = hourMs;

const topicOf = (kind: ItemKind, facts: Omit<Topic, 'kind' | 'needs'>): Topic => {
  return { kind, needs: 'bricklink-number', ...facts };
};

/** New minifigs are not requested, because values of minifigs are those of used ones. */
const priceTopics = ({ everyMs }: BricklinkSettings): readonly Topic[] => {
  const days = { reachDays: guideDays, restDays: everyMs / dayMs };
  const sealed = { name: 'sold-new', condition: 'sealed', ...days } as const;
  const used = { name: 'sold-used', condition: 'used', ...days } as const;
  return [topicOf('set', sealed), topicOf('set', used), topicOf('minifig', used)];
};

const countFacts = { condition: null, reachDays: stockDays, restDays: (2 * stockDays) / 3 };
const stockTopics: readonly Topic[] = [
  topicOf('set', { name: 'stock-new', ...countFacts }),
  topicOf('set', { name: 'stock-used', ...countFacts }),
  topicOf('minifig', { name: 'stock-used', ...countFacts }),
];

const subsets = topicOf('set', {
  name: 'subsets',
  condition: null,
  reachDays: inventoryDays,
  restDays: inventoryDays / 2,
});

/** A cheap request for `check`. */
const checkPath = 'items/SET/75192-1';

const bricklinkSettings = {
  url: baseUrl('https://api.bricklink.com/api/store/v1/'),
  // Sales arrive slowly.
  everyMs: every('20h'),
  callsPerDay: callsPerDay(5000),
  currency: { name: 'currency', read: readCurrency },
  region: { name: 'region', read: readRegion },
  consumerKey: secret('consumer_key'),
  consumerSecret: secret('consumer_secret'),
  token: secret('token'),
  tokenSecret: secret('token_secret'),
};

type BricklinkSettings = SettingsOf<typeof bricklinkSettings>;

export const bricklinkSource = defineSource({
  name: 'bricklink',
  data: 'Sales',
  settings: bricklinkSettings,
  connect: (settings, deps) => {
    const api = new BricklinkApi(settings, deps);
    return {
      topics: [...priceTopics(settings), ...stockTopics, subsets],
      budget: { kind: 'day', calls: settings.callsPerDay },
      check: async (client) => {
        await api.get(client, checkPath, {});
        return `Connected to BrickLink. Limit: ${countText(settings.callsPerDay)} calls a day.`;
      },
      plan: (request) => plan(request, api, priceTopics(settings)),
    };
  },
});

/** Of the prices that are asked for. */
function readCurrency(table: SettingsTable): string {
  const currency = table.text('currency') ?? 'USD';
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  throw table.error('currency', `'currency' must be a code such as "USD".`);
}

/** Only sales in this region or country; null: everywhere. */
function readRegion(table: SettingsTable): string | null {
  const isCountry = /^[A-Z]{2}$/.test(table.text('region') ?? '');
  return isCountry ? table.text('region') : table.choice('region', regions);
}

async function plan(
  { source, planner, at, limit }: PlanRequest,
  api: BricklinkApi,
  topics: readonly Topic[],
): Promise<Plan> {
  const rank = (topics: readonly Topic[], most: number) =>
    planner.rank({ source, topics, limit: most, at });
  const inventories = await rank([subsets], Math.floor(limit / callsPerInventory));
  const stocks = await rank(stockTopics, Math.floor(limit / callsPerStock));
  const guides = await rank(topics, limit - inventories.length - stocks.length);
  const questions = [...guides, ...stocks, ...inventories];
  const keysOf = (kind: ItemKind) =>
    questions.filter((question) => question.kind === kind).map(({ key }) => key);
  const names = {
    set: await planner.findNames('set', [...new Set(keysOf('set'))]),
    minifig: await planner.findNames('minifig', [...new Set(keysOf('minifig'))]),
  };
  const calls = questions.flatMap((question) => {
    const { bricklink = [] } = names[question.kind].get(question.key) ?? {};
    return bricklink.length === 0 ? [] : [plannedCall(question, bricklink, api)];
  });
  return { calls, nextAt: questions.length < limit ? at + idleMs : at };
}

/** Minifigs with several BrickLink numbers are requested under each of them. */
function plannedCall(
  question: RankedQuestion,
  numbers: readonly string[],
  api: BricklinkApi,
): PlannedCall {
  const { kind, key, topic, number, reason } = question;
  return {
    subject: `${number}, ${topic}`,
    reason,
    cost: numbers.length,
    questions: [{ kind, key, topic }],
    ask: async (client): Promise<Answer> => {
      const files: AnswerFile[] = [];
      for (const each of numbers) {
        const file = await api.ask(client, { kind, topic, number: itemNumber(kind, each) });
        if (file !== null) files.push(file);
      }
      return files.length > 0 ? { files } : { files, unknown: [{ kind, key, topic }] };
    },
  };
}

/** BrickLink requires the variant in set numbers. */
function itemNumber(kind: ItemKind, number: string): string {
  return kind === 'minifig' || /-\d{1,3}$/.test(number) ? number : `${number}-1`;
}

interface NumberQuestion extends Omit<Question, 'key'> {
  readonly number: string;
}

class BricklinkApi {
  constructor(
    private readonly settings: BricklinkSettings,
    private readonly deps: ConnectionDeps,
  ) {}

  /** Null if BrickLink does not know the item. */
  ask(client: SourceClient, question: NumberQuestion): Promise<AnswerFile | null> {
    return question.topic === subsets.name
      ? this.askSubsets(client, question.number)
      : this.askPrices(client, question);
  }

  private async askPrices(
    client: SourceClient,
    { kind, topic, number }: NumberQuestion,
  ): Promise<AnswerFile | null> {
    const { currency, region } = this.settings;
    const path = `items/${kind === 'set' ? 'SET' : 'MINIFIG'}/${encodeURIComponent(number)}/price`;
    const [guideType = '', condition] = topic.split('-');
    const answer = await this.get(client, path, {
      guide_type: guideType,
      new_or_used: condition === 'new' ? 'N' : 'U',
      currency_code: currency,
      // With other settings, the same sale would have another price.
      vat: 'N',
      ...regionQuery(region),
    });
    if (answer === null) return null;
    if (!Array.isArray(asObject(answer.data)?.price_detail)) {
      throw new SourceError('BrickLink sent a price guide without prices.', 'later');
    }
    const name = `${number.replace(/[^\w.-]/g, '_')}.${topic}.json`;
    return { name, bytes: answer.bytes, format: 'bricklink-prices' };
  }

  /** Files are named after the set, so numbers that are not valid file names are skipped. */
  private async askSubsets(client: SourceClient, number: string): Promise<AnswerFile | null> {
    if (!/^[a-z0-9.]+-\d{1,3}$/i.test(number)) return null;
    const answer = await this.get(client, `items/SET/${number}/subsets`, {});
    if (answer === null) return null;
    if (!Array.isArray(answer.data)) {
      throw new SourceError('BrickLink sent a response without an inventory.', 'later');
    }
    if (answer.data.length === 0) return null;
    const name = `subsets-${number}.json`;
    return { name, bytes: answer.bytes, format: 'bricklink-inventories' };
  }

  /** Null if BrickLink does not know the item. */
  async get(
    client: SourceClient,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly bytes: Uint8Array; readonly data: unknown } | null> {
    const url = urlOf(this.settings.url, path, parameters);
    const moment = {
      timestamp: Math.floor(this.deps.clock() / secondMs),
      nonce: this.deps.makeNonce(),
    };
    const authorization = signOAuth1({ method: 'GET', url }, this.settings, moment);
    const answer = await client.send({
      url,
      headers: { authorization },
      returnedErrors: [400, 401, 403],
    });
    const body = asObject(parseJson(answer, 'BrickLink')) ?? {};
    return isFound(body) ? { bytes: answer.bytes, data: body.data } : null;
  }
}

/** Countries are two capital letters; everything else is a region, such as `europe`. */
function regionQuery(region: string | null): Record<string, string> {
  if (region === null) return {};
  return /^[A-Z]{2}$/.test(region) ? { country_code: region } : { region };
}

/** False if the item is unknown; throws for other errors. */
function isFound(body: JsonObject): boolean {
  const meta = asObject(body.meta) ?? {};
  const code = Number(meta.code ?? Number.NaN);
  if (code >= 200 && code < 300) return true;
  const words = [meta.message, meta.description].filter((word) => typeof word === 'string');
  // Unknown item numbers are also answered with 400, like unsupported currencies.
  const isAboutItem = code === 404 || (code === 400 && /\bitem\b/i.test(words.join(' ')));
  if (isAboutItem) return false;
  throw rejection(code, words.join(' '));
}

/** BrickLink's message is not repeated, because it contains the consumer key. */
function rejection(code: number, words: string): SourceError {
  if (code === 401 && /TOKEN_IP_MISMATCHED/.test(words)) {
    const address = /\bIP: ?([\da-f.:]+)/i.exec(words)?.[1];
    return new SourceError(
      `BrickLink does not allow this server's IP address${address ? ` (${address})` : ''}. ` +
        'Register it at https://www.bricklink.com/v2/api/register_consumer.page.',
      'stopped',
    );
  }
  if (code === 401 && /TIMESTAMP|NONCE/.test(words)) {
    return new SourceError(
      "BrickLink rejected the time of the request. Check this server's clock.",
      'later',
    );
  }
  if (code === 401 || code === 403) {
    return new SourceError(
      'BrickLink rejected the keys. Check the consumer key, the token and both secrets.',
      'stopped',
    );
  }
  if (code === 429) {
    return new SourceError("BrickLink's rate limit is reached.", 'later', overLimitMs);
  }
  if (code === 400) {
    return new SourceError(
      'BrickLink rejected the request. Check the currency and the region.',
      'stopped',
    );
  }
  return new SourceError(
    Number.isNaN(code)
      ? 'BrickLink sent a response without a status code.'
      : `BrickLink returned an error (${code}).`,
    'later',
  );
}
