/**
 * Admission compared with a model of it, in random sequences: several processes charge keys while
 * these are added, revoked, changed and expire, plans change, days begin, and clocks are set back.
 * `npm run faults:quota` runs more of them.
 */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../simulator/market/random.ts';
import { anAccount } from '../../../test/support/builders.ts';
import { engines, isPostgres, type OpenStore } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { activeKeysMax } from '../../contract/limits.ts';
import { dayMs, dayOf, hourMs, minuteMs } from '../../kernel/time.ts';
import type { AccountStore, Store } from '../../store/store.ts';
import { chooseKeyPlace, type PlacedKey } from './key-places.ts';
import { isActiveKey, type KeyHash } from './keys.ts';
import type { Admission, Plan } from './quota.ts';

const seeds = runsOnEngine(Number(process.env.ADMISSION_SEEDS ?? 10));
const stepCount = 120;
const sequenceMsMax = 20_000;
const noon = Date.UTC(2026, 10, 15, 12);

interface ModelKey extends PlacedKey {
  readonly hash: KeyHash;
  readonly account: ModelAccount;
  allowance: number;
  revokedAt: number | null;
}

interface ModelAccount {
  readonly email: string;
  plan: Plan;
  readonly keys: ModelKey[];
  /** By place and day. */
  readonly used: Map<string, number>;
}

/** The outcome, and the count after it. */
type Decided = readonly [Admission['outcome'], number];

/** The expected behavior of the store, in one process and without a database. */
class Model {
  readonly accounts: ModelAccount[] = ['ann', 'bob', 'eve'].map((name) => ({
    email: `${name}@example.com`,
    plan: 'reseller',
    keys: [],
    used: new Map(),
  }));

  get keys(): ModelKey[] {
    return this.accounts.flatMap((account) => account.keys);
  }

  usedOf({ used }: ModelAccount, place: number, day: number): number {
    return used.get(`${place} ${day}`) ?? 0;
  }

  choose(account: ModelAccount, at: number): ReturnType<typeof chooseKeyPlace> {
    const day = dayOf(at);
    const today = Array.from({ length: activeKeysMax }, (_, index) => ({
      place: index + 1,
      day,
      used: this.usedOf(account, index + 1, day),
      keyId: 0,
    }));
    return chooseKeyPlace(account.keys, today, { at, places: activeKeysMax });
  }

  /** Null for a key that does not work. */
  admit(key: ModelKey | null, cost: number, at: number): Decided | null {
    if (!key || !isActiveKey(key, at)) return null;
    const { account, place, allowance } = key;
    const day = dayOf(at);
    const used = this.usedOf(account, place, day);
    if (account.plan !== 'reseller') return ['plan', used];
    if (cost > 0 && used + cost > allowance) return ['exhausted', used];
    account.used.set(`${place} ${day}`, used + cost);
    return ['granted', used + cost];
  }
}

/** A random sequence of steps, each by one of several processes. */
class Sequence {
  private readonly random: Random;
  private readonly model = new Model();
  private readonly stores: Store[] = [];
  private now = noon;
  private added = 0;

  constructor(
    seed: number,
    private readonly open: () => Promise<Store>,
  ) {
    this.random = new Random(seed, 'admission');
  }

  async run(): Promise<void> {
    const count = 2 + this.random.below(3);
    for (let n = 0; n < count; n++) this.stores.push(await this.open());
    for (const { email } of this.model.accounts) {
      await this.anyone.addAccount(anAccount({ email, at: noon }));
    }
    for (let n = 0; n < stepCount; n++) await this.random.pickWeighted(this.steps).take();
    for (const account of this.model.accounts) await this.compareCounts(account);
  }

  async close(): Promise<void> {
    for (const store of this.stores) await store.close();
  }

  private readonly steps = [
    { weight: 12, take: () => this.addKey() },
    { weight: 60, take: () => this.charge() },
    { weight: 12, take: () => this.change() },
    { weight: 12, take: async () => this.passTime() },
    { weight: 2, take: () => this.restart() },
  ];

  private get anyone(): AccountStore {
    return this.random.pick(this.stores).accounts;
  }

