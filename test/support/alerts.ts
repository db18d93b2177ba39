/** Builders for alert rules, watch lists and channels of an account. */
import { type AlertRuleFacts, usualDailyCap } from '../../src/alerts/conditions/alert-rule.ts';
import type { NewMatch } from '../../src/alerts/conditions/notification.ts';
import { positionBefore } from '../../src/market/events/events.ts';
import type { AccountStore } from '../../src/store/store.ts';
import { sharedNow } from './shared-store.ts';

/** A rule that matches every item at $50 or less and has no channels. */
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

/** Adds rules, lists and channels to one account, and returns their IDs. */
export class AlertOwner {
  constructor(
    private readonly accounts: AccountStore,
    readonly id: number,
    private readonly at = sharedNow,
  ) {}

  rule(rule: Partial<AlertRuleFacts> = {}, reported: readonly NewMatch[] = []): Promise<number> {
    const position = positionBefore(this.at);
    const sent = { rule: ruleFacts(rule), reported, position, at: this.at };
    return idOf(this.accounts.addAlertRule(this.id, sent));
  }

  /** Adds a watch list of sets with their target prices in cents; null for no target. */
  async list(name: string, sets: Readonly<Record<string, number | null>> = {}): Promise<number> {
    const { at } = this;
    const listId = await idOf(this.accounts.addWatchList(this.id, { name, at }));
    const items = Object.entries(sets).map(([key, targetCents]) => {
      return { kind: 'set', key, number: key, targetCents, note: '' } as const;
    });
    await this.accounts.saveWatchedItems(this.id, listId, { items, at });
    return listId;
  }

  email(): Promise<number> {
    const nothing = { address: null, secret: null, subscription: null, position: null };
    const channel = { kind: 'email', name: 'Email', ...nothing, at: this.at } as const;
    return idOf(this.accounts.addDeliveryChannel(this.id, channel));
  }
}

async function idOf(made: Promise<{ readonly id: number } | string>): Promise<number> {
  const result = await made;
  if (typeof result === 'string') throw new Error(result);
  return result.id;
}
