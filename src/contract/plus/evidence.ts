/** Evidence behind the values of an item: counts and reasons, never a single sale. */
import Type, { type Static, type TSchema } from 'typebox';
import { dataTiers, rowOutcomes } from '../../domain/market/evidence.ts';
import { channels } from '../../domain/market/source-rows.ts';
import { count, decimal, instant, oneOf, orNull, record, text, usd } from '../fields.ts';

const Range = record(
  'EvidenceRange',
  { low: usd('Lower end of the range.'), high: usd('Upper end of the range.') },
  'Expected range of the next ordinary sale; null without a value.',
);

const SalesByWindow = record(
  'SalesByWindow',
  {
    days_30: count('In the last 30 days.'),
    days_90: count('In the last 90 days.'),
    days_180: count('In the last 180 days.'),
    days_365: count('In the last 365 days.'),
    ever: count('Since the first sale.'),
  },
  'Sales that count, by age; null without a value.',
);

const rowCounts = Object.fromEntries(
  rowOutcomes.map((outcome) => [outcome, count(`Sales that were ${outcome.replace('_', '-')}.`)]),
) as Record<(typeof rowOutcomes)[number], ReturnType<typeof count>>;

const ReasonCount = record(
  'ReasonCount',
  {
    outcome: oneOf(rowOutcomes, 'The outcome of these sales.'),
    reason: orNull(text('Reason code; null for ordinary sales.')),
    count: count('Number of these sales.'),
  },
  'Sales with the same outcome for the same reason.',
);

const ConditionEvidence = record(
  'ConditionEvidence',
  {
    value_usd: orNull(usd('Value in this condition; null when there is none.')),
    range: orNull(Range),
    sales: orNull(SalesByWindow),
    rows: record('OutcomeCounts', rowCounts, 'Sales in this condition, by outcome.'),
    reasons: Type.Array(ReasonCount, {
      description: 'The same counts with reasons, sorted by outcome.',
    }),
  },
  'The value in one condition and the sales behind it.',
);

const ChannelSales = record(
  'ChannelSales',
  {
    channel: oneOf([...channels, 'unknown'] as const, 'The sales channel.'),
    sales: count('Sales that count.'),
    offset_pct: decimal(
      'How far prices are above fixed-price sales, in percent; negative when below.',
    ),
  },
  'Sales in one channel.',
);

export const ItemEvidence = record('Evidence', {
  item_type: oneOf(['set', 'minifig'] as const, 'Type of the item.'),
  number: text('The canonical number.'),
  title: text('Name of the item.'),
  data_tier: oneOf(dataTiers, 'How well sales support the values.'),
  tier_reasons: Type.Array(text('A reason, as a sentence.'), {
    description: 'Why the item has this tier.',
  }),
  sealed: ConditionEvidence,
  used: ConditionEvidence,
  channels: Type.Array(ChannelSales, {
    maxItems: channels.length + 1,
    description: 'Sales that count in both conditions, by channel.',
  }),
  engine: orNull(
    text('Version of the engine that computed the values; null if there are none yet.'),
  ),
  parameters: orNull(
    text('Version of the learned parameters it used; null if there are none yet.'),
  ),
  input_hash: orNull(text('Hash of the inputs of the values; null if there are none yet.')),
  calculated_at: orNull(instant('When the values were computed; null if there are none yet.')),
} satisfies Record<string, TSchema>);

export type ItemEvidence = Static<typeof ItemEvidence>;

/** Example for the OpenAPI document. */
export const evidenceExample: ItemEvidence = {
  item_type: 'set',
  number: '10482',
  title: 'Harbour Lighthouse',
  data_tier: 'high',
  tier_reasons: [
    'Data tier high: 28 sealed sales in 90 days, 55 in 180 days. The value is accurate to about ' +
      '2.1%; single sales vary by about 9.0%.',
    'Sealed sales counted: Mar 2022 to Nov 2026.',
  ],
  sealed: {
    value_usd: 168.4,
    range: { low: 148.2, high: 191.35 },
    sales: { days_30: 11, days_90: 28, days_180: 55, days_365: 104, ever: 260 },
    rows: { accepted: 255, down_weighted: 5, quarantined: 1, rejected: 7 },
    reasons: [
      { outcome: 'accepted', reason: null, count: 255 },
      { outcome: 'down_weighted', reason: 'damaged_box', count: 5 },
      { outcome: 'quarantined', reason: 'does_not_fit', count: 1 },
      { outcome: 'rejected', reason: 'duplicate', count: 7 },
    ],
  },
  used: {
    value_usd: null,
    range: null,
    sales: null,
    rows: { accepted: 0, down_weighted: 0, quarantined: 0, rejected: 0 },
    reasons: [],
  },
  channels: [
    { channel: 'fixed', sales: 180, offset_pct: 0 },
    { channel: 'bricklink', sales: 80, offset_pct: -6.2 },
  ],
  engine: 'brickmark-5',
  parameters: '2026-11-5f0e9d55',
  input_hash: '0b6a1f6e5a0c4',
  calculated_at: '2026-11-15T06:00:00.000Z',
};
