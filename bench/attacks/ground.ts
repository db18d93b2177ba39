/** A server with accounts for attacks, on the loopback interface, in a temporary folder. */
import {
  makeWorkplace,
  type Served,
  type ServeOptions,
  type Workplace,
} from '../../test/support/cli.ts';
import { password } from '../../test/support/passwords.ts';
import { Visitor } from '../../test/support/site.ts';
import { stock } from '../../test/support/stocked.ts';
import type { FeedLine } from '../../test/support/world.ts';

export interface GroundOptions extends ServeOptions {
  /** Accounts with an allowance get a key. */
  readonly accounts: readonly { readonly email: string; readonly allowance?: number }[];
  readonly lines?: readonly FeedLine[];
  /** Adds rows to the store in this folder; accounts are numbered from 1. */
  readonly fill?: (data: string) => Promise<void>;
  /** Settings that depend on the folder. */
  readonly findEnv?: (place: Workplace) => Promise<Record<string, string>>;
}

export interface Ground {
  readonly server: Served;
  /** The keys of accounts with an allowance, in order. */
  readonly keys: readonly string[];
  /** Signs in, and returns the cookie. */
  signIn(email: string): Promise<string>;
}

/** Runs an attack. Requests may claim any network with `X-Forwarded-For`. */
export async function onGround(
  { accounts, lines = [], fill, findEnv, ...options }: GroundOptions,
  attack: (ground: Ground) => Promise<void>,
): Promise<void> {
  const place = makeWorkplace();
  try {
    const known = accounts.map((facts) => ({ ...facts, plan: 'reseller', password }) as const);
    const keys = await stock(place, { accounts: known, lines });
    await fill?.(place.data);
    const more = await findEnv?.(place);
    const env = { BRICKMARK_TRUSTED_PROXIES: '127.0.0.1', ...options.env, ...more };
    const server = await place.serve({ ...options, env });
    const signIn = async (email: string) => {
      const visitor = new Visitor(server.url);
      await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
      return [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    };
    await attack({ server, keys, signIn });
  } finally {
    await place.close();
  }
}

/** An address of a made-up network. */
export const network = (index: number) => `198.51.100.${index}`;

export function say(label: string, figure: string | number): void {
  console.log(`  ${`${label}:`.padEnd(46)} ${figure}`);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** How many have each value, such as `3 × 200, 1 × 429`. */
export function tally(values: readonly (string | number)[]): string {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].map(([value, all]) => `${all.length} × ${value}`).join(', ');
}
