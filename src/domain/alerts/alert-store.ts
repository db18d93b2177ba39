/** How a store keeps alert rules, what they told, and notifications. */
import type { TokenHash } from '../account/session-store.ts';
import type { BuyingSettings } from '../buying/buying-settings.ts';
import type { ItemKind } from '../catalog/numbers.ts';
import type { Channel, ChannelKind } from '../delivery/channel.ts';
import type { Delivery, NewDelivery } from '../delivery/delivery.ts';
import type { EventItems } from '../market/events.ts';
import type { Condition, Retailer } from '../market/source-rows.ts';
import type { AlertRule, AlertRuleFacts, AlertSettings } from './alert-rule.ts';

/** How long notifications are listed. */
export const notificationsKeptDays = 90;

/** What a rule told of, and would not tell again until it was false. */
export interface Told {
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly retailer: Retailer | null;
  readonly toldAt: number;
  /** What moves of a value are counted from. */
  readonly baseCents: number | null;
}

/** What a rule holds for when it is saved. */
export type NewTold = Omit<Told, 'toldAt'>;

/** What a rule holds for already, which is not told. */
export interface Matches {
  readonly told: readonly NewTold[];
  /** Where the log was before it was found out: the rule goes by what happens after it. */
  readonly position: number;
}

/** A rule to be kept. */
export interface SentRule extends Matches {
  readonly rule: AlertRuleFacts;
  readonly at: number;
}

/**
 * How a notification went: `waiting` for its time; `sent`; or listed only: its rule has no channel
 * that is on, it was over the daily limit, or its rule ended before its time came.
 */
