/**
 * The endpoint table of the contract. Routing, validation, quota, the OpenAPI document and the
 * contract tests are derived from these rows.
 */
import Type from 'typebox';
import { conditions } from '../market/source-rows/source-rows.ts';
import { periods } from '../portfolio/returns/periods.ts';
import * as brickfolio from './brickfolio.ts';
import * as catalog from './catalog.ts';
import type { Endpoint } from './endpoint.ts';
import { minifigNumber, setNumber, usualEndpoint } from './endpoint-parts.ts';
import { anyWhole, choice, exactly, identifier, printablePattern } from './fields.ts';
import * as history from './history.ts';
import {
  apiPrefix,
  identifierLengthMax,
  listMembersMax,
  searchLengthMax,
  searchLengthMin,
  searchTermExpected,
  urlLengthMax,
} from './limits.ts';
import * as minifig from './minifig.ts';
import * as retail from './retail.ts';
import * as set from './set.ts';

const search = exactly({
  q: Type.String({
    minLength: searchLengthMin,
    maxLength: searchLengthMax,
    pattern: printablePattern,
    'x-expected': searchTermExpected,
    description:
      'Words to search for; each must appear in the number or the name. At least 2 visible ' +
      'characters: spaces do not count, and an accented letter or an emoji counts as one.',
    examples: ['lighthouse'],
  }),
  ...catalog.pageQuery,
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

const usual = { ...usualEndpoint, prefix: apiPrefix } as const;
const shared = { ...usual, scope: 'shared', needs: ['market'] } as const;
const catalogRow = { ...shared, tag: 'Catalog' } as const;
const own = { ...usual, scope: 'caller', needs: ['portfolio'], tag: 'Brickfolio' } as const;

export const endpoints = {
  getSet: {
    ...catalogRow,
    path: '/set/{number}',
    summary: 'Get a set',
    description:
      'Returns catalog data, market values in new and used condition, retail prices and box ' +
      'size. The same for every caller.',
    docs: 'a set with its market values, retail prices and box size',
    params: setNumber,
    answer: set.SetRecord,
    example: set.setExample,
    mayMiss: true,
  },
  getMinifig: {
    ...catalogRow,
    path: '/minifig/{number}',
    summary: 'Get a minifigure',
    description:
      'Returns the market value with its range, and the sets the minifigure appears in. The ' +
      'same for every caller.',
    docs: 'a minifigure with its market value and range',
    params: minifigNumber,
    answer: minifig.MinifigRecord,
    example: minifig.minifigExample,
    mayMiss: true,
  },
  searchSets: {
    ...catalogRow,
    path: '/catalog/sets/search',
    summary: 'Search sets',
    description:
      'Searches numbers and names. Case, accents, hyphens and apostrophes are ignored. ' +
      'Results are ranked by exact number, then exact name, then closeness of the match. ' +
      'Matches with a typo or by theme are returned only when nothing else matches. Results ' +
      'have no values; get those from `GET /set/{number}`. The same for every caller.',
    docs: 'sets by number or name, without values',
    query: search,
    answer: catalog.SetSearchPage,
    example: catalog.setSearchExample,
  },
  searchMinifigs: {
    ...catalogRow,
    path: '/catalog/minifigs/search',
    summary: 'Search minifigures',
    description:
      'Searches numbers and names, and ranks results like the search for sets. Results have ' +
      'no values; get those from `GET /minifig/{number}`. The same for every caller.',
    docs: 'minifigures by number or name, without values',
    query: search,
    answer: catalog.MinifigSearchPage,
    example: catalog.minifigSearchExample,
  },
  listThemes: {
    ...catalogRow,
    path: '/catalog/themes',
    summary: 'List themes',
    description:
      'Returns all themes on one page, sorted by name, with the number of sets in each. The ' +
      'same for every caller.',
    docs: 'all themes, with the number of sets in each',
    answer: catalog.ThemeList,
    example: catalog.themeListExample,
  },
  getBatch: {
    ...catalogRow,
    cost: 'per item',
    method: 'POST',
    path: '/catalog/batch',
    summary: 'Get a batch of sets and minifigures',
    description:
      'Returns up to 100 sets and minifigures. An item that does not exist has `found: ' +
      'false`; the other items are still returned. Repeated numbers, including `75192` and ' +
      '`75192-1`, count as one item. The same for every caller.',
    docs: 'up to 100 sets and minifigures at once',
    body: catalog.BatchBody,
    answer: catalog.BatchAnswer,
    example: catalog.batchExample,
    bodyExample: catalog.batchBodyExample,
  },
  getSetHistory: {
    ...catalogRow,
    path: '/set/{number}/history',
    summary: "Get a set's value history",
    description:
      'Returns one point per finalized month, oldest first. A month becomes final on the 8th ' +
      'of the next month, so the current month is not included. The same for every caller.',
    docs: 'finalized monthly values of a set, `sealed` or `used`',
    params: setNumber,
    query: exactly({
      condition: choice(conditions, 'The condition to return values for.', { usual: 'sealed' }),
    }),
    answer: history.History,
    example: history.historyExample,
    mayMiss: true,
  },
  getSetRetailPrices: {
    ...shared,
    path: '/set/{number}/retail-prices',
    tag: 'Retail',
    summary: "Get a set's retail prices",
    description:
      '`data` is null if the set does not exist or has never had retail data. `paid`, your ' +
      'average unit cost, is present only if you hold the set.',
    docs: 'prices of a set at the two retailers',
    params: setNumber,
    answer: retail.RetailRowOrNull,
    example: retail.retailRowExample,
  },
  findRetailPrices: {
    ...shared,
    path: '/retail-prices',
    tag: 'Retail',
    summary: 'Find retail prices by set number, ASIN or barcode',
    description:
      'Send at least one of `set`, `asin` and `upc`; if you send several, all must match ' +
      'the same set. `data` is null if nothing matches. `paid`, your average unit cost, is ' +
      'present only if you hold the set.',
    docs: 'retail prices by set number, ASIN or barcode',
    query: Type.Object(
      {
        set: Type.Optional(identifier('A set number.', '10482')),
        asin: Type.Optional(identifier("Retailer A's product identifier.", 'B0EXAMPLE1')),
        upc: Type.Optional(identifier('A UPC or EAN.', '673419000017')),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    answer: retail.RetailRowOrNull,
    example: retail.retailRowExample,
  },
  listRetailWatch: {
    ...own,
    path: '/brickfolio/retail-watch',
    tag: 'Retail',
    summary: 'List retail prices of your holdings',
    description:
      'Returns one row for each set you hold that has retail data, latest price change ' +
      'first. Every row has `paid`, your average unit cost. If you send both ' +
      '`changed_within` and `since`, both apply.',
    docs: 'retail prices of the sets you hold',
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
    answer: retail.RetailRows,
    example: [retail.retailRowExample],
  },
  listBrickfolios: {
    ...own,
    path: '/brickfolio',
    summary: 'List your collections',
    description:
      'Returns your collections with their totals, and your purchases by month. Units ' +
      'without a market value are counted at cost.',
    docs: 'your collections with their totals',
    answer: brickfolio.BrickfolioList,
    example: brickfolio.brickfolioListExample,
  },
  getAnalytics: {
    ...own,
    path: '/brickfolio/analytics',
    summary: 'Get portfolio analytics',
    description:
      'Returns the totals of your current holdings, and their value and cost over the ' +
      'period. Units without a market value are counted at cost.',
    docs: 'value and cost of your holdings over time',
    query: exactly({
      period: choice(periods, 'How far back the history goes.', { usual: '1y' }),
    }),
    answer: brickfolio.Analytics,
    example: brickfolio.analyticsExample,
  },
  listEntries: {
    ...own,
    path: '/brickfolio/entries',
    summary: 'List your holdings',
    description:
      'Returns your lots of sets with units left, newest purchase first, in all collections or ' +
      'in one; minifigures are left out. Units without a market value are counted at cost. A ' +
      '`brickfolio_id` that is not yours returns 404.',
    docs: 'your holdings',
    query: exactly({
      brickfolio_id: Type.Optional(
        anyWhole({
          minimum: 1,
          description: 'Only holdings in this collection.',
          example: 1,
        }),
      ),
      ...catalog.pageQuery,
    }),
    answer: brickfolio.HoldingPage,
    example: brickfolio.holdingPageExample,
    mayMiss: true,
  },
  listSales: {
    ...own,
    needs: ['sales'],
    path: '/salesledger',
    tag: 'Sales',
    summary: 'List your sales',
    description:
      'Returns your recorded sales of sets, newest first, with fees, net proceeds and profit; ' +
      'minifigures are left out. ' +
      'Amounts do not change after a sale is recorded.',
    docs: 'your recorded sales',
    query: exactly(catalog.pageQuery),
    answer: brickfolio.SalePage,
    example: brickfolio.salePageExample,
  },
} as const satisfies Record<string, Endpoint>;
