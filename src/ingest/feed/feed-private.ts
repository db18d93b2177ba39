/** The private lines of the feed: collections, lots and recorded sales of an account. */

import { platforms } from '../../domain/fees/platforms.ts';
import { conditions, usualCondition } from '../../domain/market/source-rows.ts';
import { holdingStatuses, type LotFacts, lotDefaults } from '../../domain/portfolio/lots.ts';
import type { PrivateRowOf } from '../../domain/portfolio/private-rows.ts';
import { type Fields, RowError } from '../fields.ts';
import { detailNames, readDetails } from './feed-details.ts';

const brickfolioNameLengthMax = 100;
const ownQuantityMax = 100_000;

export const feedBrickfolio = {
  fields: ['account', 'name', 'description', 'is_default'],
  read: (fields: Fields): PrivateRowOf<'brickfolio'> => ({
    kind: 'brickfolio',
    email: fields.requiredText('account', 254),
    facts: {
      name: fields.requiredText('name', brickfolioNameLengthMax),
      description: fields.text('description'),
      isDefault: fields.flag('is_default') ?? false,
    },
  }),
};

export const feedHolding = {
  fields: [
    'account',
    'source_id',
    'brickfolio',
    'set_number',
    'quantity',
    'condition',
    'purchase_price_usd',
    'purchase_date',
    'status',
    ...detailNames,
    'minifig_number',
  ],
  read: (fields: Fields): PrivateRowOf<'holding'> => ({
    kind: 'holding',
    email: fields.requiredText('account', 254),
    facts: {
      ...lotDefaults,
      sourceId: fields.requiredText('source_id', 200),
      brickfolio: fields.requiredText('brickfolio', brickfolioNameLengthMax),
      ...readItem(fields),
      quantity: readQuantity(fields),
      condition: fields.requiredChoice('condition', conditions),
      priceCents: fields.requiredCents('purchase_price_usd'),
      purchaseDate: fields.pastDay('purchase_date'),
      status: fields.choice('status', holdingStatuses) ?? lotDefaults.status,
      ...readDetails(fields),
    },
  }),
};

export const feedLedgerSale = {
  fields: [
    'account',
    'source_id',
    'set_number',
    'platform',
    'sale_date',
    'quantity',
    'gross_proceeds_usd',
    'platform_fees_usd',
    'payment_fees_usd',
    'shipping_cost_usd',
    'condition',
    'cost_basis_usd',
    'lot',
    'minifig_number',
  ],
  read: (fields: Fields): PrivateRowOf<'ledger_sale'> => {
    const costCents = fields.cents('cost_basis_usd');
    const lot = fields.text('lot', 200);
    const item = readItem(fields);
    if (costCents !== null && lot !== null) {
      throw new RowError("give 'cost_basis_usd' or 'lot', not both");
    }
    return {
      kind: 'ledger_sale',
      email: fields.requiredText('account', 254),
      facts: {
        sourceId: fields.requiredText('source_id', 200),
        ...item,
        condition: fields.choice('condition', conditions) ?? usualCondition(item.kind),
        platform: fields.requiredChoice('platform', platforms),
        saleDate: fields.pastDay('sale_date'),
        quantity: readQuantity(fields),
        grossCents: fields.requiredCents('gross_proceeds_usd'),
        platformFeesCents: fields.cents('platform_fees_usd') ?? 0,
        paymentFeesCents: fields.cents('payment_fees_usd') ?? 0,
        shippingCents: fields.cents('shipping_cost_usd') ?? 0,
        costCents,
        lot,
      },
    };
  },
};

/** A set or a minifig, by the field that is given. */
function readItem(fields: Fields): Pick<LotFacts, 'kind' | 'number'> {
  if (fields.text('minifig_number') === null) {
    return { kind: 'set', number: fields.identity('set_number') };
  }
  if (fields.text('set_number') !== null) {
    throw new RowError("give 'set_number' or 'minifig_number', not both");
  }
  return { kind: 'minifig', number: fields.identity('minifig_number') };
}

function readQuantity(fields: Fields): number {
  return fields.required('quantity', fields.whole('quantity', { min: 1, max: ownQuantityMax }));
}
