/** A store to back up: a small market, a collection, an account with a password and a key. */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { makeWorkplace, type Served, type Workplace } from './cli.ts';
import { everyEndpoint, textOf } from './endpoints.ts';
import { smallCollection, smallMarket } from './market.ts';
import { programCommand } from './program.ts';
import { prepareStock } from './stocked.ts';
import { type FeedLine, withPrefix } from './world.ts';

/** A workplace whose store has something of everything. */
export interface FullPlace extends Workplace {
  /** Where a backup goes. */
  readonly path: string;
  readonly email: string;
  readonly password: string;
  readonly key: string;
  /** The answers of all that every server offers, to the byte, but for what identifies each. */
  answers(server: Served): Promise<string[]>;
  /** Makes the market so large that copying it takes a while. */
  inflate(): void;
  /** Starts a command and kills it as soon as a condition holds; false when it ended before. */
  killWhen(words: readonly string[], holds: () => boolean): Promise<boolean>;
}

/** Rows as a feed. */
export function feedOf(rows: readonly FeedLine[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

const email = 'a@example.com';
const password = 'correct horse battery';

/** Its allowance is more than any test uses. */
const fill = prepareStock({
  accounts: [{ email, plan: 'reseller', password, allowance: 1_000_000 }],
  lines: [...smallMarket, ...smallCollection(email)],
});

/** Makes the workplace. */
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

/** Files are offered where an operator has said so. */
const usualEndpoints = everyEndpoint.filter(([name]) => !name.includes('Bulk'));

async function answersOf(server: Served, key: string): Promise<string[]> {
  const texts: string[] = [];
  for (const [name, { path, init }] of usualEndpoints) {
    const headers = { ...init?.headers, Authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}${withPrefix(path)}`, { ...init, headers });
    const text = await textOf(response);
    texts.push(`${name} ${response.status} ${text.replace(/"request_id":"[^"]+"/, '')}`);
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
