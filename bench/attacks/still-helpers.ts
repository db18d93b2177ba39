/** Stops all helper processes of a server at once, as SIGSTOP does, and waits for new ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseInstant } from '../../src/kernel/time.ts';
import { commandNow } from '../../test/support/cli.ts';
import { sourceSecrets, startLiveSources } from '../../test/support/live-sources.ts';
import { writeRows } from '../../test/support/many-rows.ts';
import { readMetrics } from '../../test/support/metrics.ts';
import { helperOf, signal } from '../../test/support/processes.ts';
import { addWebhook, deliverySettings, startReceiver } from '../../test/support/receiver.ts';
import { makeMarket, marketSet } from '../../test/support/source-market.ts';
import { until } from '../../test/support/until.ts';
import { type Ground, onGround, say, seconds } from './ground.ts';

const helpers = ['pages', 'answers', 'delivery', 'upkeep'] as const;
const patienceMs = 90_000;

export async function stillHelpers(): Promise<void> {
  const now = parseInstant(commandNow) ?? 0;
  const market = makeMarket({ sets: [marketSet({ number: '10401' })], sales: [] });
  const live = startLiveSources({ market, clock: () => now });
  const receiver = startReceiver();
  await onGround(
    {
      accounts: [{ email: 'a@example.com', allowance: 1_000 }],
      fill: async (data) => {
        await writeRows(data, 'ledger_sale', { accountId: 1, count: 300 });
        writeFileSync(join(data, 'sources.toml'), live.settings(['brickset']));
      },
      findEnv: async (place) => {
        await addWebhook(place, {
          accountId: 1,
          address: receiver.url,
          at: now,
          kinds: ['retail.price'],
        });
        return { ...deliverySettings(place), ...sourceSecrets, BRICKMARK_METRICS_PORT: '0' };
      },
    },
    attack,
  );
  await receiver.stop();
  await live.stop();
}

async function attack({ server, keys: [key = ''] }: Ground): Promise<void> {
  const pageStatus = async () => (await fetch(`${server.url}/sign-in`)).status;
  await pageStatus();
  await server.get('/brickfolio/analytics', key);
  const first = new Map<string, number>();
  for (const helper of helpers) {
    await until(() => helperOf(server.pid, helper) !== null);
    first.set(helper, helperOf(server.pid, helper) ?? 0);
  }
  const start = performance.now();
  for (const pid of first.values()) signal(pid, 'SIGSTOP');
  const sincePage = async () => {
    while (performance.now() - start < patienceMs) {
      if ((await pageStatus()) === 200) return `after ${seconds(performance.now() - start)}`;
      await Bun.sleep(200);
    }
    return `not within ${seconds(patienceMs)}`;
  };
  const page = sincePage();
  for (const helper of helpers) say(`${helper} replaced`, await replacedText(helper));
  say('A page answered', await page);
  say('An answer of a large account', (await server.get('/brickfolio/analytics', key)).status);
  const [, url = ''] = /Metrics are at (\S+)\.\s/.exec(server.errors()) ?? [];
  const metrics = readMetrics(await (await fetch(url)).text());
  for (const { name, labels, value } of metrics.samples) {
    if (name === 'brickmark_helper_replaced_total') say(`${name} ${labels.helper}`, value);
  }

  async function replacedText(helper: string): Promise<string> {
    while (performance.now() - start < patienceMs) {
      const pid = helperOf(server.pid, helper);
      if (pid !== null && pid !== first.get(helper)) {
        return `after ${seconds(performance.now() - start)}`;
      }
      await Bun.sleep(50);
    }
    return `not within ${seconds(patienceMs)}`;
  }
}
