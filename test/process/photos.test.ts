/** Photos are made in a process of their own, which ends with the request. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { hiddenFields, lotIds } from '../support/owner-pages.ts';
import { password } from '../support/passwords.ts';
import { costlyPng, plainPng } from '../support/png.ts';
import { helperOf, untilGone, variablesOf } from '../support/processes.ts';
import { Visitor } from '../support/site.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let server: Served;
let visitor: Visitor;
let path: string;

const email = 'ann@example.com';

beforeAll(async () => {
  place = makeWorkplace();
  const lot = { quantity: 1, condition: 'sealed', set_number: '1000' } as const;
  const purchase = { purchase_price_usd: 40, purchase_date: '2026-01-01' };
  await stock(place, {
    accounts: [{ email, plan: 'free', password }],
    lines: [
      { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' },
      { kind: 'brickfolio', account: email, name: 'All' },
      { kind: 'holding', account: email, brickfolio: 'All', source_id: 'a', ...lot, ...purchase },
    ],
  });
  server = await place.serve();
  visitor = new Visitor(server.url);
  await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
  path = `/lots/${lotIds((await visitor.get('/inventory')).html)[0]}`;
});

afterAll(() => place.close());

async function upload(picture: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<Response> {
  const body = new FormData();
  const fields = hiddenFields((await visitor.get(path)).html);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.append('file', new File([picture], 'a.png'));
  const Cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  return fetch(`${server.url}${path}/photos`, {
    method: 'POST',
    body,
    headers: { Origin: server.url, Cookie },
    redirect: 'manual',
    ...(signal && { signal }),
  });
}

/** The process that makes a photo; null if there is none. */
const photoProcess = () => helperOf(helperOf(server.pid, 'pages') ?? 0, 'photo');

test('a photo is made and stored', async () => {
  expect((await upload(plainPng({ width: 500, height: 400 }))).status).toBe(303);
  expect((await visitor.get(path)).html).toContain('/thumb');
});

test.if(process.platform === 'linux')(
  'its process gets no settings, and is killed when the browser leaves',
  async () => {
    const leaving = new AbortController();
    const sent = upload(costlyPng({ width: 5_000, height: 5_000 }), leaving.signal).catch(
      () => null,
    );
    await until(() => photoProcess() !== null);
    const pid = photoProcess() ?? 0;
    const settings = variablesOf(pid).filter((line) => line.startsWith('BRICKMARK_'));
    expect(settings).toEqual(['BRICKMARK_HELPER=photo']);
    leaving.abort();
    await sent;
    await untilGone([pid]);
    expect((await visitor.get(path)).html.split('/thumb"')).toHaveLength(2);
  },
);
