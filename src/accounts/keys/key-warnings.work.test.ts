/** Mails before keys expire: to confirmed addresses, once at 14 days and once at a day. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { onTables } from '../../../test/support/tables.ts';
import { dayMs, minuteMs } from '../../kernel/time.ts';
import type { Mail } from '../people/mail.ts';
import { keyWarnings, warningMail } from './key-warnings.work.ts';

let world: StoredWorld;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

/** An account whose address is confirmed. */
async function addConfirmed(email: string): Promise<number> {
  await world.addAccount(email);
  const id = (await world.store.accounts.findAccount(email, world.now))?.id ?? 0;
  await onTables(
    world.folder,
    `INSERT INTO private.channel (account_id, kind, name, state, created_at)
     VALUES (?, 'email', 'Email', 'on', 0)`,
    [id],
  );
  return id;
}

/** The step, and the mails it sent; `isAway`: the mail server does not answer. */
function makeWarnings(isRefused = (_: Mail) => false) {
  const place = { sent: [] as Mail[], isAway: false };
  const step = keyWarnings({
    accounts: world.store.accounts,
    clock: () => world.now,
    baseUrl: 'https://bricks.example.com',
    sendMail: async (mail) => {
      if (place.isAway || isRefused(mail)) throw new Error('away');
      place.sent.push(mail);
    },
  });
  const subjects = async () => {
    place.sent = [];
    await step();
    return place.sent.map(({ to, subject }) => `${to}: ${subject}`).sort();
  };
  return { place, step, subjects };
}

test('the owner is told 14 days and a day before the end, each once', async () => {
  await addConfirmed('ann@example.com');
  await world.addAccount('unconfirmed@example.com');
  const expiresAt = world.now + 20 * dayMs;
  await world.addKey('ann@example.com', { expiresAt });
  await world.addKey('unconfirmed@example.com', { expiresAt });
  await world.addKey('ann@example.com');
  // Its owner has just chosen the date.
  await world.addKey('ann@example.com', { expiresAt: world.now + 10 * dayMs });
  const { subjects } = makeWarnings();
  expect(await subjects()).toEqual([]);
  world.now = expiresAt - 14 * dayMs;
  const fortnight = 'ann@example.com: Your Brickmark API key expires within 14 days';
  expect(await subjects()).toEqual([fortnight]);
  expect(await subjects()).toEqual([]);
  world.now += 10 * minuteMs;
  expect(await subjects()).toEqual([]);
  world.now = expiresAt - dayMs;
  const lastDay = 'ann@example.com: Your Brickmark API key expires within a day';
  expect(await subjects()).toEqual([lastDay]);
  world.now = expiresAt + 1;
  expect(await subjects()).toEqual([]);
});

test('a mail that was not accepted is sent later; a revoked or renewed key has none', async () => {
  await addConfirmed('bob@example.com');
  const expiresAt = world.now + 20 * dayMs;
  for (let made = 0; made < 3; made++) await world.addKey('bob@example.com', { expiresAt });
  const [late, revoked, renewed] =
    (await world.store.accounts.listKeys('bob@example.com', world.now)) ?? [];
  if (!late || !revoked || !renewed) throw new Error('There are three keys.');
  world.now = expiresAt - 10 * dayMs;
  await keysById(world.store.accounts).revokeKey(revoked.id, world.now);
  const options = { expiresAt: world.now + 365 * dayMs, at: world.now };
  await keysById(world.store.accounts).rollKey(renewed, options);
  const { place, subjects } = makeWarnings();
  place.isAway = true;
  expect(await subjects()).toEqual([]);
  place.isAway = false;
  // Not at once: the server may be away for longer.
  expect(await subjects()).toEqual([]);
  world.now += 10 * minuteMs;
  expect(await subjects()).toHaveLength(1);
});

test('refused addresses do not keep others waiting, and are tried again', async () => {
  const expiresAt = world.now + 20 * dayMs;
  for (let number = 0; number < 10; number++) {
    const email = `refused${number}@example.com`;
    await addConfirmed(email);
    for (let made = 0; made < 5; made++) await world.addKey(email, { expiresAt });
  }
  await addConfirmed('zoe@example.com');
  await world.addKey('zoe@example.com', { expiresAt: expiresAt + 1 });
  world.now = expiresAt - 10 * dayMs;
  let tried = 0;
  const { subjects } = makeWarnings(({ to }) => to.startsWith('refused') && ++tried > 0);
  expect([await subjects(), tried]).toEqual([[], 50]);
  world.now += 10 * minuteMs;
  expect(await subjects()).toEqual([expect.stringContaining('zoe@example.com: ')]);
  world.now += 10 * minuteMs;
  expect([await subjects(), tried]).toEqual([[], 100]);
});

test('the mail says when, what happens and what to do, without typed text', () => {
  const expiresAt = Date.parse('2026-11-29T00:00:00Z');
  const key = { id: 7, prefix: 'bmk_1a2b', email: 'ann@example.com', expiresAt };
  const baseUrl = 'https://bricks.example.com';
  const { subject, text } = warningMail(key, { baseUrl, at: expiresAt - 14 * dayMs });
  expect(subject).toBe('Your Brickmark API key expires within 14 days');
  expect(text).toContain('Your API key bmk_1a2b… expires on');
  expect(text).toContain('calls with it return 401');
  expect(text).toContain('https://bricks.example.com/keys');
  expect(warningMail(key, { baseUrl, at: expiresAt - 1 }).subject).toEndWith('within a day');
});
