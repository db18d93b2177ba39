/** Market events in the order they were published. */
import Type, { type Static } from 'typebox';
import { eventScopes } from '../../alerts/channels/delivery-channel.ts';
import { dealWarnings } from '../../buying/deals/deal.ts';
import { toUsd } from '../../kernel/money.ts';
import { formatInstant, formatMonth } from '../../kernel/time.ts';
import { type EventDetails, eventKinds, type LoggedEvent } from '../../market/events/events.ts';
import { dataTiers } from '../../market/evidence/evidence.ts';
import { retailers, sellerTypes } from '../../market/source-rows/source-rows.ts';
import { pageQuery } from '../catalog.ts';
import {
  choice,
  count,
  decimal,
  exactly,
  flag,
  instant,
  largeCount,
  listOf,
  month,
  oneOf,
  orNull,
  position,
  record,
  text,
  usd,
} from '../fields.ts';
import { pageSizeMax, urlLengthMax } from '../limits.ts';
import { sellingChannelNames } from './terms.ts';

const kind = `(${eventKinds.map((each) => each.replace('.', '\\.')).join('|')})`;

export const EventsQuery = exactly({
  after: Type.Optional(
    position(
      'Only events after this position. If omitted, no events are returned, and `next` is the ' +
        'latest position.',
      { example: 1794744000000000 },
    ),
  ),
  kinds: Type.Optional(
    Type.String({
      pattern: `^${kind}(,${kind}){0,${eventKinds.length - 1}}$`,
      'x-expected': `some of ${eventKinds.join(', ')}, separated by commas`,
      'x-list': true,
      maxLength: urlLengthMax,
      description: 'Only events of these kinds, separated by commas.',
      examples: ['retail.price,retail.stock'],
    }),
  ),
  scope: choice(
    eventScopes,
    '`holdings`: only events about sets and minifigures you hold. `watch`: only events ' +
      'about those on your watchlists.',
    { usual: 'all' },
  ),
  limit: pageQuery.limit,
});

const optional = Type.Optional;

const Details = record(
  'EventDetails',
  'The fields that apply to this kind of event; all others are omitted.',
  {
    price_usd: optional(usd('Price at the retailer; the last known price when there is no offer.')),
    has_offer: optional(
      flag('Whether there is an offer; without one, the price is the last known.'),
    ),
    change_pct: optional(decimal('Price change in percent.')),
    at_lowest: optional(flag('Whether the price is the lowest ever seen.')),
    lowest_usd: optional(usd('The lowest price ever seen.')),
    below_value_pct: optional(
      decimal('How far the price is below the new value, in percent; negative when above.'),
    ),
    seller_type: optional(oneOf(sellerTypes, 'Who sells it; in `retail.flip`, once confirmed.')),
    in_stock: optional(flag('Whether it is in stock.')),
    new_value_usd: optional(usd('Value of a new set.')),
    used_value_usd: optional(usd('Value of a used set.')),
    current_value_usd: optional(usd('Value of a minifigure.')),
    data_tier: optional(oneOf(dataTiers, 'How well sales support the value.')),
    status_id: optional(
      Type.Integer({
        minimum: 1,
        maximum: 4,
        format: 'int32',
        description: '1 announced, 2 available, 3 retiring soon, 4 retired.',
      }),
    ),
    month: optional(month('The month, as YYYY-MM; for a restatement, the first restated month.')),
    new_sales_count: optional(count('Sales of new sets in the month that support the value.')),
    used_sales_count: optional(count('Sales of used sets in the month that support the value.')),
    reason: optional(text('Why history was restated, or why the deal ended.')),
    max_buy_usd: optional(usd('Max buy price at default terms.')),
    best_channel: optional(oneOf(sellingChannelNames, 'Best channel to sell it in.')),
    net_usd: optional(usd('Median net in the best channel.')),
    profit_usd: optional(usd('Net minus cost.')),
    roi_pct: optional(decimal('Profit as a percentage of cost.')),
    wait_days: optional(orNull(decimal('Median days until it sells there; null when unknown.'))),
    warnings: optional(
      listOf(
        oneOf(dealWarnings, 'A warning.'),
        'What to check before you buy.',
        dealWarnings.length,
      ),
    ),
  },
);

export const Event = record('MarketEvent', 'One event.', {
  position: largeCount('Position in the log. Increases with every event, with gaps.'),
  at: instant('When it was published.'),
  kind: oneOf(eventKinds, 'What happened.'),
  item_type: orNull(
    oneOf(['set', 'minifig'], 'What the event is about; null for the whole market.'),
  ),
  number: orNull(text('The canonical number; null for the whole market.')),
  title: orNull(text('Name of the item; null when it is no longer published.')),
  retailer: orNull(oneOf(retailers, 'The retailer; null when the event is not about one.')),
  before: Details,
  after: Details,
});

export const EventPage = record('EventPage', {
  events: listOf(Event, 'In order of position.', pageSizeMax),
  next: largeCount('Send this as `after` in the next call.'),
  has_more: flag('Whether there are more events after `next`.'),
});

export type Event = Static<typeof Event>;
export type EventPage = Static<typeof EventPage>;

export function presentEvent(event: LoggedEvent): Event {
  const { position, at, kind, itemKind, number, title, retailer } = event;
  const details = (of: EventDetails) => presentDetails(of, itemKind === 'minifig');
  return {
    position,
    at: formatInstant(at),
    kind,
    item_type: itemKind,
    number,
    title,
    retailer,
    before: details(event.before),
    after: details(event.after),
  };
}

function presentDetails(details: EventDetails, isMinifig: boolean): Event['before'] {
  const { usedCents, month, deal } = details;
  const fields = {
    price_usd: amount(details.priceCents),
    has_offer: details.hasOffer,
    change_pct: details.changePercent,
    at_lowest: details.isAtLowest,
    lowest_usd: amount(details.lowestCents),
    below_value_pct: details.belowValuePercent,
    seller_type: details.sellerType,
    in_stock: details.inStock,
    new_value_usd: amount(details.newCents),
    [isMinifig ? 'current_value_usd' : 'used_value_usd']: amount(usedCents),
    data_tier: details.tier,
    status_id: details.statusId,
    month: month === undefined ? undefined : formatMonth(month),
    new_sales_count: details.newSales,
    used_sales_count: details.usedSales,
    reason: details.reason,
    max_buy_usd: amount(deal?.maxBuyCents),
    best_channel: deal?.channel,
    net_usd: amount(deal?.medianNetCents),
    profit_usd: amount(deal?.profitCents),
    roi_pct: deal?.roiPercent,
    wait_days: deal?.waitDays && Math.round(deal.waitDays * 10) / 10,
    warnings: deal?.warnings,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function amount(cents: number | undefined): number | undefined {
  return cents === undefined ? undefined : toUsd(cents);
}

/** Example for the OpenAPI document. */
export const eventPageExample: EventPage = {
  events: [
    {
      position: 1794744000000000,
      at: '2026-11-15T12:00:00.000Z',
      kind: 'retail.price',
      item_type: 'set',
      number: '10482',
      title: 'Harbour Lighthouse',
      retailer: 'retailer_a',
      before: { price_usd: 119.99 },
      after: {
        price_usd: 95.99,
        has_offer: true,
        change_pct: -20,
        at_lowest: true,
        below_value_pct: 43,
        seller_type: 'retailer',
        in_stock: true,
        new_value_usd: 168.4,
      },
    },
  ],
  next: 1794744000000000,
  has_more: false,
};
