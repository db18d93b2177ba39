/** Drafts: kept fields, their maximum length, and invalid cookies. */
import { expect, test } from 'bun:test';
import { deflateRawSync } from 'node:zlib';
import { Form } from '../kit/form.ts';
import type { Draft } from '../page.ts';
import { draftLengthMax, draftValues, packDraft, unpackDraft } from './draft.ts';
import { findPageOfForm } from './page-of-form.ts';
import { pageRouter } from './routes.ts';

const draft: Draft = {
  action: '/lots/5',
  page: '/lots/5',
  values: { quantity: '3', note: 'für Ben ☃' },
  reason: 'signed out',
};

test('a draft is unpacked unchanged', () => {
  expect(unpackDraft(packDraft(draft))).toEqual(draft);
});

test('passwords, tokens, secret addresses and files are not kept', () => {
  const data = new FormData();
  const kept = { name: 'Shelf', quantity: '2' };
  const secret = {
    password: 'p',
    old_password: 'p',
    new_password: 'p',
    token: 't',
    once: 'o',
    address: 'https://discord.example/secret',
  };
  for (const [name, value] of Object.entries({ ...kept, ...secret })) data.set(name, value);
  data.set('file', new File(['x'], 'a.csv'));
  expect(draftValues(new Form(data))).toEqual(kept);
});

test('values that do not fit into a cookie are left out, longest first', () => {
  const long = Buffer.from(crypto.getRandomValues(new Uint8Array(4_000))).toString('hex');
  const packed = packDraft({ ...draft, values: { ...draft.values, text: long } });
  expect(packed?.length).toBeLessThanOrEqual(draftLengthMax);
  expect(unpackDraft(packed)).toEqual(draft);
  expect(packDraft({ ...draft, values: { text: long } })).toBeNull();
  expect(packDraft({ ...draft, values: {} })).toBeNull();
});

test('of hundreds of values, those that fit are found with a binary search', () => {
  const text = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60))).toString('base64');
  const values = Object.fromEntries(Array.from({ length: 490 }, (_, n) => [`f${n}`, text()]));
  let packings = 0;
  const counted = {
    ...draft,
    values,
    get action() {
      packings++;
      return draft.action;
    },
  };
  const packed = packDraft(counted);
  expect(packed?.length).toBeLessThanOrEqual(draftLengthMax);
  expect(Object.keys(unpackDraft(packed)?.values ?? {}).length).toBeGreaterThan(15);
  expect(packings).toBeLessThan(12);
});

test('an invalid cookie, or one that unpacks to too much, is ignored', () => {
  const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url');
  expect(unpackDraft('not-a-draft-at-all-but-long')).toBeNull();
  expect(unpackDraft(packed(null))).toBeNull();
  expect(unpackDraft(packed({ ...draft, values: { a: 1 } }))).toBeNull();
  expect(unpackDraft(packed({ ...draft, reason: '<b>' }))).toBeNull();
  const bomb = packed({ ...draft, values: { a: 'x'.repeat(1_000_000) } });
  expect([bomb.length < draftLengthMax, unpackDraft(bomb)]).toEqual([true, null]);
});

test('the page of a form is its referrer, or the nearest page above its path', () => {
  const get = async () => ({ goTo: '/' });
  const post = get;
  const findRoute = pageRouter([
    { access: 'own', path: '/account', get },
    { access: 'own', path: '/account/password', post },
    { access: 'own', path: '/webhooks/{id}', get },
    { access: 'own', path: '/webhooks/{id}/deliveries/{delivery}/resend', post },
    { access: 'own', path: '/inventory/add', get, post },
  ]);
  const origin = 'https://bricks.example';
  const pageOf = (to: string, from: string | null = null) => {
    const page = findPageOfForm(findRoute, { to, from, origin });
    return page && `${page.path}?${page.query}`;
  };
  expect(pageOf('/inventory/add')).toBe('/inventory/add?');
  expect(pageOf('/inventory/add', `${origin}/inventory/add?set=7`)).toBe('/inventory/add?set=7');
  expect(pageOf('/inventory/add', 'https://evil.example/account')).toBe('/inventory/add?');
  expect(pageOf('/account/password', `${origin}/account/password`)).toBe('/account?');
  expect(pageOf('/webhooks/5/deliveries/7/resend')).toBe('/webhooks/5?');
  expect(pageOf('/elsewhere')).toBeNull();
});
