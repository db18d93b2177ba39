/** Templates for common alerts. */

import type { Plan } from '../../../accounts/keys/quota.ts';
import { usualDailyCap } from '../../../alerts/conditions/alert-rule.ts';
import { channelValues, type RuleChoices } from './alert-form.tsx';
import { usualChannels } from './target-alert.ts';

interface Template {
  readonly title: string;
  readonly text: string;
  /** The values of the form; the default scope is the first watchlist. */
  readonly values: Readonly<Record<string, string>>;
  readonly needsPlan?: true;
}

const templates: Readonly<Record<string, Template>> = {
  target: {
    title: 'Target price',
    text: 'A price on your watchlist reaches its target.',
    values: { condition: 'price_target' },
  },
  low: {
    title: 'All-time low',
    text: 'A set on your watchlist is at a new all-time low.',
    values: { condition: 'all_time_low' },
  },
  deal: {
    title: 'Deal',
    text: 'A price is at or below your max buy price.',
    values: { condition: 'price_of_max_buy', amount: '100', scope: 'all' },
    needsPlan: true,
  },
  gain: {
    title: 'Holdings up 20%',
    text: 'A set you own is worth 20% more than it cost.',
    values: { condition: 'margin', amount: '20', scope: 'holdings' },
  },
};

/** The initial values of a new alert, with the template and list in the query, if any. */
export function templateValues(query: URLSearchParams, { lists, canMail, channels }: RuleChoices) {
  const template = new Map(Object.entries(templates)).get(query.get('template') ?? '');
  const list = lists.find(({ id }) => String(id) === query.get('list')) ?? lists[0];
  return {
    scope: list ? `list:${list.id}` : 'holdings',
    digest: 'none',
    daily_cap: String(usualDailyCap),
    ...(canMail ? { channel_email: 'yes' } : channelValues(usualChannels(channels))),
    ...template?.values,
  };
}

/** Links to the form, filled in from a template. */
export function Templates(props: {
  readonly plan: Plan;
  readonly isFirst: boolean;
  /** Whether there is a watchlist, which target prices need. */
  readonly hasLists: boolean;
}) {
  const { plan, isFirst, hasLists } = props;
  const shown = Object.entries(templates).filter(
    ([, { needsPlan }]) => !needsPlan || plan === 'reseller',
  );
  return (
    <section class="templates">
      <h2>{isFirst ? 'Create your first alert' : 'Start from a template'}</h2>
      <ul class="themes">
        {shown.map(([id, { title, text }]) => {
          const needsList = id === 'target' && !hasLists;
          return (
            <li key={id}>
              <a href={needsList ? '/watchlist' : `/alerts/new?template=${id}`}>
                <span class="item-name">{title}</span>
                <span class="quiet">{needsList ? 'Create a watchlist first.' : text}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
