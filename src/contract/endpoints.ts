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
import { anyWhole, exactly, identifier } from './fields.ts';
import { History, historyExample } from './history.ts';
import {
  apiPrefix,
  identifierLengthMax,
  listMembersMax,
  searchLengthMax,
  searchLengthMin,
  searchTermExpected,
  urlLengthMax,
} from './limits.ts';
import { MinifigRecord, minifigExample } from './minifig.ts';
import { RetailRowOrNull, RetailRows, retailRowExample } from './retail.ts';
import { SetRecord, setExample } from './set.ts';

const setNumber = exactly({
  number: identifier('The set number. `75192` and `75192-1` are the same set.', '10482'),
});
const minifigNumber = exactly({ number: identifier('The minifigure number.', 'coa0007') });
const nothing = exactly({});

const search = exactly({
  q: Type.String({
    minLength: searchLengthMin,
    maxLength: searchLengthMax,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    'x-expected': searchTermExpected,
    description:
      'Words to search for; each must occur in the number or the name. At least 2 visible ' +
      'characters: spaces do not count, and a letter with its accents or an emoji counts as one.',
    examples: ['lighthouse'],
  }),
  ...pageQuery,
});

const listMember = `[^,\\u0000-\\u001f\\u007f-\\u009f]{1,${identifierLengthMax}}`;

