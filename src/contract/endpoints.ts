/**
 * The endpoint table of the contract, declared once. Routing, validation, quota cost, the OpenAPI
 * document and the loops of the contract tests all follow from these rows.
 */
import Type from 'typebox';
import { conditions } from '../domain/market/source-rows.ts';
import { periods } from '../domain/portfolio/periods.ts';
import {
  Analytics,
  analyticsExample,
  BrickfolioList,
  brickfolioListExample,
  HoldingPage,
  holdingPageExample,
  SalePage,
  salePageExample,
} from './brickfolio.ts';
import {
  BatchAnswer,
  BatchBody,
  batchBodyExample,
  batchExample,
  MinifigSearchPage,
  minifigSearchExample,
  pageQuery,
  SetSearchPage,
  setSearchExample,
  ThemeList,
  themeListExample,
} from './catalog.ts';
import type { Endpoint } from './endpoint.ts';
import { exactly, identifier } from './fields.ts';
import { History, historyExample } from './history.ts';
import {
  apiPrefix,
  identifierLengthMax,
  idMax,
  listMembersMax,
  searchLengthMax,
  searchLengthMin,
  searchTermExpected,
} from './limits.ts';
import { MinifigRecord, minifigExample } from './minifig.ts';
import { RetailRowOrNull, RetailRows, retailRowExample } from './retail.ts';
import { SetRecord, setExample } from './set.ts';

const setNumber = exactly({ number: identifier('The set number; `75192` and `75192-1` are one.') });
const minifigNumber = exactly({ number: identifier('The minifigure number.') });
const nothing = exactly({});

const search = exactly({
  q: Type.String({
    minLength: searchLengthMin,
    maxLength: searchLengthMax,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    'x-expected': searchTermExpected,
    description: 'Words that must all occur in the number or the name.',
  }),
  ...pageQuery,
});

const listMember = `[^,\\u0000-\\u001f\\u007f-\\u009f]{1,${identifierLengthMax}}`;

