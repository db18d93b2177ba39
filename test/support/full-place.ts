/** A store to back up, with a small market, a collection, and an account with password and key. */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { makeWorkplace, type Served, type Workplace } from './cli.ts';
import { everyEndpoint, textOf } from './endpoints.ts';
import { smallCollection, smallMarket } from './market.ts';
import { isOfOwnThing } from './own-things.ts';
import { programCommand } from './program.ts';
import { prepareStock } from './stocked.ts';
import { type FeedLine, withPrefix } from './world.ts';

export interface FullPlace extends Workplace {
  /** Where a test writes its backup. */
  readonly path: string;
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** The responses of every endpoint, without what differs between two calls. */
  answers(server: Served): Promise<string[]>;
  /** Makes the market large enough that copying it takes a while. */
  inflate(): void;
  /** Starts a command and kills it once a condition holds; false if it ended before that. */
  killWhen(words: readonly string[], holds: () => boolean): Promise<boolean>;
}

export function feedOf(rows: readonly FeedLine[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

const email = 'a@example.com';
const password = 'correct horse battery';

/** The allowance exceeds what any test uses. */
const fill = prepareStock({
  accounts: [{ email, plan: 'reseller', password, allowance: 1_000_000 }],
  lines: [...smallMarket, ...smallCollection(email)],
});

export async function makeFullPlace(): Promise<FullPlace> {
  const place = makeWorkplace();
  const { data } = place;
  const [key = ''] = await fill(place);
  return {
    ...place,
    path: join(place.folder, 'backup'),
    email,
    password,
    key,
    answers: (server) => answersOf(server, key),
    inflate: () => {
      const db = new Database(join(data, 'market.db'));
      db.run("INSERT INTO evidence SELECT 1000000, '\"' || hex(zeroblob(60000000)) || '\"'");
      db.close();
    },
    killWhen: (words, holds) => killWhen({ folder: place.folder, data, words }, holds),
  };
}

/** Without bulk files, which are off by default, changes, and what the account does not have. */
const usualEndpoints = everyEndpoint.filter(([name, { path }]) => {
  const { tag, effect }: Endpoint = allEndpoints[name];
  return tag !== 'Bulk' && !effect && !isOfOwnThing(path);
});

async function answersOf(server: Served, key: string): Promise<string[]> {
  const texts: string[] = [];
  for (const [name, { path, init }] of usualEndpoints) {
    const headers = { ...init?.headers, Authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}${withPrefix(path)}`, { ...init, headers });
    const text = await textOf(response);
    const settled = text.replace(/"request_id":"[^"]+"/, '');
    // The positions of webhooks move on while a server runs.
    const isMoving = name === 'listWebhooks';
    const compared = isMoving ? settled.replaceAll(/"position":\d+/g, '') : settled;
    texts.push(`${name} ${response.status} ${compared}`);
  }
  return texts;
}

async function killWhen(
  where: { readonly folder: string; readonly data: string; readonly words: readonly string[] },
  holds: () => boolean,
): Promise<boolean> {
  const child = Bun.spawn([...(await programCommand()), ...where.words], {
    cwd: where.folder,
    env: { ...process.env, BRICKMARK_DATA: where.data },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  while (child.exitCode === null && !holds()) await Bun.sleep(1);
  child.kill('SIGKILL');
  await child.exited;
  return child.signalCode === 'SIGKILL';
}
