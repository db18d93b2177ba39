/** Parameters of buying that several endpoints share. */
import Type, { type TNumber } from 'typebox';
import { defaultTerms } from '../../buying/boxes/quotes.ts';
import { sellingChannels } from '../../buying/prices/selling-channels.ts';
import { gradeBases, gradeLengthMax, plainGrades } from '../../market/grades/grades.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { choice, decimal, identifier, oneOf, plainNumber } from '../fields.ts';

/** Exactly one of them is sent. */
export const itemNames = {
  set: Type.Optional(identifier('A set number; send either this or `minifig`.', '10482')),
  minifig: Type.Optional(identifier('A minifigure number; send either this or `set`.', 'coa0007')),
} as const;

export const itemCondition = Type.Optional(
  choice(conditions, 'The condition. Default: `sealed` for a set, `used` for a minifigure.'),
);

/** A grade; `incomplete` has an optional percentage. */
export const itemGrade = Type.Optional(
  Type.String({
    pattern: `^(${plainGrades.join('|')}|incomplete_[1-9][0-9]?)$`,
    maxLength: gradeLengthMax,
    'x-expected': `${plainGrades.join(', ')} or incomplete_85 (with a percentage)`,
    description:
      'Grade of the unit, which lowers its prices. It belongs to a condition, which is the ' +
      'default for `condition`.',
    examples: ['damaged_box'],
  }),
);

/** Added to a response if a grade was sent. */
export const gradeFields = {
  grade: Type.Optional(
    Type.String({ maxLength: gradeLengthMax, description: 'The grade that was sent.' }),
  ),
  grade_value_pct: Type.Optional(
    decimal('Value in this grade, as a percentage of that of the condition.'),
  ),
  grade_effect_is: Type.Optional(
    oneOf(gradeBases, '`learned` from sales, `assumed`, or `none` where there is no effect.'),
  ),
} as const;

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

/**
 * A parameter as a field of a body. Code generators treat a field with a default as required, so
 * the default is part of the description.
 */
export function inBody(parameter: TNumber) {
  const { default: usual, description, ...rest } = parameter as TNumber & TermFacts;
  const described = { description: `${description} Default: ${usual}.` };
  return Type.Optional(Type.Unsafe<number>({ ...rest, ...described }));
}

interface TermFacts {
  readonly default: number;
  readonly description: string;
}

/** Names of channels on the wire. */
export const sellingChannelNames = [...sellingChannels];

export const sellingChannel = Type.Optional(
  choice(sellingChannelNames, 'Only this channel; all channels if omitted.', {
    example: 'bricklink',
  }),
);
