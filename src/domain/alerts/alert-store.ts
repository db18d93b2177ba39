/** How a store keeps alert rules, what they told, and notifications. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { Retailer } from '../market/source-rows.ts';
import type { AlertRule, AlertRuleFacts, AlertSettings } from './alert-rule.ts';

/** What a rule told of, and would not tell again until it was false. */
export interface Told {
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly retailer: Retailer | null;
  readonly toldAt: number;
  /** What moves of a value are counted from. */
  readonly baseCents: number | null;
}

/** How a notification went: `waiting` for its time, `sent`, or not sent for a reason. */
export type NotificationState = 'waiting' | 'sent' | 'over_cap' | 'no_channel';

/** One alert that went off for one item. */
export interface Notification {
  readonly id: number;
  readonly ruleId: number | null;
  readonly ruleName: string;
  readonly at: number;
  readonly itemKind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
  /** One plain sentence: why it was sent. */
  readonly reason: string;
  readonly state: NotificationState;
  readonly dueAt: number;
}

/** What pages ask of alerts. The rest is between the store and `src/alerts`. */
export interface AlertStore {
  findAlertSettings(accountId: number): Promise<AlertSettings>;
  saveAlertSettings(accountId: number, settings: AlertSettings): Promise<boolean>;
  /** By name. */
  listAlertRules(accountId: number): Promise<AlertRule[]>;
  /** With what it holds for already, which is not told. */
  addAlertRule(
    accountId: number,
    sent: {
      readonly rule: AlertRuleFacts;
      readonly told: readonly Omit<Told, 'toldAt'>[];
      readonly at: number;
    },
  ): Promise<{ readonly id: number } | 'too many' | 'no list' | 'no channel' | 'no account'>;
  changeAlertRule(
    accountId: number,
    ruleId: number,
    sent: {
      readonly rule: AlertRuleFacts;
      readonly told: readonly Omit<Told, 'toldAt'>[];
      readonly at: number;
    },
  ): Promise<'done' | 'no rule' | 'no list' | 'no channel'>;
  switchAlertRule(accountId: number, ruleId: number, isOn: boolean): Promise<boolean>;
  removeAlertRule(accountId: number, ruleId: number): Promise<boolean>;
  /** The latest first; those before an id. */
  listNotifications(
    accountId: number,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<Notification[]>;
  /** Which rule a link of a message ends; null when the link is no good. */
  findRuleByLink(tokenHash: Uint8Array): Promise<Pick<AlertRule, 'id' | 'name' | 'isOn'> | null>;
  /** Turns that rule off. */
  endRuleByLink(tokenHash: Uint8Array): Promise<boolean>;
}