  private async addKey(): Promise<void> {
    const { random, now } = this;
    const account = random.pick(this.model.accounts);
    const hash = hashOf(++this.added);
    const allowance = 1 + random.below(25);
    const expiresAt = random.chance(0.3) ? now + random.below(30) * hourMs : null;
    const facts = { name: 'Key', prefix: 'bmk_0000', hash, allowance, expiresAt };
    const made = await this.anyone.addKey({ email: account.email, ...facts, at: now });
    const chosen = this.model.choose(account, now);
    if (typeof made === 'object' && typeof chosen === 'object') {
      const dates = { createdAt: now, expiresAt, revokedAt: null };
      account.keys.push({ id: made.id, ...chosen, ...dates, hash, account, allowance });
    } else expect<unknown>(made).toBe(chosen);
  }

  private async charge(): Promise<void> {
    const { random, model, now } = this;
    const drawn = Array.from({ length: 1 + random.below(6) }, () => ({
      // Sometimes a key that does not exist.
      key: model.keys[random.below(1.05 * model.keys.length)] ?? null,
      cost: random.below(5),
    }));
    const asked = isPostgres ? oneKeyPerPlace(drawn) : drawn;
    const requests = asked.map(({ key, cost }) => ({ keyHash: key?.hash ?? hashOf(0), cost }));
    const { admissions } = await this.anyone.admitGroup(requests, now);
    const decided = admissions.map((each) => each && ([each.outcome, each.used] as const));
    expect<unknown>(decided).toEqual(asked.map(({ key, cost }) => model.admit(key, cost, now)));
  }

  /** Revokes a key, or changes its allowance or its account's plan. */
  private async change(): Promise<void> {
    const { random, model, now } = this;
    if (model.keys.length === 0) return;
    const key = random.pick(model.keys);
    const kind = random.below(3);
    if (kind === 0) {
      await keysById(this.anyone).revokeKey(key.id, now);
      key.revokedAt ??= now;
    } else if (kind === 1) {
      key.allowance = 1 + random.below(30);
      await keysById(this.anyone).setAllowance(key.id, key.allowance);
    } else {
      key.account.plan = key.account.plan === 'free' ? 'reseller' : 'free';
      await this.anyone.setPlan(key.account.email, key.account.plan);
    }
  }

  /** Minutes pass, a day begins, or the clock is set back. */
  private passTime(): void {
    const { random } = this;
    const kind = random.below(10);
    if (kind < 7) this.now += random.below(90) * minuteMs;
    else if (kind < 9) this.now = (dayOf(this.now) + 1) * dayMs;
    else this.now -= random.below(30) * hourMs;
  }

  private async restart(): Promise<void> {
    const index = this.random.below(this.stores.length);
    await this.stores[index]?.close();
    this.stores[index] = await this.open();
  }

  private async compareCounts(account: ModelAccount): Promise<void> {
    const listed = await this.anyone.listKeys(account.email, this.now);
    const usedOf = (key: ModelKey) => this.model.usedOf(account, key.place, dayOf(this.now));
    expect(listed?.map((key) => [key.id, key.countedToday])).toEqual(
      account.keys.map((key) => [key.id, usedOf(key)]),
    );
  }
}

/**
 * Without further keys of a place. Two work at once if the clock is set back to before one expired.
 * PostgreSQL decides the requests of a group key by key, not in the order of the model.
 */
function oneKeyPerPlace<Asked extends { readonly key: ModelKey | null }>(
  asked: readonly Asked[],
): Asked[] {
  return asked.filter(({ key }) => {
    const inPlace = asked.find(
      (each) => each.key?.account === key?.account && each.key?.place === key?.place,
    );
    return inPlace?.key === key;
  });
}

function hashOf(number: number): KeyHash {
  const hash = new Uint8Array(32) as KeyHash;
  new DataView(hash.buffer).setUint32(0, number);
  return hash;
}

async function runSequence(seed: number, open: OpenStore): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-model-'));
  const sequence = new Sequence(seed, () => open(folder));
  try {
    await sequence.run();
  } catch (error) {
    throw new Error(`Sequence ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    await sequence.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.each(engines)('$engine', ({ open }) => {
  test(
    'every decision of a random sequence is the one of the model',
    async () => {
      for (let seed = 1; seed <= seeds; seed++) await runSequence(seed, open);
    },
    seeds * sequenceMsMax,
  );
});
