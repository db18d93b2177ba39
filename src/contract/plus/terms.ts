/** On what terms something is bought: parameters that several endpoints take. */
import Type from 'typebox';
import { sellingPlaces } from '../../domain/buying/channels.ts';
import { usualTerms } from '../../domain/buying/resale.ts';
import { conditions } from '../../domain/market/source-rows.ts';
import { identifier, plainNumber } from '../fields.ts';

/** A set or a minifig, of which exactly one is named. */
export const itemNames = {
  set: Type.Optional(identifier('A set number; send either this or `minifig`.', '10482')),
  minifig: Type.Optional(identifier('A minifigure number; send either this or `set`.', 'coa0007')),
} as const;

/** The condition that something is bought and sold in. */
export const itemCondition = Type.Optional(
  Type.Enum([...conditions], {
    type: 'string',
    description: 'The condition. Default: `sealed` for a set, `used` for a minifigure.',
    examples: ['sealed'],
  }),
);

/** How sure one wants to be, and of what margin. */
export const termFields = {
  share: plainNumber({
    minimum: 0.5,
    maximum: 0.95,
    decimals: 4,
    default: usualTerms.share,
    example: usualTerms.share,
    description: 'Share of ordinary sales expected to reach the price.',
  }),
  margin_pct: plainNumber({
    minimum: 0,
    maximum: 500,
    decimals: 2,
    default: usualTerms.marginBasisPoints / 100,
    example: usualTerms.marginBasisPoints / 100,
    description: 'Margin on cost, in percent.',
  }),
} as const;

/** A way to sell, by its name on the wire. */
export const channelNames = [...sellingPlaces];
