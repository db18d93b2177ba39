/** What messages say, in the form of each channel. */
import { expect, test } from 'bun:test';
import type { TokenHash } from '../account/session-store.ts';
import type { ChannelKind } from '../delivery/channel.ts';
import type { AlertCondition, AlertScope } from './alert-rule.ts';
import type { DueAlerts, DueNotification } from './alert-store.ts';
import { reasonText, whyText } from './alert-words.ts';
import { hideEndLinks } from './end-link.ts';
import { type MetFacts, noFacts } from './is-met.ts';
import { composeAlerts } from './message.ts';

const names = { retailer_a: 'Retailer A', retailer_b: 'Retailer B' };
const subject = {
  itemKind: 'set',
  number: '75192',
  title: 'Millennium Falcon',
  retailer: 'retailer_a',
} as const;

const says = (condition: AlertCondition, facts: Partial<MetFacts>) =>
  reasonText(condition, { ...noFacts, ...facts }, { subject, names });

test('a reason is one sentence that says what is asked and what it is held against', () => {
  const falcon = '75192 Millennium Falcon';
  const price = { priceCents: 519_99 };
  expect(says({ kind: 'price_target' }, { ...price, targetCents: 550_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 5.5% below your target of $550.00`,
  );
  expect(says({ kind: 'price_target' }, { ...price, targetCents: 519_99 })).toBe(
    `${falcon} is $519.99 at Retailer A, at your target of $519.99`,
  );
  expect(says({ kind: 'price_target' }, { ...price, targetCents: 520_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, just below your target of $520.00`,
  );
  expect(says({ kind: 'price_amount', cents: 1_000_00 }, price)).toBe(
    `${falcon} is $519.99 at Retailer A, 48% below your limit of $1,000.00`,
  );
  expect(says({ kind: 'price_of_value', percent: 70 }, { ...price, valueCents: 800_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 65% of its value of $800.00`,
  );
  expect(says({ kind: 'price_of_max_buy', percent: 100 }, { ...price, maxBuyCents: 600_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 13.3% below your max buy price of $600.00`,
  );
  expect(says({ kind: 'price_of_max_buy', percent: 90 }, { ...price, maxBuyCents: 600_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 86.7% of your max buy price of $600.00`,
  );
  expect(says({ kind: 'all_time_low' }, price)).toBe(
    `${falcon} is $519.99 at Retailer A, its all-time low`,
  );
  expect(says({ kind: 'flip', to: 'third_party' }, {})).toBe(
    `${falcon} is now sold only by third parties at Retailer A`,
  );
  expect(says({ kind: 'flip', to: 'retailer' }, {})).toBe(
    `${falcon} is sold by Retailer A itself again`,
  );
  expect(says({ kind: 'back_in_stock' }, price)).toBe(
    `${falcon} is back in stock at Retailer A for $519.99`,
  );
  expect(says({ kind: 'value_up', percent: 5 }, { valueCents: 880_00, baseCents: 800_00 })).toBe(
    `${falcon} is worth $880.00, up 10% from $800.00`,
  );
  expect(says({ kind: 'value_down', percent: 5 }, { valueCents: 700_00, baseCents: 800_00 })).toBe(
    `${falcon} is worth $700.00, down 12.5% from $800.00`,
  );
  const held = { valueCents: 1_250_00, costCents: 1_000_00 };
  expect(says({ kind: 'margin', percent: 20 }, { held })).toBe(
    `Your ${falcon} is worth $1,250.00, 25% over its cost basis of $1,000.00`,
  );
});

test('why it is sent is the alert: its own name, if it has one, and what it waits for', () => {
  const why = (name: string, scope: AlertScope, condition: AlertCondition, list?: string) =>
    whyText({ name, scope, condition }, list ?? null).replace(
      "You're getting this because of your alert: ",
      '',
    );
  const target = { kind: 'price_target' } as const;
  const list = { kind: 'list', listId: 1 } as const;
  const text = 'Price at or below target, on Retiring soon';
  expect(why('For Ben', list, target, 'Retiring soon')).toBe(`For Ben (${text}).`);
  expect(why(text, list, target, 'Retiring soon')).toBe(`${text}.`);
  expect(why('Old', list, target)).toBe('Old (Price at or below target, on a deleted list).');
  expect(why('Up', { kind: 'holdings' }, { kind: 'margin', percent: 20 })).toBe(
    'Up (Gain of 20% or more over cost basis, on your holdings).',
  );
  expect(why('Castle', { kind: 'theme', theme: 'Castle' }, { kind: 'back_in_stock' })).toBe(
    'Castle (Back in stock, in Castle).',
  );
  expect(why('All', { kind: 'all' }, { kind: 'value_up', percent: 20 })).toBe(
    'All (Value up 20% or more, on everything).',
  );
});

const due = (id: number, change: Partial<DueNotification> = {}): DueNotification => ({
  id,
  ruleId: 1,
  rule: {
    name: 'Targets',
    scope: { kind: 'list', listId: 1 },
    condition: { kind: 'price_target' },
  },
  listName: 'Retiring soon',
  note: '',
  at: Date.UTC(2026, 10, 15, 12),
  ...subject,
  reason: '75192 Millennium Falcon is $519.99 at Retailer A, 5.5% below your target of $550.00',
  facts: '{"price_usd":519.99,"target_usd":550}',
  ...change,
});

/** Messages to channels of the kinds, which all rules are told to. */
function compose(kinds: readonly ChannelKind[], ...notifications: DueNotification[]) {
  const all = kinds.map((kind, index) => ({ id: index + 1, kind }));
  const channels = new Map(notifications.map(({ ruleId }) => [ruleId, all]));
  const alerts: DueAlerts = { accountId: 1, notifications, channels };
  let tokens = 0;
  const makeToken = () => {
    const token = `token${++tokens}`;
    return { token, hash: new TextEncoder().encode(token) as Uint8Array as TokenHash };
  };
  const at = Date.UTC(2026, 10, 15, 12, 1);
  const composed = composeAlerts(alerts, { baseUrl: 'https://b.example', at, makeToken });
  return { ...composed, bodies: composed.deliveries.map(({ body }) => JSON.parse(body)) };
}

test('an e-mail says what happened, why, and how to turn it off', () => {
  const { deliveries, bodies, links } = compose(['email'], due(7));
  expect(deliveries[0]).toMatchObject({ channelId: 1, messageId: 'alert_1_7', type: 'alert' });
  expect(bodies[0]).toEqual({
    subject: '75192 Millennium Falcon is $519.99 at Retailer A, 5.5% below your target of $550.00',
    text: [
      '75192 Millennium Falcon is $519.99 at Retailer A, 5.5% below your target of $550.00.',
      'https://b.example/sets/75192',
      '',
      whyText(due(7).rule, 'Retiring soon'),
      'Unsubscribe from this alert: https://b.example/alerts/end/token1',
    ].join('\n'),
    unsubscribeUrl: 'https://b.example/alerts/end/token1',
  });
  expect(new TextDecoder().decode(links.get(1))).toBe('token1');
  const [{ text }] = compose(['email'], due(7, { note: 'For Ben' })).bodies;
  expect(text).toContain("https://b.example/sets/75192\nNote: For Ben\n\nYou're getting this");
});

test('what is due together is one message, by rule, each with its own link', () => {
  const other = { ruleId: 2, number: 'fig/1', itemKind: 'minifig', reason: 'Fig is up' } as const;
  const { deliveries, bodies } = compose(['email'], due(7), due(8, other), due(9));
  expect(deliveries).toHaveLength(1);
  const [{ subject: title, text, unsubscribeUrl }] = bodies;
  expect(title).toBe('3 alerts: 75192 Millennium Falcon and 2 more');
  expect(text.match(/You're getting this/g)).toHaveLength(2);
  expect(text).toContain('Fig is up.\nhttps://b.example/minifigs/fig%2F1');
  expect(text.match(/alerts\/end\/token\d/g)).toEqual(['alerts/end/token1', 'alerts/end/token2']);
  // One click ends both.
  expect(unsubscribeUrl).toBe('https://b.example/alerts/end/token1.token2');
  const many = Array.from({ length: 21 }, (_, index) => due(index, { ruleId: index }));
  const [twenty, all] = [many.slice(1), many].map((some) => compose(['email'], ...some).bodies[0]);
  expect(twenty.unsubscribeUrl).toEndWith('.token20');
  expect(all.unsubscribeUrl).toBeNull();
});

test('what is exported of a message has none of its tokens', () => {
  // Others may read what ntfy and Discord are sent, so that it has no tokens at all.
  const { deliveries } = compose(['email', 'webhook'], due(7), due(8, { ruleId: 2 }));
  for (const { body } of deliveries) {
    expect(body).toContain('/alerts/end/token2');
    expect(hideEndLinks(body)).not.toContain('token');
    expect(JSON.parse(hideEndLinks(body))).toBeObject();
  }
});

test('a channel is told only what its rules are about', () => {
  const notifications = [due(1), due(2, { ruleId: 2, reason: 'Second' })];
  const email = { id: 5, kind: 'email' } as const;
  const ntfy = { id: 6, kind: 'ntfy' } as const;
  const channels = new Map([
    [1, [email]],
    [2, [email, ntfy]],
  ]);
  const makeToken = () => ({ token: 't', hash: new Uint8Array() as TokenHash });
  const tools = { baseUrl: '', at: 0, makeToken };
  const { deliveries } = composeAlerts({ accountId: 1, notifications, channels }, tools);
  expect(deliveries.map(({ messageId }) => messageId)).toEqual(['alert_5_1', 'alert_6_2']);
  expect(deliveries[1]?.body).not.toContain('Falcon is');
});

test('a long list ends with where the rest is', () => {
  const many = Array.from({ length: 60 }, (_, index) => due(index));
  const [{ text }] = compose(['email'], ...many).bodies;
  expect(text.match(/below your target/g)).toHaveLength(50);
  expect(text).toEndWith('And 10 more: https://b.example/alerts/sent');
});

test('ntfy has a title, what it takes of the text, and where a tap leads', () => {
  const [single] = compose(['ntfy'], due(7)).bodies;
  expect(single).toMatchObject({
    title: '75192 Millennium Falcon',
    click: 'https://b.example/sets/75192',
  });
  expect(single.message).toEndWith('Manage this alert: https://b.example/alerts/1');
  const long = { reason: `${'é'.repeat(300)} is cheap` };
  const many = Array.from({ length: 30 }, (_, index) => due(index, long));
  const [together] = compose(['ntfy'], ...many).bodies;
  expect([together.title, together.click]).toEqual(['30 alerts', 'https://b.example/alerts/sent']);
  expect(new TextEncoder().encode(together.message).length).toBeLessThanOrEqual(4_096);
  expect(together.message).toMatch(/And \d+ more: /);
  const [endless] = compose(['ntfy'], due(1, { reason: 'x'.repeat(9_000) })).bodies;
  expect(endless.message).toBe('1 alert: https://b.example/alerts/sent');
});

test('Discord mentions nobody, and names are no formatting', () => {
  const wild = { reason: '1 @everyone <@1> **Bold** _it_ `x` [a](http://b) is cheap' };
  const note = '@here';
  const rule = { ...due(7).rule, name: '*Best*' };
  const [{ content, allowed_mentions }] = compose(
    ['discord'],
    due(7, { ...wild, note, rule }),
  ).bodies;
  expect(content).toContain('Note: \\@here');
  expect(content).toContain('your alert\\: \\*Best\\* \\(Price');
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(content).toStartWith(
    '1 \\@everyone \\<\\@1\\> \\*\\*Bold\\*\\* \\_it\\_ \\`x\\` \\[a\\]\\(http\\://b\\) is cheap.',
  );
  expect(content).toContain('<https://b.example/sets/75192>');
  // Everybody on the server reads it: only its owner can open this one.
  expect(content).toEndWith('Manage this alert: <https://b.example/alerts/1>');
  const many = Array.from({ length: 50 }, (_, index) => due(index));
  const [{ content: long }] = compose(['discord'], ...many).bodies;
  expect(long.length).toBeLessThanOrEqual(2_000);
  expect(long).toMatch(/And \d+ more: <https:\/\/b.example\/alerts\/sent>$/);
});

test('as many alerts as fit are told, and what does not fit is found out quickly', () => {
  let written = 0;
  const many = Array.from({ length: 50 }, (_, index) => ({
    ...due(index),
    get reason() {
      written++;
      return 'x'.repeat(100);
    },
  }));
  const [{ content }] = compose(['discord'], ...many).bodies;
  // Another one, with its link, would be too long.
  expect(content.length + 100 + ' <https://b.example/sets/75192>'.length).toBeGreaterThan(2_000);
  expect(written).toBeLessThan(150);
});

test('a webhook is told everything, a hundred alerts at a time', () => {
  const many = Array.from({ length: 101 }, (_, index) => due(index + 1));
  const { deliveries, bodies } = compose(['webhook'], ...many);
  expect(deliveries.map(({ messageId }) => messageId)).toEqual(['alert_1_1', 'alert_1_101']);
  expect(bodies.map(({ data }) => data.alerts.length)).toEqual([100, 1]);
  expect(bodies[1]).toEqual({
    type: 'alert',
    timestamp: '2026-11-15T12:01:00.000Z',
    data: {
      alerts: [
        {
          id: 101,
          at: '2026-11-15T12:00:00.000Z',
          rule: { id: 1, name: 'Targets' },
          condition: 'price_target',
          item_type: 'set',
          number: '75192',
          title: 'Millennium Falcon',
          retailer: 'retailer_a',
          reason:
            '75192 Millennium Falcon is $519.99 at Retailer A, 5.5% below your target of $550.00.',
          why: whyText(due(1).rule, 'Retiring soon'),
          facts: { price_usd: 519.99, target_usd: 550 },
          url: 'https://b.example/sets/75192',
          end_url: 'https://b.example/alerts/end/token1',
        },
      ],
    },
  });
});
