/** The best deals of today, each with its reason. */

import { type Deal, dealWarningTexts } from '../../../buying/deals/deal.ts';
import { type SetDeal, usualFilters } from '../../../buying/deals/find-deals.ts';
import { isSkipped, skippedPrices } from '../../../buying/deals/skipped-deals.ts';
import { type BuyingSettings, tablesOf, termsOf } from '../../../buying/prices/buying-settings.ts';
import { sellingChannelName } from '../../../buying/prices/selling-channels.ts';
import { BuyLink } from '../../catalog/deal-columns.tsx';
import { itemPath } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { moneyText, percentText, waitText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { SkipButton } from './skip-deal.tsx';

const dealsShown = 3;

/** Null without the Reseller plan. */
export async function readBestDeals(
  deps: WebDeps,
  { who, at }: OwnRequest,
): Promise<readonly SetDeal[] | null> {
  if (who.plan !== 'reseller') return null;
  const [settings, skipped] = await Promise.all([
    deps.accounts.findBuyingSettings(who.accountId),
    deps.accounts.listSkippedDeals(who.accountId),
  ]);
  const prices = skippedPrices(skipped);
  const { rows } = await deps.cache.findDeals(tablesOf(deps.site.tables, settings), {
    terms: termsOf(settings),
    filters: { ...usualFilters, ...todayFilters(settings) },
    at,
    sort: 'per_month',
    isDescending: true,
    includes: (candidate) => !isSkipped(candidate, prices),
    limit: dealsShown,
    offset: 0,
  });
  return rows;
}

function todayFilters(settings: BuyingSettings) {
  return {
    minProfitCents: settings.todayMinProfitCents,
    minRoiPercent: settings.todayMinRoiPercent,
    maxWaitDays: settings.todayMaxWaitDays,
  };
}

export function DealsCard(props: {
  readonly deals: readonly SetDeal[] | null;
  readonly deps: WebDeps;
  readonly request: OwnRequest;
}) {
  const { deals, deps, request } = props;
  return (
    <Card title="Best deals today" actions={<a href="/deals">All deals</a>}>
      {deals === null ? (
        <p class="quiet flush">
          {'Deals are part of the Reseller plan. '}
          <a href="/account">Your plan</a>
        </p>
      ) : deals.length === 0 ? (
        <p class="quiet flush">
          {'No deal is within '}
          <a href="/account/buying#today">your limits for Today</a>.
        </p>
      ) : (
        <ul class="deal-list">
          {deals.map((deal) => (
            <li key={deal.setKey}>
              <div>
                <ItemCell
                  kind="set"
                  number={deal.setNumber}
                  name={deal.title}
                  about={deal.theme}
                  href={`${itemPath('set', deal.setNumber)}#pay`}
                />
                <p class="flush">{reasonText(deal)}</p>
                {deal.warnings.length > 0 && (
                  <p class="quiet small flush">{`Check: ${warningText(deal)}`}</p>
                )}
              </div>
              <div class="deal-actions">
                <strong>{moneyText(deal.offer.priceCents)}</strong>
                <BuyLink deal={deal} names={deps.site.retailerNames} />
                <SkipButton request={request} deal={deal} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function reasonText(deal: Deal): string {
  const { offer, maxBuyCents, profitCents, roiPercent, waitDays, channel } = deal;
  const below = maxBuyCents - offer.priceCents;
  const limit =
    below === 0 ? 'Exactly your max buy price' : `${moneyText(below)} below your max buy price`;
  const time = waitDays === null ? '' : `, in about ${waitText(waitDays)}`;
  return (
    `${limit}. Sells on ${sellingChannelName(channel)}${time}, ` +
    `for ${moneyText(profitCents)} profit after fees and shipping (${percentText(roiPercent)}).`
  );
}

function warningText({ warnings }: Deal): string {
  return warnings.map((warning) => dealWarningTexts[warning]).join(' ');
}
