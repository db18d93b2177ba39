/**
 * The handlers of calls with test keys: fixed data, the same for everyone, and nothing of the
 * account. Endpoints without a handler of their own answer with the example of their row.
 */

import { itemKey } from '../../catalog/items/numbers.ts';
import {
  allEndpoints,
  type EndpointInput,
  type EndpointName,
} from '../../contract/all-endpoints.ts';
import { historyExample } from '../../contract/history.ts';
import { greetingText, readLastEventId, streamHeaders } from '../../contract/plus/event-stream.ts';
import { eventPageExample } from '../../contract/plus/events.ts';
import { type Usage, usageDays } from '../../contract/plus/usage.ts';
import { retailRowExample } from '../../contract/retail.ts';
import { type RequestedRange, rangeOf } from '../../kernel/page.ts';
import { shortText } from '../../kernel/text.ts';
import { dayMs, dayOf, formatDay, formatInstant, nextMidnight } from '../../kernel/time.ts';
import { dataOf } from '../answer-data.ts';
import type { Answer, CallSource, Spent } from '../handler.ts';
import { paginationOf } from '../pagination.ts';
import { findTestMinifig, findTestSet, testMinifigs, testSets } from './test-items.ts';

export interface TestCall extends Spent {
  readonly allowance: number;
  readonly source: CallSource | undefined;
}

type TestHandler<N extends EndpointName> = (input: EndpointInput<N>, call: TestCall) => Answer;

export type TestAnswer = (input: never, call: TestCall) => Answer;

export function testAnswerOf(name: EndpointName): TestAnswer {
  const own: Readonly<Record<string, TestAnswer | undefined>> = handlers;
  return own[name] ?? (() => dataOf(allEndpoints[name].example));
}

const handlers: { readonly [N in EndpointName]?: TestHandler<N> } = {
  getSet: ({ params }) => jsonOr(findTestSet(params.number), noItem('set', params.number)),
  getMinifig: ({ params }) =>
    jsonOr(findTestMinifig(params.number), noItem('minifig', params.number)),
  searchSets: ({ query }) =>
    searchPage(
      query,
      testSets.map((set) => ({
        set_number: set.set_number,
        title: set.title,
        theme: set.theme,
        subtheme: set.subtheme,
        pieces: set.pieces,
        year: set.release_date === null ? null : Number(set.release_date.slice(0, 4)),
        retired: set.status_id === 4,
        image_url: set.image_url,
      })),
    ),
  searchMinifigs: ({ query }) =>
    searchPage(
      query,
      testMinifigs.map((minifig) => ({
        minifig_number: minifig.minifig_number,
        name: minifig.name,
        category: minifig.category,
        year_released: minifig.year_released,
        image_url: minifig.image_url,
      })),
    ),
  listThemes: () => {
    const counts = Map.groupBy(testSets, ({ theme }) => theme);
    const themes = [...counts].map(([theme, sets]) => ({ theme, set_count: sets.length }));
    return dataOf({ themes });
  },
  getBatch: ({ body }) => batchAnswer(body),
  getSetHistory: ({ params, query }) => {
    const set = findTestSet(params.number);
    const { condition } = query;
    const history = set && { ...historyExample, set_number: set.set_number, condition };
    return jsonOr(history, noItem('set', params.number));
  },
  getSetRetailPrices: ({ params }) => retailAnswer([params.number]),
  findRetailPrices: ({ query: { set, asin, upc } }) => {
    const { asin: ownAsin, upc: ownUpc, setNumber } = retailRowExample;
    const isOther = (asin ?? ownAsin) !== ownAsin || (upc ?? ownUpc) !== ownUpc;
    return retailAnswer(isOther ? [] : [set ?? setNumber]);
  },
  listEntries: ({ query }) => {
    const { entries } = allEndpoints.listEntries.example;
    const id = query.brickfolio_id;
    const isOwn = id === undefined || entries.some((entry) => entry.brickfolio_id === Number(id));
    if (!isOwn) return { missing: `You have no collection ${shortText(String(id))}.` };
    return pageAnswer('entries', entries, query);
  },
  listSales: ({ query }) => pageAnswer('sales', allEndpoints.listSales.example.sales, query),
  listDeals: ({ query }) => pageAnswer('deals', allEndpoints.listDeals.example.deals, query),
  getMaxBuy: ({ query: { set, minifig } }) => {
    if (minifig !== undefined) return noItem('minifig', minifig);
    return exampleOf('getMaxBuy', 'set', set ?? '');
  },
  getWaysToSell: ({ params }) => exampleOf('getWaysToSell', 'set', params.number),
  getSetEvidence: ({ params }) => exampleOf('getSetEvidence', 'set', params.number),
  getMinifigEvidence: ({ params }) => exampleOf('getMinifigEvidence', 'minifig', params.number),
  listHoldings: ({ query: { after } }) =>
    pageAfter('holdings', allEndpoints.listHoldings.example, after),
  listRecordedSales: ({ query: { after } }) =>
    pageAfter('sales', allEndpoints.listRecordedSales.example, after),
  listEvents: ({ query: { after } }) => dataOf(eventsAfter(after ?? eventPageExample.next)),
  streamEvents: ({ query: { after } }, { source }) => {
    const lastEventId = source && readLastEventId(source.request.headers);
    return streamAnswer(lastEventId ?? after ?? eventPageExample.next - 1);
  },
  listBulkFiles: () => noBulk,
  getBulkFile: () => noBulk,
  listBulkChanges: () => noBulk,
  getUsage: (_, call) => dataOf(usageAnswer(call)),
};

