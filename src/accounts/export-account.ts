/** Everything that is kept about an account, for its owner to take along. */
import type { AccountStore, ApiKey } from '../domain/account-store.ts';
import type { MarketReading } from '../domain/market-reading.ts';
import { dayMs, formatDay, formatInstant } from '../domain/time.ts';
import { type ExportKind, type ExportRecord, exportRecords } from './export-records.ts';

/** Where it comes from. Titles are those that are published: a server sees no source rows. */
export interface AccountSources {
  readonly accounts: AccountStore;
  readonly market: Pick<MarketReading, 'findListedSets'>;
}

/**
 * The account with its collections, lots, sales, keys and sessions as JSON, without any secret.
 * Lots and sales are records that `import collection` and `import sales` read.
 */
export async function exportAccount(
  sources: AccountSources,
  who: { readonly accountId: number; readonly email: string },
  at: number,
): Promise<string> {
  const { accounts } = sources;
  const account = await accounts.findAccount(who.email, at);
  const keys = (await accounts.listKeys(who.email, at)) ?? [];
  const usage = await accounts.listUsage(who.accountId, 0);
  const sessions = await accounts.listSessions(who.accountId, at);
  const collection = await recordsOf(sources, who.accountId, 'collection');
  return JSON.stringify(
    {
      exported_at: formatInstant(at),
      account: account && {
        email: account.email,
        plan: account.plan,
        is_operator: account.isOperator,
        created_at: formatInstant(account.createdAt),
      },
      brickfolios: collection.filter((record) => record.kind === 'brickfolio'),
      lots: collection.filter((record) => record.kind === 'lot'),
      sales: await recordsOf(sources, who.accountId, 'sales'),
      keys: keys.map(keyRecord),
      usage: usage.map(({ keyId, day, used }) => ({
        ...{ key_id: keyId, date: formatDay(day * dayMs), calls: used },
      })),
      sessions: sessions.map((session) => ({
        agent: session.agent,
        created_at: formatInstant(session.createdAt),
        last_seen_at: formatInstant(session.lastSeenAt),
      })),
    },
    null,
    2,
  );
}

async function recordsOf(
  { accounts, market }: AccountSources,
  accountId: number,
  kind: ExportKind,
): Promise<ExportRecord[]> {
  const findKnownSets = async (keys: readonly string[]) => {
    const sets = await market.findListedSets(keys);
    return new Map([...sets].map(([key, set]) => [key, { ...set, msrpCents: null }]));
  };
  const source = { accounts, market: { findKnownSets }, accountId };
  const records: ExportRecord[] = [];
  for await (const page of exportRecords(kind, source)) records.push(...page);
  return records;
}

/** A key without what would let anybody use it. */
function keyRecord(key: ApiKey) {
  const instant = (at: number | null) => (at === null ? null : formatInstant(at));
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    allowance: key.allowance,
    created_at: instant(key.createdAt),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    last_used_at: instant(key.lastUsedAt),
  };
}
