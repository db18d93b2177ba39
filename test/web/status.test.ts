/** The status page, its JSON, and the notices that operators write for it. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import { type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let operator: Visitor;

beforeAll(async () => {
  site = await startSite({});
  await site.addAccount('op@example.com', { isOperator: true });
  operator = await site.signedIn('op@example.com');
});

afterAll(() => site.close());

interface Status {
  readonly status: string;
  readonly publication: { readonly status: string; readonly last_published_at: string | null };
  readonly data: readonly object[];
  readonly notices: readonly { readonly id: number; readonly title: string }[];
}

/** A minute later, since an answer is kept for some seconds. */
async function statusNow(): Promise<Status> {
  site.world.now += 60_000;
  return JSON.parse((await site.visitor().get('/status.json')).html);
}

describe('without a session', () => {
  test('the page and its JSON say that all is well, before and after the first publication', async () => {
    expect(await statusNow()).toMatchObject({
      status: 'operational',
      publication: { status: 'operational', last_published_at: null },
      data: [],
      notices: [],
    });
    await site.world.load([{ kind: 'set', set_number: '1001', title: 'Hut', theme: 'Coast' }]);
    const { publication } = await statusNow();
    expect(publication.last_published_at).toStartWith('2026-11-15T');
    const page = await site.visitor().get('/status');
    expect([page.status, textOf(page.html)]).toEqual([
      200,
      expect.stringContaining('Everything works'),
    ]);
  });

  test('files and sources are named by what they provide, with delays', async () => {
    const { store, now } = site.world;
    const entry = {
      files: ['secret-file.json'],
      startedAt: now,
      endedAt: now,
      added: 1,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      gone: null,
      rejects: [],
      warned: 0,
      warnings: [],
      error: null,
    };
    for (const format of ['keepa', 'collection'])
      await store.market.logImport({ ...entry, format });
    await saveSource('bricklink', { lastSuccessAt: now - hourMs });
    await saveSource('secret-shop', { lastSuccessAt: now - 3 * dayMs, failures: 4 });
    const status = await statusNow();
    expect(status.status).toBe('delayed');
    expect(status.data).toMatchObject([
      { name: 'Sales', status: 'operational' },
      { name: 'Retail prices', status: 'operational' },
      { name: 'Feeds', status: 'delayed' },
    ]);
    const page = await site.visitor().get('/status');
    for (const text of [JSON.stringify(status), page.html]) {
      expect(text).not.toMatch(/secret|bricklink|keepa/i);
    }
    expect(textOf(page.html)).toContain('Some data is delayed');
  });
});

async function saveSource(
  source: string,
  state: { readonly lastSuccessAt: number; readonly failures?: number },
): Promise<void> {
  await site.world.store.sync.changeSource(source, (before) => ({
    ...before,
    nextAt: site.world.now + dayMs,
    ...state,
  }));
}

describe('a notice', () => {
  const path = '/operator/notices';
  const publish = async (fields: Readonly<Record<string, string>>) =>
    operator.submit(await operator.get(path), path, fields);

  test('is shown from its start until its end, and a critical one is a disruption', async () => {
    const title = 'New <disks>';
    const times = { from: '2026-11-15 20:00', until: '2026-11-15T22:00Z' };
    const sent = await publish({ title, text: 'Two\n\nhours', severity: 'critical', ...times });
    expect(sent.goTo).toBe(`${path}?did=added`);
    expect(await statusNow()).toMatchObject({
      status: 'delayed',
      notices: [{ title, planned: true, from: '2026-11-15T20:00:00.000Z' }],
    });
    const { now } = site.world;
    site.world.now = Date.parse('2026-11-15T21:00:00Z');
    expect(await statusNow()).toMatchObject({ status: 'disrupted', notices: [{ planned: false }] });
    const page = await site.visitor().get('/status');
    expect(textOf(page.html)).toContain(title);
    site.world.now = Date.parse('2026-11-15T22:00:00Z');
    expect((await statusNow()).notices).toEqual([]);
    site.world.now = now;
  });

  test('must have a title, times that can be read, and an end after its start', async () => {
    expect((await publish({ title: '', severity: 'info' })).status).toBe(400);
    const typo = await publish({ title: 'A', severity: 'info', from: 'tomorrow' });
    expect([typo.status, textOf(typo.html)]).toEqual([
      400,
      expect.stringContaining("'tomorrow' is not a time like 2026-11-15 12:00."),
    ]);
    const times = { from: '2026-11-15 20:00', until: '2026-11-15 19:00' };
    const turned = await publish({ title: 'A', severity: 'info', ...times });
    expect(textOf(turned.html)).toContain('The end of the notice must be after its start.');
  });

  test('is removed by an operator, and both are in the audit log', async () => {
    await publish({ title: 'Soon gone', severity: 'info' });
    const { notices } = await statusNow();
    const id = notices.find(({ title }) => title === 'Soon gone')?.id;
    const remove = `${path}/${id}/delete`;
    await operator.submit(await operator.get(remove), remove, {});
    expect((await statusNow()).notices.map(({ title }) => title)).not.toContain('Soon gone');
    const log = textOf((await operator.get('/operator/audit')).html);
    expect(log).toContain('Status notice published');
    expect(log).toContain(`notice ${id}, info`);
    expect(log).toContain('Status notice removed');
    expect(log).not.toContain('Soon gone');
  });

  test('is only for operators', async () => {
    await site.addAccount('ann@example.com');
    const ann = await site.signedIn('ann@example.com');
    expect((await ann.get(path)).status).toBe(404);
  });

  test('there is a limit', async () => {
    const { accounts } = site.world.store;
    const notice = { severity: 'info', title: 'A', text: '', fromAt: 1, untilAt: 2 } as const;
    let last: number | 'too many' = 0;
    for (let count = 0; count < 51; count++) last = await accounts.addNotice(notice);
    expect(last).toBe('too many');
  });
});
