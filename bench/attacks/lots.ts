/** A set, and a lot of it for each account. */
import type { FeedLine } from '../../test/support/world.ts';

export const soldSet: FeedLine = {
  kind: 'set',
  set_number: '1000',
  title: 'Hut',
  theme: 'Huts',
};

export function lotOf(account: string): FeedLine[] {
  const lot = { quantity: 1, condition: 'sealed', set_number: '1000' } as const;
  const purchase = { purchase_price_usd: 40, purchase_date: '2026-01-01' };
  return [
    { kind: 'brickfolio', account, name: 'All' },
    { kind: 'holding', account, brickfolio: 'All', source_id: 'lot', ...lot, ...purchase },
  ];
}
