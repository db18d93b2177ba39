/** Retail prices of a set, and of the sets that the caller holds. */

import type { Caller } from '../../accounts/keys/quota.ts';
import { hasScope } from '../../accounts/keys/scopes.ts';
import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { bad } from '../../contract/input-messages.ts';
import { toUsd } from '../../kernel/money.ts';
import { shortText } from '../../kernel/text.ts';
import { parseInstant } from '../../kernel/time.ts';
import type { RetailIdentifiers } from '../../market/published/published-records.ts';
import { asinKey } from '../../market/retail/retail.ts';
import {
  findRetail,
  findRetailOf,
  readRetailWatch,
  type WatchedRow,
  type WatchFilter,
  watchWindowMs,
} from '../../portfolio/today/retail-watch.work.ts';
import type { Question } from '../account-answer-cache.ts';
import { AnswerData, dataOf } from '../answer-data.ts';
import { itemBatch } from '../batch-items.ts';
import type { Handler, Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function retailHandlers(deps: HandlerDeps) {
  return {
    getSetRetailPrices: ({ params }) => retailWork(deps, { setKey: itemKey('set', params.number) }),
    findRetailPrices: findRetailPrices(deps),
    listRetailWatch: listRetailWatch(deps),
    getRetailPriceBatch: getRetailPriceBatch(deps),
  } satisfies Partial<Handlers>;
}

/** `GET /retail-prices` */
function findRetailPrices(deps: HandlerDeps): Handler<'findRetailPrices'> {
  return ({ query: { set, asin, upc } }) => {
    const barcode = upc === undefined ? undefined : barcodeKey(upc);
    // An invalid barcode belongs to no set.
    if (barcode === null) return { read: async () => dataOf(null) };
    return retailWork(deps, {
      setKey: set === undefined ? undefined : itemKey('set', set),
      asinKey: asin === undefined ? undefined : asinKey(asin),
      barcodeKey: barcode,
    });
  };
}

function retailWork({ market: { portfolio } }: HandlerDeps, identifiers: RetailIdentifiers): Work {
  return {
    read: async (caller) => {
      const row = await findRetail(portfolio, holderOf(caller), identifiers);
      return new AnswerData(row ? presentRow(row) : 'null');
    },
  };
}

/** Whose price paid a caller may see: it is part of the portfolio. */
function holderOf({ accountId, scopes }: Caller): number | null {
  return hasScope(scopes, 'portfolio') ? accountId : null;
}

/**
 * The published row is without the price the caller paid, which is added before the closing brace.
 */
function presentRow({ record, paidCents }: WatchedRow): string {
  if (paidCents === null) return record.body;
  return `${record.body.slice(0, -1)},"paid":${toUsd(paidCents)}}`;
}

/** `POST /retail-prices/batch` */
function getRetailPriceBatch({ market }: HandlerDeps): Handler<'getRetailPriceBatch'> {
  return ({ body }) =>
    itemBatch(['set'], body, async (keys, _, caller) => {
      const names = await market.store.findNames('set', keys);
      const rows = await findRetailOf(market.portfolio, holderOf(caller), [...names.keys()]);
      return (key) => {
        const [name, row] = [names.get(key), rows.get(key)];
        if (!name) return null;
        return { set_number: name.number, retail: row ? JSON.parse(presentRow(row)) : null };
      };
    });
}

/** `GET /brickfolio/retail-watch` */
function listRetailWatch({ market, answers, clock }: HandlerDeps): Handler<'listRetailWatch'> {
  return ({ query }) => {
    const window = watchWindowMs(query.changed_within ?? '');
    const since = query.since === undefined ? null : parseSince(query.since);
    const asins = query.asin === undefined ? null : readList('asin', query.asin);
    const codes = query.upc === undefined ? null : readList('upc', query.upc);
    const lists = {
      asinKeys: asins?.map(asinKey) ?? null,
      barcodeKeys: codes?.flatMap((code) => barcodeKey(code) ?? []) ?? null,
    };
    return {
      isExpensive: true,
      read: async (caller) => {
        const question: Question = { endpoint: 'listRetailWatch', input: { query } };
        const make = async () => {
          const bounds = [window === null ? null : clock() - window, since];
          const given = bounds.filter((bound) => bound !== null);
          const changedSince = given.length === 0 ? null : Math.max(...given);
          const filter: WatchFilter = { changedSince, ...lists };
          const rows = await readRetailWatch(market.portfolio, caller.accountId, filter);
          return new AnswerData(`[${rows.map(presentRow).join(',')}]`);
        };
        // With a time window, the response changes with time.
        if (window === null) return answers.find(caller, question, make);
        return answers.findNow(caller, question, make);
      },
    };
  };
}

/** The length of the list was validated by the schema. */
function readList(name: string, text: string): string[] {
  const members = text.split(',').map((member) => member.trim());
  if (!members.includes('')) return members;
  throw bad(`The query parameter '${name}' must have no empty members; got '${shortText(text)}'.`);
}

function parseSince(text: NonNullable<EndpointInput<'listRetailWatch'>['query']['since']>): number {
  const at = parseInstant(text);
  if (at === null) {
    throw bad(
      `The query parameter 'since' must be an instant that exists; got '${shortText(text)}'.`,
    );
  }
  return at;
}
