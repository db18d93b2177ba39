/** The four sources with keys are retried after any fault. */
import { describe, expect, test } from 'bun:test';
import { simulateBricklink } from '../../simulator/sources/bricklink.ts';
import { simulateBrickset } from '../../simulator/sources/brickset.ts';
import { simulateEbay } from '../../simulator/sources/ebay.ts';
import { type SourceHandler, withFaults } from '../../simulator/sources/faults.ts';
import { simulateKeepa } from '../../simulator/sources/keepa.ts';
import { SourceError } from '../../src/sync/client.work.ts';
import type { Connection } from '../../src/sync/connector.work.ts';
import { Secret } from '../../src/sync/secret.ts';
import { bricklinkSource } from '../../src/sync/sources/bricklink.work.ts';
import { bricksetSource } from '../../src/sync/sources/brickset.work.ts';
import { ebaySource } from '../../src/sync/sources/ebay.work.ts';
import { keepaSource } from '../../src/sync/sources/keepa.work.ts';
import { readAt } from '../support/read-options.ts';
import { clientOf, connectionDeps } from '../support/source-client.ts';
import { makeMarket, marketOffer, marketSale, plannerOf } from '../support/source-market.ts';

const clock = () => readAt;
const url = new URL('https://source.example.com/');
const world = { market: makeMarket({ sales: [marketSale()], offers: [marketOffer()] }), clock };
const every = { url, everyMs: 1, callsPerDay: 100 };
const secret = (word: string) => new Secret(word);

const sources: readonly {
  readonly name: string;
  readonly connector: Connection;
  readonly server: SourceHandler;
}[] = [
  {
    name: 'brickset',
    connector: bricksetSource.connect({ ...every, key: secret('one') }, connectionDeps),
    server: simulateBrickset(world, { key: 'one', callsPerDay: 100 }),
  },
  {
    name: 'bricklink',
    connector: bricklinkSource.connect(
      {
        ...every,
        consumerKey: secret('one'),
        consumerSecret: secret('two'),
        token: secret('three'),
        tokenSecret: secret('four'),
        currency: 'USD',
        region: null,
      },
      connectionDeps,
    ),
    server: simulateBricklink(world, {
      consumerKey: 'one',
      consumerSecret: 'two',
      token: 'three',
      tokenSecret: 'four',
      callsPerDay: 100,
    }),
  },
  {
    name: 'keepa',
    connector: keepaSource.connect({ ...every, key: secret('one') }, connectionDeps),
    server: simulateKeepa(world, { key: 'one', tokensPerMinute: 20 }),
  },
  {
    name: 'ebay',
    connector: ebaySource.connect(
      { ...every, clientId: secret('one'), clientSecret: secret('two'), marketplace: 'EBAY_US' },
      connectionDeps,
    ),
    server: simulateEbay(world, { clientId: 'one', clientSecret: 'two', callsPerDay: 100 }),
  },
];

describe.each(sources)('$name', ({ name, connector, server }) => {
  const planner = plannerOf([{ number: '10482', asin: 'B0HARBOUR1' }]);
  const ask = async (handler: SourceHandler) => {
    const { calls } = await connector.plan({
      source: name,
      cursor: null,
      at: readAt,
      limit: 10,
      planner,
      left: 90,
    });
    const client = clientOf(handler);
    return calls[0]?.ask(client).catch((error: unknown) => error);
  };

  test.each(['busy', 'failure', 'half', 'nonsense'] as const)('%s is retried', async (kind) => {
    const options = { seed: 1, source: name, shares: { [kind]: 1 }, clock };
    const handler = withFaults(server, options);
    // Each form of the fault.
    for (let round = 0; round < 6; round++) {
      const error = await ask(handler);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ kind: 'later' });
      if (kind === 'busy') expect(error).toMatchObject({ retryAfterMs: 30_000 });
    }
  });

  test('without a fault there is a response', async () => {
    expect(await ask(server)).not.toBeInstanceOf(Error);
  });
});