const commaList = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^${listMember}(,${listMember}){0,${listMembersMax - 1}}$`,
      'x-expected': `1 to ${listMembersMax} values separated by commas, none of them empty`,
      description,
    }),
  );

const usual = { prefix: apiPrefix, cost: 'one', body: null, mayMiss: false } as const;
const shared = { ...usual, scope: 'shared' } as const;
const caller = { ...usual, scope: 'caller' } as const;

/** All endpoints of the contract, by the name of their operation. */
export const endpoints = {
  getSet: {
    ...shared,
    method: 'GET',
    path: '/set/{number}',
    summary: 'A set with its computed values',
    docs: 'a set with its values, range, retailers and box',
    params: setNumber,
    query: nothing,
    answer: SetRecord,
    example: setExample,
    paramsExample: { number: '10482' },
    mayMiss: true,
  },
  getMinifig: {
    ...shared,
    method: 'GET',
    path: '/minifig/{number}',
    summary: 'A minifigure with its computed value',
    docs: 'a minifigure with its value and range',
    params: minifigNumber,
    query: nothing,
    answer: MinifigRecord,
    example: minifigExample,
    paramsExample: { number: 'coa0007' },
    mayMiss: true,
  },
  searchSets: {
    ...shared,
    method: 'GET',
    path: '/catalog/sets/search',
    summary: 'Search sets by number or name',
    docs: 'sets by number or name; identity only',
    params: nothing,
    query: search,
    answer: SetSearchPage,
    example: setSearchExample,
  },
  searchMinifigs: {
    ...shared,
    method: 'GET',
    path: '/catalog/minifigs/search',
    summary: 'Search minifigures by number or name',
    docs: 'minifigures by number or name; identity only',
    params: nothing,
    query: search,
    answer: MinifigSearchPage,
    example: minifigSearchExample,
  },
  listThemes: {
    ...shared,
    method: 'GET',
    path: '/catalog/themes',
    summary: 'All themes',
    docs: 'all themes with their number of sets',
    params: nothing,
    query: nothing,
    answer: ThemeList,
    example: themeListExample,
  },
  getBatch: {
    ...shared,
    cost: 'per item',
    method: 'POST',
    path: '/catalog/batch',
    summary: 'Up to 100 sets and minifigures at once',
    docs: 'up to 100 sets and minifigures at once',
    params: nothing,
    query: nothing,
    body: BatchBody,
    answer: BatchAnswer,
    example: batchExample,
    bodyExample: batchBodyExample,
  },
  getSetHistory: {
    ...shared,
    method: 'GET',
    path: '/set/{number}/history',
    summary: 'Finalized monthly values of a set',
    docs: 'finalized months, `sealed` or `used`',
    params: setNumber,
    query: exactly({
      condition: Type.Enum([...conditions], {
        type: 'string',
        default: 'sealed',
        description: 'The condition that the values are for.',
      }),
    }),
    answer: History,
    example: historyExample,
    paramsExample: { number: '10482' },
    mayMiss: true,
  },
  getSetRetailPrices: {
    ...shared,
    method: 'GET',
    path: '/set/{number}/retail-prices',
    summary: 'What the two retailers ask for a set',
    docs: 'what the two retailers ask',
    params: setNumber,
    query: nothing,
    answer: RetailRowOrNull,
    example: retailRowExample,
    paramsExample: { number: '10482' },
  },
  findRetailPrices: {
    ...shared,
    method: 'GET',
    path: '/retail-prices',
    summary: 'Retail prices by set number, ASIN or barcode',
    docs: 'the same, by any identifier',
    params: nothing,
    query: Type.Object(
      {
        set: Type.Optional(identifier('A set number.')),
        asin: Type.Optional(identifier("Retailer A's product identifier.")),
        upc: Type.Optional(identifier('A UPC or EAN.')),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    answer: RetailRowOrNull,
    example: retailRowExample,
  },
  listRetailWatch: {
    ...caller,
    method: 'GET',
    path: '/brickfolio/retail-watch',
    summary: "Retail prices of the caller's holdings",
    docs: 'the same, for the sets you hold',
    params: nothing,
    query: exactly({
      changed_within: Type.Optional(
        Type.String({
          pattern: '^\\d{1,6}[mhd]$',
          'x-expected': 'one to six digits followed by m, h or d, such as 24h',
          description: 'Only sets whose price changed within this time.',
        }),
      ),
      since: Type.Optional(
        Type.String({
          format: 'date-time',
          'x-expected': 'an instant such as 2026-11-15T12:00:00Z (a + is written as %2B)',
          description: 'Only sets whose price changed at or after this instant.',
        }),
      ),
      asin: commaList('Only these ASINs, separated by commas.'),
      upc: commaList('Only these UPCs or EANs, separated by commas.'),
    }),
    answer: RetailRows,
    example: [retailRowExample],
  },
  listBrickfolios: {
    ...caller,
    method: 'GET',
    path: '/brickfolio',
    summary: "The caller's collections",
    docs: 'your collections',
    params: nothing,
    query: nothing,
    answer: BrickfolioList,
    example: brickfolioListExample,
  },
  getAnalytics: {
    ...caller,
    method: 'GET',
    path: '/brickfolio/analytics',
    summary: "Value and cost of the caller's holdings over time",
    docs: 'value and cost of your holdings over time',
    params: nothing,
    query: exactly({
      period: Type.Enum([...periods], {
        type: 'string',
        default: '1y',
        description: 'How far back the history goes.',
      }),
    }),
    answer: Analytics,
    example: analyticsExample,
  },
  listEntries: {
    ...caller,
    method: 'GET',
    path: '/brickfolio/entries',
    summary: "The caller's holdings",
    docs: 'your holdings',
    params: nothing,
    query: exactly({
      brickfolio_id: Type.Optional(
        Type.Integer({ minimum: 1, maximum: idMax, description: 'Only this collection.' }),
      ),
      ...pageQuery,
    }),
    answer: HoldingPage,
    example: holdingPageExample,
    mayMiss: true,
  },
  listSales: {
    ...caller,
    method: 'GET',
    path: '/salesledger',
    summary: "The caller's recorded sales",
    docs: 'your recorded sales',
    params: nothing,
    query: exactly(pageQuery),
    answer: SalePage,
    example: salePageExample,
  },
} as const satisfies Record<string, Endpoint>;
