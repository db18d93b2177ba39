/** The example receivers of docs/events.md behave as documented. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import {
  describeLanguages,
  type Language,
  type RunningExample,
  readInbox,
  startExample,
} from './support/doc-programs.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

interface Message {
  readonly id: string;
  readonly at?: number;
  readonly body?: string;
  readonly secrets?: readonly string[];
}

const eventBody = JSON.stringify({
  type: 'retail.price',
  timestamp: '2026-11-15T13:00:00.000Z',
  data: { position: 1794747600001, title: 'Café “Größe” 🧱' },
});

/** A message as Brickmark sends it, signed by the standard's own package. */
function signed({ id, at = Date.now(), body = eventBody, secrets = [secret] }: Message) {
  const signatures = secrets.map((each) => new Webhook(each).sign(id, new Date(at), body));
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  };
  return { headers, body };
}

let folder: string;
let running: RunningExample[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-receiver-'));
  running = [];
});

afterEach(async () => {
  for (const each of running) await each.kill();
  rmSync(folder, { recursive: true });
});

describeLanguages('the receiver', (language) => {
  const start = async () => {
    const started = await startReceiver(language);
    running.push(started);
    const port = /port (\d+)/.exec(started.printed())?.[1];
    const post = async (message: { headers: Record<string, string>; body: string }) => {
      // Python closes the connection after a body that is too long, so each message has its own.
      const sent = { method: 'POST', keepalive: false, ...message };
      return (await fetch(`http://127.0.0.1:${port}/hook`, sent)).status;
    };
    return { ...started, post };
  };

  test('stores a message once, however often it arrives, also after a crash', async () => {
    const first = await start();
    const again = { id: 'evt_1_1' };
    const statuses = await Promise.all([1, 2, 3].map(() => first.post(signed(again))));
    expect(statuses).toEqual([204, 204, 204]);
    expect(await first.post(signed({ id: 'evt_1_2' }))).toBe(204);
    await first.kill();
    // The remains of a crash in the middle of a line.
    const lines = join(folder, 'inbox');
    if (language.name === 'TypeScript') appendFileSync(lines, '{"id":"evt_1_3","mess');
    const second = await start();
    expect(await second.post(signed(again))).toBe(204);
    expect(await second.post(signed({ id: 'evt_1_3' }))).toBe(204);
    const kept = readInbox(join(folder, 'inbox'));
    expect(kept.map(({ id }) => id)).toEqual(['evt_1_1', 'evt_1_2', 'evt_1_3']);
    expect(kept.map(({ message }) => message)).toEqual(kept.map(() => JSON.parse(eventBody)));
  });

  test('accepts two signatures after a rotation, and rejects invalid or old ones', async () => {
    const { post } = await start();
    expect(await post(signed({ id: 'a', secrets: [otherSecret, secret] }))).toBe(204);
    const good = signed({ id: 'b' });
    const { headers } = good;
    const [version, mac] = (headers['webhook-signature'] ?? '').split(',');
    const changed = (name: string, value: string) => ({
      body: good.body,
      headers: { ...headers, [`webhook-${name}`]: value },
    });
    const forged = [
      signed({ id: 'b', secrets: [otherSecret] }),
      signed({ id: 'b', at: Date.now() - 6 * 60_000 }),
      signed({ id: 'b', at: Date.now() + 6 * 60_000 }),
      { headers, body: good.body.replace('retail.price', 'retail.stock') },
      { headers: {}, body: good.body },
      changed('id', 'c'),
      changed('timestamp', String(Number(headers['webhook-timestamp']) - 1)),
      changed('timestamp', 'now'),
      changed('timestamp', ''),
      changed('signature', ''),
      changed('signature', `v2,${mac}`),
      changed('signature', `${version},${mac?.slice(0, 20)}`),
    ];
    for (const each of forged) expect([each, await post(each)]).toEqual([each, 401]);
    expect(readInbox(join(folder, 'inbox')).map(({ id }) => id)).toEqual(['a']);
    expect(await post({ headers, body: 'x'.repeat(1_000_001) })).toBe(413);
    expect(await post(good)).toBe(204);
  });

  test('does not start without a secret, since any signature would be valid', async () => {
    const { exited, printed } = await startReceiver(language, 'whsec_');
    expect(await exited).toBe(1);
    expect(printed()).toContain('Set BRICKMARK_WEBHOOK_SECRET');
  });
});

function startReceiver(language: Language, withSecret = secret): Promise<RunningExample> {
  const command = [...language.command('receiver', folder), '0', 'inbox'];
  return startExample(command, { folder, env: { BRICKMARK_WEBHOOK_SECRET: withSecret } });
}