export const notificationStates = ['waiting', 'sent', 'no_channel', 'over_cap', 'ended'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** What a notification waits for; null: it was due at once. */
export type HeldFor = 'quiet' | 'digest' | null;

/** One alert that went off for one item. */
export interface Notification {
  readonly id: number;
  /** Null, once the rule is removed. */
  readonly ruleId: number | null;
  readonly ruleName: string;
  readonly at: number;
  readonly itemKind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
  /** One plain sentence: what happened. */
  readonly reason: string;
  readonly state: NotificationState;
  readonly dueAt: number;
  readonly heldFor: HeldFor;
  /** The messages that tell of it, as long as they and their channels are there. */
  readonly deliveries: readonly NotificationDelivery[];
}

/** How a message with a notification does at one channel. */
export interface NotificationDelivery
  extends Pick<Delivery, 'state' | 'tries' | 'answerStatus' | 'answer'> {
  readonly channel: Pick<Channel, 'id' | 'kind' | 'name' | 'state'>;
  /** When it is tried next, while it waits. */
  readonly nextAt: number;
}

/** What pages ask of alerts. What is not an account's own looks like what does not exist. */
export interface AlertStore {
  findAlertSettings(accountId: number): Promise<AlertSettings>;
  /** False: no such account. */
  saveAlertSettings(accountId: number, settings: AlertSettings): Promise<boolean>;
  /** By name. */
  listAlertRules(accountId: number): Promise<AlertRule[]>;
  /** On from its beginning. */
  addAlertRule(
    accountId: number,
    sent: SentRule,
  ): Promise<{ readonly id: number } | 'too many' | 'no list' | 'no channel' | 'no account'>;
  /** What it told before is forgotten for what it holds for now. It stays on or off. */
  changeAlertRule(
    accountId: number,
    ruleId: number,
    sent: SentRule,
  ): Promise<'done' | 'no rule' | 'no list' | 'no channel'>;
  /** What happened while it was off, and what it holds for now, is not told. False: no rule. */
  turnOnAlertRule(
    accountId: number,
    ruleId: number,
    sent: Omit<SentRule, 'rule'>,
  ): Promise<boolean>;
  /**
   * Of some sets, a rule that is on has told what it holds for now and nothing else; the times of
   * what it told before stay. What it had not told before.
   */
  recordTold(
    accountId: number,
    ruleId: number,
    matches: {
      readonly setKeys: readonly string[];
      readonly told: readonly NewTold[];
      readonly at: number;
    },
  ): Promise<readonly NewTold[]>;
  /** What a rule has told and would not tell again yet: the latest first, and how much it is. */
  listTold(
    accountId: number,
    ruleId: number,
    limit: number,
  ): Promise<{ readonly rows: readonly Told[]; readonly total: number }>;
  turnOffAlertRule(accountId: number, ruleId: number): Promise<boolean>;
  removeAlertRule(accountId: number, ruleId: number): Promise<boolean>;
  /** The latest first; those before an id. */
  listNotifications(
    accountId: number,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<Notification[]>;
  /** When each rule sent something last; rules that never did are left out. */
  listLastSent(accountId: number): Promise<ReadonlyMap<number, number>>;
  /** Which rule a link of a message ends; null when the link is no good. */
  findRuleByLink(tokenHash: TokenHash): Promise<Pick<AlertRule, 'id' | 'name' | 'isOn'> | null>;
  /** Turns that rule off; false when the link is no good. */
  endRuleByLink(tokenHash: TokenHash): Promise<boolean>;
}

/** A rule that is on, as it is evaluated. */
export interface WatchingRule extends Omit<AlertRule, 'isOn' | 'createdAt' | 'channelIds'> {
  /** When it was saved or turned on last. */
  readonly since: number;
  /** Where the log was then: what happened up to there is none of its business. */
  readonly position: number;
}

/** An item on a list that a rule watches. */
export interface ListedItem {
  readonly ruleId: number;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly targetCents: number | null;
}

/** Units of a set that the owner of a rule holds in one condition, and what they cost. */
export interface HeldUnits {
  readonly ruleId: number;
  readonly itemKey: string;
  readonly condition: Condition;
  readonly units: number;
  readonly costCents: number;
}

/** All rules that have to do with some items, and what they need to be evaluated. */
export interface Concerned {
  readonly rules: readonly WatchingRule[];
  readonly listed: readonly ListedItem[];
  /** For rules about holdings, and about the margin of what is held. */
  readonly held: readonly HeldUnits[];
  /** Also by rules that have nothing to do with the items any more. */
  readonly told: readonly (Told & Pick<WatchingRule, 'since'> & { readonly ruleId: number })[];
  /** Of the owners of the rules, by account; who never said anything is left out. */
  readonly settings: ReadonlyMap<number, AlertSettings>;
  /** The same, of those whose rules are about what they may pay. */
  readonly buying: ReadonlyMap<number, BuyingSettings>;
}

/** How far alerts have come. */
export interface AlertProgress {
  /** Up to where the log was gone through; null: nowhere yet. */
  readonly position: number | null;
  /** Where the next step through the log ends, which some rules have done; null: anywhere. */
  readonly until: number | null;
  /** When the latest look at everything began, and what was looked at last; null: all of it. */
  readonly look: { readonly at: number; readonly after: string | null } | null;
  /** What happened up to this position concerns no rule; null: there is none that is on. */
  readonly start: number | null;
  /** When the next notification is due; null: none waits. */
  readonly dueAt: number | null;
}

/** A notification to be. */
export interface NewNotification {
  readonly ruleId: number;
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
  readonly at: number;
  readonly dueAt: number;
  readonly heldFor: HeldFor;
  /** The reason, and what a webhook is told besides as JSON; asked only when it is kept. */
  say(): { readonly reason: string; readonly facts: string };
  /** When the day began, in the time zone of its owner. */
  readonly dayStart: number;
}

/** What became of rules for some items. */
export interface Evaluated {
  readonly notifications: readonly NewNotification[];
  /** Told now, or with another base. */
  readonly told: readonly (Told & { readonly ruleId: number })[];
  /** No longer true, so that it would be told again. */
  readonly untold: readonly (Omit<Told, 'toldAt' | 'baseCents'> & { readonly ruleId: number })[];
  /** The rules as they were evaluated: of one that was changed meanwhile, nothing is kept. */
  readonly rules: readonly Pick<WatchingRule, 'id' | 'since'>[];
}

/** How far a step of the work goes; another beginning than what is kept: another was faster. */
export type AlertStep =
  | { readonly kind: 'log'; readonly from: number | null; readonly to: number }
  | {
      readonly kind: 'look';
      readonly from: AlertProgress['look'];
      readonly to: NonNullable<AlertProgress['look']>;
    };

/** A notification that is due, with what a message says of it. */
export interface DueNotification {
  readonly id: number;
  readonly ruleId: number;
  readonly rule: Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>;
  /** Null, unless the rule is about a list. */
  readonly listName: string | null;
  /** What its owner noted about the item on that list; null or empty when there is nothing. */
  readonly note: string | null;
  readonly at: number;
  readonly itemKind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
  readonly reason: string;
  readonly facts: string;
}

/** What is due to be told to one account. */
export interface DueAlerts {
  readonly accountId: number;
  readonly notifications: readonly DueNotification[];
  /** Where to, by rule: channels that are not off. */
  readonly channels: ReadonlyMap<
    number,
    readonly { readonly id: number; readonly kind: ChannelKind }[]
  >;
}

/** A message about notifications. */
export interface AlertDelivery extends NewDelivery {
  readonly notificationIds: readonly number[];
}

/** Messages about what is due to one account. */
export interface ComposedAlerts {
  readonly deliveries: readonly AlertDelivery[];
  /** The hash of the token in the link that ends a rule, by rule. */
  readonly links: ReadonlyMap<number, TokenHash>;
}

/** What the process that evaluates rules asks. */
export interface AlertWorkStore {
  findAlertProgress(): Promise<AlertProgress>;
  /** Rules that are on and have to do with items; `themes` are those of the items. */
  findConcerned(items: EventItems, themes: readonly string[]): Promise<Concerned>;
  /**
   * Keeps what became of rules, some of them at a time, and how far it went; false: another was
   * faster. A step that was interrupted is done again, and what was kept of it stays as it is.
   */
  settleAlerts(step: AlertStep, evaluated: Evaluated): Promise<boolean>;
  /**
   * Has messages composed of what is due, and adds them to the queues of channels: a few accounts
   * at a time, all of one account at once. How many notifications there were; 0: nothing is due, or
   * what was due changed meanwhile.
   */
  sendDueAlerts(at: number, compose: (due: DueAlerts) => ComposedAlerts): Promise<number>;
}
