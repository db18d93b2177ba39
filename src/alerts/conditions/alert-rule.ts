/** Alert rules: their scope, condition, channels and limits. */

/** Limits per account. */
export const alertLimits = {
  rules: 50,
  nameLength: 100,
  capMax: 100,
  repeatDaysMax: 365,
  /** The maximum number of current matches when a rule is saved; a broader rule is too general. */
  matches: 1_000,
} as const;

export const usualDailyCap = 20;

export type AlertScope =
  | { readonly kind: 'holdings' }
  | { readonly kind: 'list'; readonly listId: number }
  | { readonly kind: 'theme'; readonly theme: string }
  | { readonly kind: 'all' };

/** Percentages may have decimals. */
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
  /** The value of holdings relative to their cost basis. */
  | { readonly kind: 'margin'; readonly percent: number }
  /** Units sold in 90 days of those that were for sale. */
  | { readonly kind: 'sell_through'; readonly percent: number };

/** Whether a condition is part of the plan: only that of max buy prices. */
export function needsPlan({ kind }: Pick<AlertCondition, 'kind'>): boolean {
  return kind === 'price_of_max_buy';
}

/** Whether notifications are sent at once or collected. */
export const digests = ['none', 'daily', 'weekly'] as const;
export type Digest = (typeof digests)[number];

/** The fields of a rule that its owner sets. */
export interface AlertRuleFacts {
  readonly name: string;
  readonly scope: AlertScope;
  readonly condition: AlertCondition;
  /** Channels in addition to the page that lists all notifications. */
  readonly channelIds: readonly number[];
  /** Repeats after this many days while the condition is still met; null: never. */
  readonly repeatDays: number | null;
  readonly digest: Digest;
  /** Maximum notifications per day in the account's time zone; the others are only listed. */
  readonly dailyCap: number;
}

export interface AlertRule extends AlertRuleFacts {
  readonly id: number;
  readonly accountId: number;
  readonly isOn: boolean;
  readonly createdAt: number;
}

export interface AlertSettings {
  /** An IANA name, such as America/New_York. */
  readonly timeZone: string;
  /** Minutes of the day, possibly across midnight; null: there are no quiet hours. */
  readonly quiet: { readonly from: number; readonly until: number } | null;
}

export const usualAlertSettings: AlertSettings = { timeZone: 'UTC', quiet: null };
