/** Parameters of buying that several endpoints share. */
import Type from 'typebox';
import { sellingPlaces } from '../../domain/buying/channels.ts';
import { defaultTerms } from '../../domain/buying/quotes.ts';
import { conditions } from '../../domain/market/source-rows.ts';
import { identifier, plainNumber } from '../fields.ts';

/** Exactly one of them is sent. */
export const itemNames = {
  set: Type.Optional(identifier('A set number; send either this or `minifig`.', '10482')),
  minifig: Type.Optional(identifier('A minifigure number; send either this or `set`.', 'coa0007')),
} as const;

export const itemCondition = Type.Optional(
  Type.Enum([...conditions], {
    type: 'string',
    description: 'The condition. Default: `sealed` for a set, `used` for a minifigure.',
    examples: ['sealed'],
  }),
);

export const termFields = {
  share: plainNumber({
    minimum: 0.5,
    maximum: 0.95,
    decimals: 4,
    default: defaultTerms.share,
    example: defaultTerms.share,
    description: 'Share of ordinary sales expected to reach the price.',
  }),
  margin_pct: plainNumber({
    minimum: 0,
    maximum: 500,
    decimals: 2,
    default: defaultTerms.marginBasisPoints / 100,
    example: defaultTerms.marginBasisPoints / 100,
    description: 'Margin on cost, in percent.',
  }),
} as const;

/** Names of channels on the wire. */
export const channelNames = [...sellingPlaces];
