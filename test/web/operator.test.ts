/** The operator's pages: accounts, freshness of data, imports. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ImportEntry } from '../../src/ingest/runner/journal.ts';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import { notExported } from '../../src/publish/bulk/bulk-export.ts';
import type { SourceState } from '../../src/sync/source-state.ts';
import { afterFailure, afterStop, afterSuccess, countDay } from '../../src/sync/state-changes.ts';
import { readForm, type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let operator: Visitor;

const ann = 'ann+lego@example.com';
const annPath = '/operator/accounts/2';

beforeAll(async () => {
  site = await startSite();
  operator = await site.signedIn('op@example.com', { isOperator: true });
  await site.addAccount(ann);
});

afterAll(() => site.close());

describe('access', () => {
  test.each(['/operator', '/operator/accounts', annPath, '/operator/imports/1'])(
    '%s is a 404 for other users',
    async (path) => {
      const bob = await site.signedIn('bob@example.com');
      const seen = await bob.get(path);
      const nothing = await bob.get('/nothing-here');
      expect(seen.status).toBe(404);
      expect(textOf(seen.html)).toBe(textOf(nothing.html));
      expect((await site.visitor().get(path)).status).toBe(303);
    },
  );

  test('forms from other users, other sites or with a wrong token are rejected', async () => {
    const bob = await site.signedIn('bob@example.com');
    const { token = '' } = readForm((await bob.get('/keys')).html, '/keys');
    const plan = `${annPath}/plan`;
    expect((await bob.post(plan, { token, plan: 'reseller' })).status).toBe(404);
    const fields = { ...readForm((await operator.get(annPath)).html, plan), plan: 'reseller' };
    expect((await operator.post(plan, { ...fields, token: 'x' })).status).toBe(403);
    const evil = { Origin: 'https://evil.example' };
    expect((await operator.post(plan, fields, evil)).status).toBe(403);
    expect((await site.world.store.accounts.findAccount(ann, 0))?.plan).toBe('free');
  });
});

describe('accounts', () => {
  test('are in no address by their email, which proxies would log', async () => {
    const { html } = await operator.get('/operator/accounts');
    const addresses = [...html.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, to]) => to ?? '');
    expect(addresses).toContain(annPath);
    expect(addresses.filter((to) => /@|%40/.test(to))).toEqual([]);
  });

  test('are listed, and found by a part of their email', async () => {
    const all = textOf((await operator.get('/operator/accounts')).html);
    expect(all).toContain(`${ann} Free 0 Nov 15, 2026`);
    expect(all).toContain('op@example.com Admin');
    const page = await operator.get('/operator/accounts');
    const search = (q: string) => operator.submit(page, '/operator/accounts', { q });
    const some = textOf((await search('LEGO')).html);
    expect(some).toContain(ann);
    expect(some).not.toContain('op@example.com Admin');
    const none = await search('<script>');
    expect(textOf(none.html)).toContain('No email contains this text.');
    expect(none.html).not.toContain('<script>');
  });

  test('can be put on a plan; an unknown plan is rejected', async () => {
    const action = `${annPath}/plan`;
    const page = await operator.get(annPath);
    const wrong = await operator.submit(page, action, { plan: 'golden' });
    expect([wrong.status, textOf(wrong.html).includes('Choose one of the options.')]).toEqual([
      400,
      true,
    ]);
    const done = await operator.submit(page, action, { plan: 'reseller' });
    expect([done.status, done.goTo]).toEqual([303, `${annPath}?did=plan`]);
    expect((await site.world.store.accounts.findAccount(ann, 0))?.plan).toBe('reseller');
    expect((await operator.get('/operator/accounts/99')).status).toBe(404);
  });

  test('have keys with daily limits, reachable only under their own account', async () => {
    const { world } = site;
    await world.addKey(ann);
    const [key] = (await world.store.accounts.listKeys(ann, world.now)) ?? [];
    const action = `${annPath}/keys/${key?.id}`;
    const page = await operator.get(annPath);
    expect(readForm(page.html, action).allowance).toBe(String(key?.allowance));
    for (const allowance of ['0', '-5', 'many', '1.5', '1000000001']) {
      const wrong = await operator.submit(page, action, { allowance });
      expect(wrong.status).toBe(400);
      expect(readForm(wrong.html, action).allowance).toBe(allowance);
      expect(textOf(wrong.html)).toMatch(
        /Enter a whole number|Enter 1 or more|Enter 1,000,000,000 or less/,
      );
    }
    expect((await operator.submit(page, action, { allowance: '5,000' })).status).toBe(303);
    const [changed] = (await world.store.accounts.listKeys(ann, world.now)) ?? [];
    expect(changed?.allowance).toBe(5000);
    const fields = { ...readForm(page.html, action), allowance: '7' };
    const elsewhere = `/operator/accounts/1/keys/${key?.id}`;
    expect((await operator.post(elsewhere, fields)).status).toBe(404);
    expect((await operator.post(`${elsewhere}/revoke`, fields)).status).toBe(404);
  });

  test('have keys that can be revoked', async () => {
    const { world } = site;
    const key = await world.addKey(ann);
    const { id } = (await world.store.accounts.listKeys(ann, world.now))?.at(-1) ?? { id: 0 };
    expect((await world.call('/catalog/themes', key)).status).toBe(200);
    const action = `${annPath}/keys/${id}/revoke`;
    const done = await operator.submit(await operator.get(annPath), action);
    expect([done.status, done.goTo]).toEqual([303, `${annPath}?did=revoked`]);
    expect((await world.call('/catalog/themes', key)).status).toBe(401);
  });

  test('get a working link for a new password', async () => {
    const action = `${annPath}/link`;
    const made = await operator.submit(await operator.get(annPath), action);
    const path = /\/password\/[\w-]{43}/.exec(made.html)?.[0] ?? '';
    expect(textOf(made.html)).toContain(`${site.url}${path}`);
    expect(made.headers.get('Cache-Control')).toBe('no-store');
    expect((await site.visitor().get(path)).status).toBe(200);
    const again = await operator.submit(await operator.get(annPath), action);
    expect(again.html).not.toContain(path);
    expect((await site.visitor().get(path)).status).toBe(404);
  });
});

describe('synced sources', () => {
  const shown = async () => textOf((await operator.get('/operator')).html);
  const change = (source: string, after: (before: SourceState) => SourceState) =>
    site.world.store.sync.changeSource(source, after);

  test('without any, the page explains how to set them up', async () => {
    expect(await shown()).toContain('No sources fetched yet Set them up in sources.toml');
  });

  test('each has last success, calls left, data age and rows', async () => {
    const { world } = site;
    const at = world.now;
    const rule = { kind: 'day', calls: 5000 } as const;
    await world.store.sync.spend('bricklink', { rule, cost: 1200, at });
    await change('bricklink', (before) => {
      const coverage = {
        questions: 84_000,
        neverAsked: 61_000,
        oldestAt: at - 40 * dayMs,
        medianAt: at - 3 * dayMs,
      };
      const success = { at: at - 2 * hourMs, nextAt: at + hourMs, coverage };
      const yesterday = countDay(before, at - dayMs, { rows: 7000, rejects: 10 });
      return countDay(afterSuccess(yesterday, success), at, { rows: 1800, rejects: 4 });
    });
    expect(await shown()).toContain(
      'bricklink Working 2 hours ago None 3,800 more in 1 day 61,000 of 84,000 40 days, 3 days ' +
        '1,800 usually 7,000 4 usually 10',
    );
    expect(await shown()).not.toContain('bricklink Overdue');
  });

  test('a stopped one has a warning with the remedy', async () => {
    const at = site.world.now;
    const message = 'Keepa refuses the key <b>(402)</b>: renew the subscription.';
    await change('keepa', (before) => afterStop(before, { at, message }));
    const { html } = await operator.get('/operator');
    expect(html).not.toContain('<b>');
    expect(textOf(html)).toContain(
      `Health keepa stopped just now: ${message} Then run brickmark reload , or restart ` +
        'the server (with PostgreSQL, the upkeep process) if the key is in its environment.',
    );
    expect(textOf(html)).toContain(`keepa Stopped Never just now ${message}`);
    await change('keepa', (before) => afterSuccess(before, { at, nextAt: at + hourMs }));
    expect(await shown()).not.toContain('keepa stopped');
  });

  test('a failing one has a warning after a day, an overdue one after two hours', async () => {
    const at = site.world.now;
    const failure = { at, message: 'HTTP 503', retryAfterMs: hourMs, random: 0 };
    await change('brickset', (before) =>
      afterFailure(afterSuccess(before, { at: at - 23 * hourMs, nextAt: 0 }), failure),
    );
    expect(await shown()).toContain('brickset Failing 23 hours ago just now');
    expect(await shown()).not.toContain('brickset failed');
    await change('brickset', (before) =>
      afterFailure(afterSuccess(before, { at: at - 25 * hourMs, nextAt: 0 }), {
        ...failure,
        at: at - 24 * hourMs - 1,
      }),
    );
    expect(await shown()).toContain(
      'brickset failed once: HTTP 503. Last success: Nov 14, 2026, 11:00 UTC. ' +
        'Next attempt: Nov 14, 2026, 12:59 UTC.',
    );
    await change('ecb', (before) =>
      afterSuccess(before, { at: at - 30 * hourMs, nextAt: at - 5 * hourMs }),
    );
    expect(await shown()).toContain('ecb was due 5 hours ago and was not called.');
    await change('ecb', (before) => ({ ...before, isOff: true }));
    expect(await shown()).toContain('ecb Turned off');
    expect(await shown()).not.toContain('was not called.');
  });
});

describe('the market', () => {
  const entry: ImportEntry = {
    format: 'keepa',
    files: ['a<b>.csv', 'c.csv'],
    startedAt: 0,
    endedAt: 0,
    added: 1200,
    updated: 1,
    unchanged: 0,
    rejected: 3,
    gone: 2,
    error: null,
    rejects: [{ where: 'a.csv:7', reason: "'<b>x</b>' is no price" }],
    warned: 2,
    warnings: [{ where: 'a.csv:9', reason: "UPC '1' must be 12 digits" }],
  };

  test('without any data, the page explains how to start', async () => {
    const text = textOf((await operator.get('/operator')).html);
    expect(text).toContain('Last published Never');
    expect(text).toContain('Nothing imported yet');
  });

  test('the page has the rows that wait for exchange rates, as long as they do', async () => {
    const { world } = site;
    const set = { kind: 'set', set_number: '9', title: 'Ferry', theme: 'Coast' };
    const offer = { kind: 'offer', retailer: 'retailer_a', set_number: '9', currency: 'EUR' };
    await world.load([set, { ...offer, price: 5, observed_at: '2026-10-01T00:00:00Z' }]);
    const shown = async () => textOf((await operator.get('/operator')).html);
    expect(await shown()).toContain('1 row waits for exchange rates: EUR of Oct 1, 2026.');
    await world.load([{ kind: 'fx', date: '2026-09-30', currency: 'EUR', usd_per_unit: 1.1 }]);
    expect(await shown()).not.toContain('exchange rates');
  });

  test('the page has the last publication and the waiting items', async () => {
    const { world } = site;
    await world.load([{ kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast' }]);
    await world.ingest([{ kind: 'set', set_number: '2', title: 'Sloop', theme: 'Coast' }]);
    world.now += 2 * hourMs;
    const text = textOf((await operator.get('/operator')).html);
    expect(text).toContain('Last published 2 hours ago Nov 15, 2026, 12:00 UTC');
    expect(text).toContain('Waiting to be published 1 ');
    expect(text).toContain('History Open');
    world.now += dayMs;
    const late = textOf((await operator.get('/operator')).html);
    expect(late).toContain('Nothing published for 1 day: 1 item waiting.');
    world.now -= dayMs;
  });

  test('the page lists imports, the latest of each format, and rejects', async () => {
    const { world } = site;
    const { market } = world.store;
    const [startedAt, endedAt] = [world.now - hourMs - 5000, world.now - hourMs];
    await market.logImport({ ...entry, startedAt, endedAt });
    await market.logImport({ ...entry, format: 'feed', error: 'It is cut off.', endedAt });
    const { html } = await operator.get('/operator');
    const text = textOf(html);
    expect(text).toContain('Latest: keepa 1 hour ago');
    expect(text).toContain('The latest import failed 1 hour ago: feed . It is cut off.');
    expect(text).toContain('keepa a<b>.csv and 1 more 1,200 1 0 3');
    expect(text).toContain('feed Failed');
    expect(html).not.toContain('<b>');
    const found = [...html.matchAll(/\/operator\/imports\/\d+/g)].map(([path]) => path);
    const paths = [...new Set(found)];
    const one = await operator.get(paths[1] ?? '');
    expect(textOf(one.html)).toContain("a.csv:7 '<b>x</b>' is no price");
    expect(textOf(one.html)).toContain('Duration 5 s');
    expect(textOf(one.html)).toContain('2 more were rejected');
    expect(textOf(one.html)).toContain('Warnings 2 fields skipped in imported rows');
    expect(textOf(one.html)).toContain("The first 1 of 2. Where Why a.csv:9 UPC '1' must be");
    expect(one.html).not.toContain('<b>');
    expect(textOf((await operator.get(paths[0] ?? '')).html)).toContain('It is cut off.');
    for (const id of ['999999', 'x', '1e99']) {
      expect((await operator.get(`/operator/imports/${id}`)).status).toBe(404);
    }
    expect(world.failures).toEqual([]);
  });
});

test('bulk files that could not be copied are a warning until they are', async () => {
  const { now, store } = site.world;
  const shown = async () => textOf((await operator.get('/operator')).html);
  expect(await shown()).not.toContain('Bulk files');
  const copied = { ...notExported('s3://market/'), exportedAt: now - 2 * dayMs };
  const failed = { failures: 3, failedAt: now - hourMs, error: 'AccessDenied: no' };
  await store.market.saveBulkExport({ ...copied, ...failed });
  const warned = await shown();
  expect(warned).toContain(
    'Bulk files could not be copied to s3://market/: AccessDenied: no. Last tried 1 hour ago, ' +
      '3 times in a row. It is tried again at least every hour.',
  );
  expect(warned).toContain('Bulk files copied 2 days ago to s3://market/');
  await store.market.saveBulkExport(copied);
  expect(await shown()).not.toContain('could not be copied');
  await store.market.saveBulkExport(null);
});
