/** Messages in the format of each channel. */
import { expect, test } from 'bun:test';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { DeliveryKind } from '../channels/delivery-channel-kinds.ts';
import type { DueAlerts, DueNotification } from './alert-evaluation.ts';
import type { AlertCondition, AlertScope } from './alert-rule.ts';
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

const reasonFor = (condition: AlertCondition, facts: Partial<MetFacts>) =>
  reasonText(condition, { ...noFacts, ...facts }, { subject, names });

test('a reason is one sentence with the price or value and what it is compared with', () => {
  const falcon = '75192 Millennium Falcon';
  const price = { priceCents: 519_99 };
  expect(reasonFor({ kind: 'price_target' }, { ...price, targetCents: 550_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 5.5% below your target of $550.00`,
  );
  expect(reasonFor({ kind: 'price_target' }, { ...price, targetCents: 519_99 })).toBe(
    `${falcon} is $519.99 at Retailer A, at your target of $519.99`,
  );
  expect(reasonFor({ kind: 'price_target' }, { ...price, targetCents: 520_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, just below your target of $520.00`,
  );
  expect(reasonFor({ kind: 'price_amount', cents: 1_000_00 }, price)).toBe(
    `${falcon} is $519.99 at Retailer A, 48% below your limit of $1,000.00`,
  );
  expect(reasonFor({ kind: 'price_of_value', percent: 70 }, { ...price, valueCents: 800_00 })).toBe(
    `${falcon} is $519.99 at Retailer A, 65% of its value of $800.00`,
  );
  expect(
    reasonFor({ kind: 'price_of_max_buy', percent: 100 }, { ...price, maxBuyCents: 600_00 }),
  ).toBe(`${falcon} is $519.99 at Retailer A, 13.3% below your max buy price of $600.00`);
  expect(
    reasonFor({ kind: 'price_of_max_buy', percent: 90 }, { ...price, maxBuyCents: 600_00 }),
  ).toBe(`${falcon} is $519.99 at Retailer A, 86.7% of your max buy price of $600.00`);
  expect(reasonFor({ kind: 'all_time_low' }, price)).toBe(
    `${falcon} is $519.99 at Retailer A, its all-time low`,
  );
  expect(reasonFor({ kind: 'flip', to: 'third_party' }, {})).toBe(
    `${falcon} is now sold only by third parties at Retailer A`,
  );
  expect(reasonFor({ kind: 'flip', to: 'retailer' }, {})).toBe(
    `${falcon} is sold by Retailer A itself again`,
  );
  expect(reasonFor({ kind: 'back_in_stock' }, price)).toBe(
    `${falcon} is back in stock at Retailer A for $519.99`,
  );
  expect(
    reasonFor({ kind: 'value_up', percent: 5 }, { valueCents: 880_00, baseCents: 800_00 }),
  ).toBe(`${falcon} is worth $880.00, up 10% from $800.00`);
  expect(
    reasonFor({ kind: 'value_down', percent: 5 }, { valueCents: 700_00, baseCents: 800_00 }),
  ).toBe(`${falcon} is worth $700.00, down 12.5% from $800.00`);
  const held = { valueCents: 1_250_00, costCents: 1_000_00 };
  expect(reasonFor({ kind: 'margin', percent: 20 }, { held })).toBe(
    `Your ${falcon} is worth $1,250.00, 25% over its cost basis of $1,000.00`,
  );
});

test("the explanation is the rule's own name, if it has one, and its text", () => {
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

/** Messages to channels of these kinds; all rules use all channels. */
function compose(kinds: readonly DeliveryKind[], ...notifications: DueNotification[]) {
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

test('an email says what happened, why, and how to unsubscribe', () => {
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

test('notifications due together form one message, grouped by rule, each with its own link', () => {
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

test('exported messages contain no tokens', () => {
  // ntfy and Discord messages may be read by others, so they have no tokens at all.
  const { deliveries } = compose(['email', 'webhook'], due(7), due(8, { ruleId: 2 }));
  for (const { body } of deliveries) {
    expect(body).toContain('/alerts/end/token2');
    expect(hideEndLinks(body)).not.toContain('token');
    expect(JSON.parse(hideEndLinks(body))).toBeObject();
  }
});

test('a channel receives only the notifications of its rules', () => {
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

test('a long list ends with a link to the rest', () => {
  const many = Array.from({ length: 60 }, (_, index) => due(index));
  const [{ text }] = compose(['email'], ...many).bodies;
  expect(text.match(/below your target/g)).toHaveLength(50);
  expect(text).toEndWith('And 10 more: https://b.example/alerts/fired');
  const short = Array.from({ length: 51 }, (_, index) => due(index, { reason: 'x', number: '1' }));
  const [all, ntfy] = [short.slice(1), short].map((some) => compose(['ntfy'], ...some).bodies[0]);
  expect(all.message.match(/^x\.$/gm)).toHaveLength(50);
  expect(all.message).not.toContain('more: ');
  expect(ntfy.message.match(/^x\.$/gm)).toHaveLength(50);
  expect(ntfy.message).toEndWith('And 1 more: https://b.example/alerts/fired');
});

test('ntfy messages have a title, a text within the limit, and a link', () => {
  const [single] = compose(['ntfy'], due(7)).bodies;
  expect(single).toMatchObject({
    title: '75192 Millennium Falcon',
    click: 'https://b.example/sets/75192',
  });
  expect(single.message).toEndWith('Manage this alert: https://b.example/alerts/1');
  const long = { reason: `${'é'.repeat(300)} is cheap` };
  const many = Array.from({ length: 30 }, (_, index) => due(index, long));
  const [together] = compose(['ntfy'], ...many).bodies;
  expect([together.title, together.click]).toEqual(['30 alerts', 'https://b.example/alerts/fired']);
  expect(new TextEncoder().encode(together.message).length).toBeLessThanOrEqual(4_096);
  expect(together.message).toMatch(/And \d+ more: /);
  const [endless] = compose(['ntfy'], due(1, { reason: 'x'.repeat(9_000) })).bodies;
  expect(endless.message).toBe('1 alert: https://b.example/alerts/fired');
});

test('Discord messages mention nobody, and names are not formatted', () => {
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
  // Everyone on the server can read it, but only the owner can open this link.
  expect(content).toEndWith('Manage this alert: <https://b.example/alerts/1>');
  const many = Array.from({ length: 50 }, (_, index) => due(index));
  const [{ content: long }] = compose(['discord'], ...many).bodies;
  expect(long.length).toBeLessThanOrEqual(2_000);
  expect(long).toMatch(/And \d+ more: <https:\/\/b.example\/alerts\/fired>$/);
});

test.each([
  ['ntfy', 'message', 4_096],
  ['discord', 'content', 2_000],
] as const)('an alert on %s is listed up to the limit: %s of %d', (kind, field, max) => {
  const write = (length: number): string =>
    compose([kind], due(1, { reason: 'x'.repeat(length) })).bodies[0][field];
  const around = write(1).length - 1;
  expect(write(max - around)).toHaveLength(max);
  expect(write(max - around + 1)).toStartWith('1 alert: ');
});

test('subjects and titles are cut at 150 and 100 characters', () => {
  const long = 'x'.repeat(200);
  const [email, ntfy] = compose(['email', 'ntfy'], due(1, { reason: long, title: long })).bodies;
  expect([email.subject.length, ntfy.title.length]).toEqual([150, 100]);
});

test('as many alerts as fit are listed, found in few attempts', () => {
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

test('a webhook receives everything, a hundred alerts per message', () => {
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
