/** Max buy prices in words: codes are spelled out, and unknowns are marked. */
import { expect, test } from 'bun:test';
import { maxBuyExample } from '../../contract/plus/max-buy.ts';
import { itemText } from './what-to-pay.ts';

test('a channel without its own prices is marked', () => {
  expect(itemText(maxBuyExample)).toBe(
    [
      '10482 Harbour Lighthouse, sealed: value $168.40.',
      'Pay at most $101.60 (sold on bricklink) for a margin of 25% in 80% of sales.',
      '- bricklink: pay at most $101.60, nets $127.00, ' +
        'median time to sell yours 32 days (11 others for sale)',
      '- facebook: pay at most $109.44, nets $136.80, ' +
        'median time to sell yours 58 days (competition assumed) (assumed prices)',
    ].join('\n'),
  );
});

test('the reason for a missing price is given in words, also by channel', () => {
  const channels = maxBuyExample.channels.slice(0, 1).map((quote) => ({
    ...quote,
    max_buy_usd: null,
    wait_days: null,
  }));
  const answer = {
    ...maxBuyExample,
    best_channel: null,
    reason: 'nothing_left',
    channels,
  } as const;
  expect(itemText(answer)).toEndWith(
    'No max buy price. After fees and shipping, no channel with known prices leaves the ' +
      'margin.\n- bricklink: no price leaves the margin, nets $127.00',
  );
});
