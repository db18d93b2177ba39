/** The private lines of the feed: collections, lots and recorded sales of an account. */

import { conditions, usualCondition } from '../../market/source-rows/source-rows.ts';
import { detailFields, purchaseFields } from '../../portfolio/lots/lot-fields.ts';
import { lotDefaults } from '../../portfolio/lots/lots.ts';
import type { PrivateRowOf } from '../../portfolio/lots/private-rows.ts';
import { wireNames } from '../../portfolio/lots/wire-fields.ts';
import { saleFields } from '../../portfolio/sales/sale-fields.ts';
import { type Fields, RowError } from '../runner/fields.ts';
import { readDetails, readFields } from './feed-fields.ts';

const brickfolioNameLengthMax = 100;

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
    ...wireNames([...purchaseFields, ...detailFields], { own_fields: ['minifig_number'] }),
  ],
  read: (fields: Fields): PrivateRowOf<'holding'> => ({
    kind: 'holding',
    email: fields.requiredText('account', 254),
    facts: { ...lotDefaults, ...readFields(fields, purchaseFields), ...readDetails(fields) },
  }),
};

export const feedLedgerSale = {
  fields: ['account', ...wireNames(saleFields, { lot: ['minifig_number'] })],
  read: (fields: Fields): PrivateRowOf<'ledger_sale'> => {
    const facts = readFields(fields, saleFields);
    if (facts.costCents !== null && facts.lot !== null) {
      throw new RowError("give 'cost_basis_usd' or 'lot', not both");
    }
    const condition = fields.choice('condition', conditions) ?? usualCondition(facts.kind);
    const email = fields.requiredText('account', 254);
    return { kind: 'ledger_sale', email, facts: { ...facts, condition } };
  },
};
