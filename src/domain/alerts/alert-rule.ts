/** Alert rules: about what, when, and where to. */

/** What an account may keep. */
export const alertLimits = {
  rules: 50,
  nameLength: 100,
  capMax: 100,
  repeatDaysMax: 365,
  /** What a rule may hold for when it is saved; one that holds for more says too little. */
  matches: 1_000,
} as const;

/** Notifications a day of a rule whose owner says nothing else. */
export const usualDailyCap = 20;

/** What a rule is about. */
export type AlertScope =
  | { readonly kind: 'holdings' }
  | { readonly kind: 'list'; readonly listId: number }
  | { readonly kind: 'theme'; readonly theme: string }
  | { readonly kind: 'all' };

/** When it goes off. Percents are whole or have decimals. */
export type AlertCondition =
  /** A price at or below the item's own target on a list. */
  | { readonly kind: 'price_target' }
  | { readonly kind: 'price_amount'; readonly cents: number }
  | { readonly kind: 'price_of_value'; readonly percent: number }
  | { readonly kind: 'price_of_max_buy'; readonly percent: number }
  | { readonly kind: 'all_time_low' }
  | { readonly kind: 'flip'; readonly to: 'third_party' | 'retailer' }
  | { readonly kind: 'back_in_stock' }
  | { readonly kind: 'value_up'; readonly percent: number }
  | { readonly kind: 'value_down'; readonly percent: number }
  /** The value of what is held over its cost basis. */
  | { readonly kind: 'margin'; readonly percent: number };

/** When notifications of a rule are sent: each when it comes, or together. */
export const digests = ['none', 'daily', 'weekly'] as const;
export type Digest = (typeof digests)[number];

/** What its owner says of a rule. */
export interface AlertRuleFacts {
  readonly name: string;
  readonly scope: AlertScope;
  readonly condition: AlertCondition;
  /** Where it is told besides the page that lists everything. */
  readonly channelIds: readonly number[];
  /** Told again after so many days while the condition still holds; null: never. */
  readonly repeatDays: number | null;
  readonly digest: Digest;
  /** Notifications a day at most, in the account's time zone; others are listed, not sent. */
  readonly dailyCap: number;
}

/** A rule as it is kept. */
export interface AlertRule extends AlertRuleFacts {
  readonly id: number;
  readonly accountId: number;
  readonly isOn: boolean;
  readonly createdAt: number;
}

/** When an account wants to be left alone, and what day it is there. */
export interface AlertSettings {
  /** An IANA name, such as America/New_York. */
  readonly timeZone: string;
  /** Minutes of the day; null: there are no quiet hours. They may go over midnight. */
  readonly quiet: { readonly from: number; readonly until: number } | null;
}

/** What holds for an account that never said anything else. */
export const usualAlertSettings: AlertSettings = { timeZone: 'UTC', quiet: null };