const noBulk: Answer = { missing: 'Bulk files are not available with a test key.' };

function noItem(kind: 'set' | 'minifig', number: string): Answer {
  return { missing: `There is no ${kind} '${shortText(number)}' for test keys.` };
}

function jsonOr(data: object | null, missing: Answer): Answer {
  return data ? dataOf(data) : missing;
}

/** The example of a row about one item; a 404 for other items. */
function exampleOf(
  name: 'getMaxBuy' | 'getWaysToSell' | 'getSetEvidence' | 'getMinifigEvidence',
  kind: 'set' | 'minifig',
  number: string,
): Answer {
  const { example } = allEndpoints[name];
  const shown = 'number' in example ? example.number : example.set_number;
  const isFound = itemKey(kind, number) === itemKey(kind, shown);
  return jsonOr(isFound ? example : null, noItem(kind, number));
}

function searchPage(
  query: RequestedRange & { readonly q: string },
  rows: readonly object[],
): Answer {
  const words = query.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = Object.values(row).slice(0, 2).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return pageAnswer('results', found, query);
}

function pageAnswer(name: string, rows: readonly unknown[], range: RequestedRange): Answer {
  const { limit, offset } = rangeOf(range);
  const pagination = paginationOf(rows.length, range);
  return dataOf({ [name]: rows.slice(offset, offset + limit), pagination });
}

function pageAfter(name: string, example: { readonly next: number }, after?: number): Answer {
  if (after === undefined || after < example.next) return dataOf(example);
  return dataOf({ ...example, [name]: [], next: after });
}

function batchAnswer(body: EndpointInput<'getBatch'>['body']): Answer {
  const found = {
    sets: unique('set', body.sets ?? []).map((sent) =>
      foundOr({ set_number: sent }, findTestSet(sent)),
    ),
    minifigs: unique('minifig', body.minifigs ?? []).map((sent) =>
      foundOr({ minifig_number: sent }, findTestMinifig(sent)),
    ),
  };
  const all = [...found.sets, ...found.minifigs];
  const count = all.filter((row) => row.found).length;
  return dataOf({ ...found, summary: { requested: all.length, found: count } });
}

function unique(kind: 'set' | 'minifig', numbers: readonly string[]): string[] {
  const byKey = new Map(numbers.toReversed().map((sent) => [itemKey(kind, sent), sent]));
  return [...byKey.values()].reverse();
}

function foundOr(sent: object, record: object | null): { readonly found: boolean } {
  return record ? { ...record, found: true } : { ...sent, found: false };
}

/** Without the price that the caller paid. */
function retailAnswer([number]: readonly (string | undefined)[]): Answer {
  const { paid: _, ...row } = retailRowExample;
  const isFound =
    number !== undefined && findTestSet(number)?.set_number === retailRowExample.setNumber;
  return dataOf(isFound ? row : null);
}

function eventsAfter(after: number) {
  const events = eventPageExample.events.filter(({ position }) => position > after);
  return { events, next: Math.max(after, eventPageExample.next), has_more: false };
}

/** Sends the fixed events after a position, and ends. */
function streamAnswer(after: number): Answer {
  const texts = eventsAfter(after).events.map(
    (event) => `id: ${event.position}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return {
    headers: streamHeaders,
    start: () => greetingText(after) + texts.join(''),
    release: () => {},
  };
}

function usageAnswer({ allowance, at }: TestCall): Usage {
  const first = dayOf(at) - usageDays + 1;
  const days = Array.from({ length: usageDays }, (_, index) => ({
    date: formatDay((first + index) * dayMs),
    used: 0,
  }));
  return {
    limit: allowance,
    used: 0,
    remaining: allowance,
    reset: formatInstant(nextMidnight(at)),
    days,
  };
}
