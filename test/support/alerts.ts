/** Alert rules of accounts, as tests begin with them. */
import type { AccountStore } from '../../src/domain/account/account-store.ts';
import { type AlertRuleFacts, usualDailyCap } from '../../src/domain/alerts/alert-rule.ts';
import type { NewTold } from '../../src/domain/alerts/alert-store.ts';
import { positionBefore } from '../../src/domain/market/events.ts';
import { sharedNow } from './shared-store.ts';

/** A rule about everything that costs 50 dollars or less, listed on the page alone. */
export function ruleFacts(rule: Partial<AlertRuleFacts> = {}): AlertRuleFacts {
  return {
    name: 'Cheap',
    scope: { kind: 'all' },
    condition: { kind: 'price_amount', cents: 50_00 },
    channelIds: [],
    repeatDays: null,
    digest: 'none',
    dailyCap: usualDailyCap,
    ...rule,
  };
}

/** Adds to accounts what must be there. */
export class AlertOwner {
  constructor(
    private readonly accounts: AccountStore,
    readonly id: number,
    private readonly at = sharedNow,
  ) {}

  /** The id of a new rule. */
  rule(rule: Partial<AlertRuleFacts> = {}, told: readonly NewTold[] = []): Promise<number> {
    const position = positionBefore(this.at);
    const sent = { rule: ruleFacts(rule), told, position, at: this.at };
    return idOf(this.accounts.addAlertRule(this.id, sent));
  }

  /** The id of a new list with sets, some of which have a target in cents. */
  async list(name: string, sets: Readonly<Record<string, number | null>> = {}): Promise<number> {
    const { at } = this;
    const listId = await idOf(this.accounts.addWatchList(this.id, { name, at }));
    const items = Object.entries(sets).map(([key, targetCents]) => {
      return { kind: 'set', key, number: key, targetCents, note: '' } as const;
    });
    await this.accounts.saveWatchedItems(this.id, listId, { items, at });
    return listId;
  }

  /** The id of the channel to the account's own address. */
  email(): Promise<number> {
    const nothing = { address: null, secret: null, subscription: null, position: null };
    const channel = { kind: 'email', name: 'Email', ...nothing, at: this.at } as const;
    return idOf(this.accounts.addChannel(this.id, channel));
  }
}

async function idOf(made: Promise<{ readonly id: number } | string>): Promise<number> {
  const result = await made;
  if (typeof result === 'string') throw new Error(result);
  return result.id;
}
