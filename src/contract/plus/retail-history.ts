/** The retail history of a set: its published changes at both retailers, and its lows. */
import Type, { type Static } from 'typebox';
import { toUsdOrNull } from '../../kernel/money.ts';
import { formatInstant } from '../../kernel/time.ts';
import {
  formatChangePosition,
  type OfferPast,
  type PastOffer,
  type RetailHistory as PublishedHistory,
} from '../../market/retail/retail-history.ts';
import { type Retailer, retailers, sellerTypes } from '../../market/source-rows/source-rows.ts';
import { pageQuery } from '../catalog.ts';
import {
  choice,
  exactly,
  flag,
  instant,
  largeCount,
  listOf,
  oneOf,
  orNull,
  position,
  record,
  text,
  usd,
} from '../fields.ts';
import { pageSizeMax, urlLengthMax } from '../limits.ts';

const anInstant = 'an instant such as 2026-11-15T12:00:00Z';

/** `expected` says in words what to send. */
function times(expected: string) {
  const instantOf = (description: string, example: string) =>
    Type.Optional(
      Type.String({
        format: 'date-time',
        'x-expected': expected,
        maxLength: urlLengthMax,
        description,
        examples: [example],
      }),
    );
  return {
    from: instantOf(
      'Only changes at or after this time, and for each retailer the one that was in force then.',
      '2026-08-01T00:00:00Z',
    ),
    to: instantOf('Only changes before this time.', '2026-12-01T00:00:00Z'),
  };
}

const queryTimes = times(`${anInstant} (a + is written as %2B)`);
export const bodyTimes = times(anInstant);

export const RetailHistoryQuery = exactly({
  retailer: Type.Optional(choice(retailers, 'Only changes at this retailer.')),
  ...queryTimes,
  after: Type.Optional(
    position('Only changes after this position. If omitted, the latest changes.', {
      example: 17947440000009,
    }),
  ),
  limit: pageQuery.limit,
});

const Lows = record(
  'RetailLows',
  'The lowest prices of the last days, each including the price in force when the days began. ' +
    'They include no time before `since`, except for `all_time_usd`.',
  {
    days_30_usd: orNull(usd('Lowest price in the last 30 days; null if there was no offer.')),
    days_90_usd: orNull(usd('Lowest price in the last 90 days; null if there was no offer.')),
    days_365_usd: orNull(usd('Lowest price in the last 365 days; null if there was no offer.')),
    all_time_usd: orNull(
      usd('Lowest price ever seen, also before `since`; null when it is unknown.'),
    ),
  },
);

export const PublishedOffer = record(
  'PublishedOffer',
  'What was published at one time, in force until the next change.',
  {
    at: instant('When it was published.'),
    price_usd: orNull(usd('The price; null when there is no offer.')),
    seller_type: orNull(oneOf(sellerTypes, 'Who sells it; null when unknown, or without offer.')),
    in_stock: orNull(flag('Whether it is in stock; null when unknown.')),
    corrected: flag(
      'Whether the price turned out to be wrong, because an import was corrected or undone. Such ' +
        'a price is no low.',
    ),
  },
);

const RetailerHistory = record('RetailerHistory', 'The history of a set at one retailer.', {
  retailer: oneOf(retailers, 'The retailer.'),
  since: instant('When its history begins. What was published before is not known.'),
  lows: Lows,
  changes: listOf(PublishedOffer, 'Changes on this page, latest first.', pageSizeMax),
});

export const RetailHistory = record('RetailHistory', {
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  retailers: listOf(
    RetailerHistory,
    'One element per retailer that ever offered the set, also without changes here.',
    retailers.length,
  ),
  next: orNull(
    largeCount('Send this as `after` to get earlier changes; null when there are none.'),
  ),
});

export type RetailHistory = Static<typeof RetailHistory>;

export interface PresentedSet {
  readonly number: string;
  readonly name: string;
  /** The lowest price ever at each retailer, in dollars; null when unknown. */
  lowestUsd(retailer: Retailer): number | null;
}

export function presentRetailHistory(
  { number, name, lowestUsd }: PresentedSet,
  { retailers, changes, hasMore }: PublishedHistory,
): RetailHistory {
  const last = changes.at(-1);
  return {
    set_number: number,
    title: name,
    retailers: retailers.map((past) => ({
      retailer: past.retailer,
      since: formatInstant(past.since),
      lows: presentLows(past, lowestUsd(past.retailer)),
      changes: changes.filter(({ retailer }) => retailer === past.retailer).map(presentOffer),
    })),
    next: hasMore && last ? formatChangePosition(last) : null,
  };
}

function presentLows({ lows }: OfferPast, lowestUsd: number | null): Static<typeof Lows> {
  return {
    days_30_usd: toUsdOrNull(lows[30]),
    days_90_usd: toUsdOrNull(lows[90]),
    days_365_usd: toUsdOrNull(lows[365]),
    all_time_usd: lowestUsd,
  };
}

export function presentOffer(offer: PastOffer): Static<typeof PublishedOffer> {
  const { at, priceCents, sellerType, inStock, isCorrected } = offer;
  return {
    at: formatInstant(at),
    price_usd: toUsdOrNull(priceCents),
    seller_type: sellerType,
    in_stock: inStock,
    corrected: isCorrected,
  };
}

/** Example for the OpenAPI document. */
export const retailHistoryExample: RetailHistory = {
  set_number: '10482',
  title: 'Harbour Lighthouse',
  retailers: [
    {
      retailer: 'retailer_a',
      since: '2026-03-02T06:00:00.000Z',
      lows: {
        days_30_usd: 179.99,
        days_90_usd: 169.99,
        days_365_usd: 119.99,
        all_time_usd: 95.99,
      },
      changes: [
        {
          at: '2026-11-12T09:15:00.000Z',
          price_usd: 179.99,
          seller_type: 'third_party',
          in_stock: true,
          corrected: false,
        },
        {
          at: '2026-11-01T07:15:00.000Z',
          price_usd: null,
          seller_type: null,
          in_stock: false,
          corrected: false,
        },
      ],
    },
  ],
  next: 17935173000009,
};
