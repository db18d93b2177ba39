/** Inputs and results of evaluating alert rules. */

import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { BuyingSettings } from '../../buying/prices/buying-settings.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { DeliveryChannel } from '../channels/delivery-channel.ts';
import type { NewDelivery } from '../delivery/delivery.ts';
import type { AlertRule, AlertRuleFacts, AlertSettings } from './alert-rule.ts';
import type { HeldFor, ReportedMatch, Subject } from './notification.ts';

/** A rule that is on. */
export interface WatchingRule extends Omit<AlertRule, 'isOn' | 'createdAt' | 'channelIds'> {
  /** When it was last saved or turned on. */
  readonly since: number;
  /** The log position at that time; earlier events do not count. */
  readonly position: number;
}

/** An item on a list that a rule watches. */
export interface ListedItem {
  readonly ruleId: number;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly targetCents: number | null;
}

/** Units of an item in one condition that the owner of a rule holds, and their cost. */
export interface HeldUnits extends HeldStake {
  readonly ruleId: number;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
}

export interface HeldStake {
  readonly condition: Condition;
  readonly units: number;
  readonly costCents: number;
}

/** All rules that concern some items, and the data to evaluate them. */
export interface Concerned {
  readonly rules: readonly WatchingRule[];
  readonly listed: readonly ListedItem[];
  /** For rules about holdings and their margin. */
  readonly held: readonly HeldUnits[];
  /** Including rules that no longer concern the items. */
  readonly reported: readonly (ReportedMatch &
    Pick<WatchingRule, 'since'> & { readonly ruleId: number })[];
  /** By account; accounts without settings are left out. */
  readonly settings: ReadonlyMap<number, AlertSettings>;
  /** By account, for rules about max buy prices. */
  readonly buying: ReadonlyMap<number, BuyingSettings>;
}

export interface AlertProgress {
  /** The position up to which the log was evaluated; null at the start. */
  readonly position: number | null;
  /** The end of a step that some rules have completed; null if there is none. */
  readonly until: number | null;
  /**
   * The start of the latest pass over all items and the last item done; `after` is null if it is
   * complete.
   */
  readonly look: { readonly at: number; readonly after: string | null } | null;
  /** No rule concerns events up to this position; null if no rule is on. */
  readonly start: number | null;
  /** When the next notification is due; null if none is waiting. */
  readonly dueAt: number | null;
}

export interface NewNotification extends Subject {
  readonly ruleId: number;
  readonly itemKey: string;
  readonly at: number;
  readonly dueAt: number;
  readonly heldFor: HeldFor;
  /** The reason, and the JSON facts for webhooks; only computed if it is saved. */
  say(): { readonly reason: string; readonly facts: string };
  /** The start of the day in the owner's time zone. */
  readonly dayStart: number;
}

export interface Evaluated {
  readonly notifications: readonly NewNotification[];
  /** New reports, and those with a new base. */
  readonly reported: readonly (ReportedMatch & { readonly ruleId: number })[];
  /** No longer true, so they may be reported again. */
  readonly ended: readonly (Omit<ReportedMatch, 'reportedAt' | 'baseCents'> & {
    readonly ruleId: number;
  })[];
  /** The evaluated rules; results of rules that changed meanwhile are dropped. */
  readonly rules: readonly Pick<WatchingRule, 'id' | 'since'>[];
}

/** The range of a step. If `from` differs from the stored progress, another process was faster. */
export type AlertStep =
  | { readonly kind: 'log'; readonly from: number | null; readonly to: number }
  | {
      readonly kind: 'look';
      readonly from: AlertProgress['look'];
      readonly to: NonNullable<AlertProgress['look']>;
    };

export interface DueNotification extends Subject {
  readonly id: number;
  readonly ruleId: number;
  readonly rule: Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>;
  /** Null unless the rule is for a list. */
  readonly listName: string | null;
  /** The note of the item on that list; null or empty if there is none. */
  readonly note: string | null;
  readonly at: number;
  readonly reason: string;
  readonly facts: string;
}

export interface DueAlerts {
  readonly accountId: number;
  readonly notifications: readonly DueNotification[];
  /** Channels by rule, without those that are off. */
  readonly channels: ReadonlyMap<number, readonly Pick<DeliveryChannel, 'id' | 'kind'>[]>;
}

export interface AlertDelivery extends NewDelivery {
  readonly notificationIds: readonly number[];
}

export interface ComposedAlerts {
  readonly deliveries: readonly AlertDelivery[];
  /** Hashes of the end links, by rule. */
  readonly links: ReadonlyMap<number, TokenHash>;
}
