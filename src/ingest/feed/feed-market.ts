/**
 * The market lines of the feed: sales, retractions, offers, units for sale, values of parts and
 * exchange rates.
 */

import { itemKey } from '../../catalog/items/numbers.ts';
import { shortValue } from '../../kernel/text.ts';
import { amountMax } from '../../market/rates/exchange.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import {
  channels,
  completenesses,
  conditions,
  retailers,
  sellerTypes,
} from '../../market/source-rows/source-rows.ts';
import { type Fields, RowError } from '../runner/fields.ts';

const saleQuantityMax = 10_000;
const itemKinds = ['set', 'minifig'] as const;

export const feedSale = {
  fields: [
    'source',
    'source_id',
    'item_type',
    'item',
    'condition',
    'price',
    'shipping',
    'currency',
    'quantity',
    'sold_at',
    'channel',
    'seller',
    'completeness',
  ],
  read: (fields: Fields): MarketRow => {
    const itemKind = fields.requiredChoice('item_type', itemKinds);
    const currency = readCurrency(fields.text('currency') ?? 'USD');
    const max = amountMax(currency);
    const priceCents = fields.requiredCents('price', max);
    if (priceCents === 0) throw new RowError("'price' must be above 0, not 0");
    return {
      kind: 'sale',
      sale: {
        source: fields.identity('source'),
        sourceId: fields.requiredText('source_id', 200),
        itemKind,
        itemKey: itemKey(itemKind, fields.identity('item')),
        condition: fields.requiredChoice('condition', conditions),
        priceCents,
        shippingCents: fields.cents('shipping', max) ?? 0,
        currency,
        quantity: fields.whole('quantity', { min: 1, max: saleQuantityMax }) ?? 1,
        soldAt: fields.pastInstant('sold_at'),
        channel: fields.choice('channel', channels),
        seller: fields.text('seller', 200),
        completeness: fields.choice('completeness', completenesses),
      },
    };
  },
};

export const feedRetract = {
  fields: ['source', 'source_id'],
  read: (fields: Fields): MarketRow => ({
    kind: 'retract',
    source: fields.identity('source'),
    sourceId: fields.requiredText('source_id', 200),
  }),
};

export const feedOffer = {
  fields: [
    'retailer',
    'set_number',
    'observed_at',
    'price',
    'list_price',
    'currency',
    'seller_type',
    'in_stock',
    'asin',
    'product_url',
    'lowest_fba',
    'fba_sellers',
    'buy_box',
  ],
  read: (fields: Fields): MarketRow => {
    const currency = readCurrency(fields.text('currency') ?? 'USD');
    const max = amountMax(currency);
    return {
      kind: 'offer',
      offer: {
        retailer: fields.requiredChoice('retailer', retailers),
        setKey: itemKey('set', fields.identity('set_number')),
        observedAt: fields.pastInstant('observed_at'),
        currency,
        priceCents: offerPrice(fields, max),
        listPriceCents: fields.cents('list_price', max) || null,
        sellerType: fields.choice('seller_type', sellerTypes),
        inStock: fields.flag('in_stock'),
        // Some sources write an empty text or 0 for unknown values.
        asin: fields.text('asin', 64)?.trim() || null,
        productUrl: fields.url('product_url'),
        lowestFbaCents: fields.cents('lowest_fba', max) || null,
        fbaSellers: fields.whole('fba_sellers', { min: 0 }),
        buyBoxCents: fields.cents('buy_box', max) || null,
      },
    };
  },
};

const unitsMax = 1_000_000;

export const feedListings = {
  fields: [
    'item_type',
    'item',
    'condition',
    'channel',
    'observed_at',
    'units',
    'lowest_price',
    'currency',
  ],
  read: (fields: Fields): MarketRow => {
    const itemKind = fields.requiredChoice('item_type', itemKinds);
    return {
      kind: 'listings',
      listings: {
        itemKind,
        itemKey: itemKey(itemKind, fields.identity('item')),
        condition: fields.requiredChoice('condition', conditions),
        channel: fields.requiredChoice('channel', channels),
        observedAt: fields.pastInstant('observed_at'),
        units: fields.required('units', fields.whole('units', { min: 0, max: unitsMax })),
        lowestCents: fields.cents('lowest_price') || null,
        currency: readCurrency(fields.text('currency') ?? 'USD'),
      },
    };
  },
};

export const feedPartOut = {
  fields: [
    'set_number',
    'condition',
    'source',
    'observed_at',
    'amount',
    'currency',
    'lots',
    'units',
  ],
  read: (fields: Fields): MarketRow => {
    const currency = readCurrency(fields.text('currency') ?? 'USD');
    const amountCents = fields.requiredCents('amount', amountMax(currency));
    if (amountCents === 0) throw new RowError("'amount' must be above 0, not 0");
    const lots = fields.whole('lots', { min: 1, max: unitsMax });
    const units = fields.whole('units', { min: 1, max: unitsMax });
    if (lots !== null && units !== null && units < lots) {
      throw new RowError(`'units' must be at least 'lots' (${lots}), not ${units}`);
    }
    return {
      kind: 'part_out',
      partOut: {
        setKey: itemKey('set', fields.identity('set_number')),
        condition: fields.requiredChoice('condition', conditions),
        source: fields.identity('source'),
        observedAt: fields.pastInstant('observed_at'),
        amountCents,
        currency,
        lots,
        units,
      },
    };
  },
};

export const feedFx = {
  fields: ['date', 'currency', 'usd_per_unit'],
  read: (fields: Fields): MarketRow => ({
    kind: 'fx',
    rate: {
      date: fields.pastDay('date'),
      currency: readCurrency(fields.requiredText('currency')),
      usdPerUnit: fields.required('usd_per_unit', fields.positive('usd_per_unit')),
    },
  }),
};

function offerPrice(fields: Fields, max: number): number | null {
  const cents = fields.cents('price', max);
  if (cents === 0) throw new RowError("'price' must be above 0, or null for no offer");
  return cents;
}

function readCurrency(code: string): string {
  const upper = code.toUpperCase();
  if (!/^[A-Z]{3}$/.test(upper)) {
    throw new RowError(`'currency' must be a code such as EUR, not ${shortValue(code)}`);
  }
  return upper;
}