const commaList = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: (identifierLengthMax + 1) * listMembersMax - 1,
      pattern: `^${listMember}(,${listMember}){0,${listMembersMax - 1}}$`,
      'x-expected': `1 to ${listMembersMax} values separated by commas, none of them empty`,
      'x-list': true,
      description,
      examples: [example],
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
    tag: 'Catalog',
    summary: 'A set with its market values',
    description:
      'Catalog data, market values in new and used condition, retail prices and box size. ' +
      '`75192` and `75192-1` are the same set. The same for every caller.',
    docs: 'a set with its values, range, retailers and box',
    params: setNumber,
    query: nothing,
    answer: SetRecord,
    example: setExample,
    mayMiss: true,
  },
  getMinifig: {
    ...shared,
    method: 'GET',
    path: '/minifig/{number}',
    tag: 'Catalog',
    summary: 'A minifigure with its market value',
    description:
      'Its market value with a range, and the sets it appears in. The same for every ' + 'caller.',
    docs: 'a minifigure with its value and range',
    params: minifigNumber,
    query: nothing,
    answer: MinifigRecord,
    example: minifigExample,
    mayMiss: true,
  },
  searchSets: {
    ...shared,
    method: 'GET',
    path: '/catalog/sets/search',
    tag: 'Catalog',
    summary: 'Search sets by number or name',
    description:
      'Returns identity only; for values, use the number with `GET /set/{number}`. Case, ' +
      'accents, hyphens and apostrophes are ignored. Ranked by exact number, then exact ' +
      'name, then how closely they match. Matches with a typo or by theme are returned ' +
      'only when nothing else matches. The same for every caller.',
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
    tag: 'Catalog',
    summary: 'Search minifigures by number or name',
    description:
      'Returns identity only; for the value, use the number with `GET /minifig/{number}`. ' +
      'Matched and ranked like sets. The same for every caller.',
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
    tag: 'Catalog',
    summary: 'All themes',
    description:
      'All themes in one page, sorted by name, each with its number of sets. The same for ' +
      'every caller.',
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
    tag: 'Catalog',
    summary: 'Up to 100 sets and minifigures at once',
    description:
      'Items that do not exist do not fail the batch: each item has `found`. Repeated ' +
      'numbers, including `75192` and `75192-1`, count as one item. The same for every ' +
      'caller.',
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
    tag: 'Catalog',
    summary: 'Finalized monthly values of a set',
    description:
      'One point per finalized month, oldest first. The current month is not included; a ' +
      'month becomes final on the 8th of the next month. The same for every caller.',
    docs: 'finalized months, `sealed` or `used`',
    params: setNumber,
    query: exactly({
      condition: Type.Enum([...conditions], {
        type: 'string',
        default: 'sealed',
        description: 'The condition to return values for.',
        examples: ['sealed'],
      }),
    }),
    answer: History,
    example: historyExample,
    mayMiss: true,
  },
  getSetRetailPrices: {
    ...shared,
    method: 'GET',
    path: '/set/{number}/retail-prices',
    tag: 'Retail',
    summary: 'Retail prices of a set',
    description:
      '`data` is null when no retail data was ever recorded for the set, or the set does ' +
      'not exist. `paid`, your average unit cost, is present only when you hold the set.',
    docs: 'prices at the two retailers',
    params: setNumber,
    query: nothing,
    answer: RetailRowOrNull,
    example: retailRowExample,
  },
  findRetailPrices: {
    ...shared,
    method: 'GET',
    path: '/retail-prices',
    tag: 'Retail',
    summary: 'Retail prices by set number, ASIN or barcode',
    description:
      'Send at least one of `set`, `asin` and `upc`; if you send several, all must match ' +
      'the same set. `data` is null when nothing matches. `paid`, your average unit cost, ' +
      'is present only when you hold the set.',
    docs: 'the same, by any identifier',
    params: nothing,
    query: Type.Object(
      {
        set: Type.Optional(identifier('A set number.', '10482')),
        asin: Type.Optional(identifier("Retailer A's product identifier.", 'B0EXAMPLE1')),
        upc: Type.Optional(identifier('A UPC or EAN.', '673419000017')),
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
    tag: 'Retail',
    summary: 'Retail prices of your holdings',
    description:
      'One row for each set you hold that has recorded retail data, latest price change ' +
      'first. Every row has `paid`, your average unit cost. If you send both ' +
      '`changed_within` and `since`, both apply.',
    docs: 'the same, for the sets you hold',
    params: nothing,
    query: exactly({
      changed_within: Type.Optional(
        Type.String({
          maxLength: urlLengthMax,
          pattern: '^\\d+[mhd]$',
          'x-expected': 'digits followed by m, h or d, such as 24h',
          description:
            'Only sets whose price at either retailer changed within this many minutes (`m`), ' +
            'hours (`h`) or days (`d`).',
          examples: ['24h'],
        }),
      ),
      since: Type.Optional(
        Type.String({
          format: 'date-time',
          'x-expected': 'an instant such as 2026-11-15T12:00:00Z (a + is written as %2B)',
          maxLength: urlLengthMax,
          description: 'Only sets whose price at either retailer changed at or after this time.',
          examples: ['2026-11-15T12:00:00Z'],
        }),
      ),
      asin: commaList('Only these ASINs, separated by commas.', 'B0EXAMPLE1,B0EXAMPLE2'),
      upc: commaList('Only these UPCs or EANs, separated by commas.', '673419000017'),
    }),
    answer: RetailRows,
    example: [retailRowExample],
  },
  listBrickfolios: {
    ...caller,
    method: 'GET',
    path: '/brickfolio',
    tag: 'Brickfolio',
    summary: 'Your collections',
    description:
      'Your collections with their totals, and your purchases by month. A unit whose value ' +
      'is not known counts at what it cost.',
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
    tag: 'Brickfolio',
    summary: 'Value and cost of your holdings over time',
    description:
      'Totals of what you hold now, and value and cost over the period. A unit whose value ' +
      'is not known counts at what it cost.',
    docs: 'value and cost of your holdings over time',
    params: nothing,
    query: exactly({
      period: Type.Enum([...periods], {
        type: 'string',
        default: '1y',
        description: 'How far back the history goes.',
        examples: ['1y'],
      }),
    }),
    answer: Analytics,
    example: analyticsExample,
  },
  listEntries: {
    ...caller,
    method: 'GET',
    path: '/brickfolio/entries',
    tag: 'Brickfolio',
    summary: 'Your holdings',
    description:
      'Your lots that still have units, newest purchase first, in all collections or in ' +
      'one. A unit whose value is not known counts at what it cost. A `brickfolio_id` that ' +
      'is not yours returns 404.',
    docs: 'your holdings',
    params: nothing,
    query: exactly({
      brickfolio_id: Type.Optional(
        anyWhole({
          minimum: 1,
          description: 'Only holdings in this collection. The ID may have any number of digits.',
          example: 1,
        }),
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
    tag: 'Sales',
    summary: 'Your recorded sales',
    description:
      'Your recorded sales, newest first, with fees, net proceeds and profit. Recorded ' +
      'amounts do not change later.',
    docs: 'your recorded sales',
    params: nothing,
    query: exactly(pageQuery),
    answer: SalePage,
    example: salePageExample,
  },
} as const satisfies Record<string, Endpoint>;
