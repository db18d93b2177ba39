/** The columns of the list of deals, and the link to the retailer. */

import {
  type Deal,
  type DealWarning,
  dealWarningTexts,
  partOutRatio,
} from '../../buying/deals/deal.ts';
import type { SetDeal } from '../../buying/deals/find-deals.ts';
import { sellingChannelName } from '../../buying/prices/selling-channels.ts';
import { csvCell, usdCell } from '../../kernel/csv-cell.ts';
import { formatInstant } from '../../kernel/time.ts';
import { itemPath, withQuery } from '../kit/address.ts';
import { Badge } from '../kit/card.tsx';
import {
  actionColumn,
  Lines,
  mainColumn,
  moneyColumn,
  numberColumn,
  wideColumn,
} from '../kit/columns.tsx';
import type { Column } from '../kit/data-table.tsx';
import type { Typed } from '../kit/fields.tsx';
import { agoText, decimalText, moneyText, nounText, percentText, waitText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import { Delta, Missing, Money } from '../kit/money.tsx';
import { termNames } from '../owner/buying/buy-terms.tsx';
import { SkipButton, UnskipButton } from '../owner/today/skip-deal.tsx';
import type { OwnRequest, SiteFacts } from '../page.ts';
import { isWebAddress, ProductLink } from './item-retail.tsx';

interface DealColumnsProps {
  readonly request: OwnRequest;
  readonly showsSkipped: boolean;
  readonly retailerNames: SiteFacts['retailerNames'];
  readonly typed: Typed;
  readonly listCents: ReadonlyMap<string, number | null>;
}

export function dealColumns(props: DealColumnsProps): readonly Column<SetDeal>[] {
  const { request, showsSkipped, retailerNames, typed, listCents } = props;
  // The page of the set uses the same terms.
  const terms = Object.fromEntries(termNames.map((name) => [name, typed.values[name] ?? '']));
  const set = mainColumn<SetDeal>(
    'Set',
    ({ setNumber, title, theme }) => (
      <ItemCell
        kind="set"
        number={setNumber}
        name={title}
        about={theme}
        href={`${withQuery(itemPath('set', setNumber), terms)}#pay`}
      />
    ),
    {
      sort: 'name',
      csv: {
        set_number: ({ setNumber }) => csvCell(setNumber),
        title: ({ title }) => csvCell(title),
        theme: ({ theme }) => csvCell(theme),
      },
    },
  );
  const price = numberColumn<SetDeal>(
    'Price',
    ({ setKey, offer }) => (
      <Lines
        first={
          <span title={`Seen ${agoText(request.at - offer.observedAt)}`}>
            <Money cents={offer.priceCents} />
          </span>
        }
        second={offText(offer.priceCents, listCents.get(setKey) ?? null)}
      />
    ),
    {
      sort: 'price',
      phone: 'top',
      csv: {
        retailer: ({ offer }) => offer.retailer,
        price_usd: ({ offer }) => usdCell(offer.priceCents),
      },
    },
  );
  const buy = actionColumn<SetDeal>((deal) => (
    <>
      <span class="deal-actions">
        <BuyLink deal={deal} names={retailerNames} />
        {showsSkipped ? (
          <UnskipButton request={request} deal={deal} />
        ) : (
          <SkipButton request={request} deal={deal} />
        )}
      </span>
      <OtherOffers others={deal.others} names={retailerNames} />
    </>
  ));
  return [set, price, ...resaleColumns, buy];
}

function offText(priceCents: number, listCents: number | null): string {
  if (listCents === null || listCents <= priceCents) return '';
  return `${Math.round((100 * (listCents - priceCents)) / listCents)}% off`;
}

type Names = SiteFacts['retailerNames'];

/** The button to the retailer's page; only its name if the address is unknown. */
export function BuyLink({ deal, names }: { readonly deal: Deal; readonly names: Names }) {
  const { retailer, productUrl } = deal.offer;
  if (!isWebAddress(productUrl)) return <span class="quiet">{`At ${names[retailer]}`}</span>;
  return (
    <a class="button" href={productUrl} rel="noreferrer noopener">
      {`Buy at ${names[retailer]}`}
      <span class="visually-hidden">{`: ${deal.title}`}</span>
    </a>
  );
}

function OtherOffers(props: { readonly others: readonly Deal[]; readonly names: Names }) {
  const { others, names } = props;
  if (others.length === 0) return null;
  return (
    <details class="others">
      <summary>{`${nounText(others.length, 'more offer')}`}</summary>
      {others.map(({ offer, profitCents, warnings }) => (
        <div key={offer.retailer}>
          {`${moneyText(offer.priceCents)} at `}
          <ProductLink name={names[offer.retailer]} url={offer.productUrl} />
          {`, ${moneyText(profitCents)} profit`}
          {warnings.length > 0 && <Warnings warnings={warnings} />}
        </div>
      ))}
    </details>
  );
}

const resaleColumns: readonly Column<SetDeal>[] = [
  numberColumn('Max buy', ({ maxBuyCents }) => <Money cents={maxBuyCents} />, {
    isSecondary: true,
    sort: 'max_buy',
    csv: {
      max_buy_usd: ({ maxBuyCents }) => usdCell(maxBuyCents),
      best_channel: ({ channel }) => channel,
      net_usd: ({ medianNetCents }) => usdCell(medianNetCents),
    },
  }),
  numberColumn(
    'Profit',
    ({ profitCents, roiPercent }) => (
      <Lines first={<Delta cents={profitCents} />} second={`${percentText(roiPercent)} ROI`} />
    ),
    {
      sort: 'profit',
      phone: 'bottom',
      csv: {
        profit_usd: ({ profitCents }) => usdCell(profitCents),
        roi_pct: ({ roiPercent }) => roiPercent.toFixed(2),
      },
    },
  ),
  numberColumn(
    'Time to sell',
    ({ waitDays, channel }) => (
      <Lines first={waitText(waitDays)} second={`on ${sellingChannelName(channel)}`} />
    ),
    { sort: 'wait', csv: { wait_days: ({ waitDays }) => waitDays?.toFixed(1) ?? '' } },
  ),
  moneyColumn('Profit per month', ({ profitPerMonthCents }) => profitPerMonthCents, {
    missing: 'Time to sell unknown',
    sort: 'per_month',
    csv: 'profit_per_month_usd',
  }),
  numberColumn(
    'Part-out ratio',
    (deal) => {
      const ratio = partOutRatio(deal);
      const missing = 'No value for its parts';
      return ratio === null ? <Missing reason={missing} /> : `${decimalText(ratio, 1)}×`;
    },
    { isSecondary: true, sort: 'part_out' },
  ),
  wideColumn('Check', ({ warnings }) => warnings.length > 0 && <Warnings warnings={warnings} />, {
    phone: 'detail',
    csv: {
      warnings: ({ warnings }) => warnings.join(' '),
      observed_at: ({ offer }) => formatInstant(offer.observedAt),
      product_url: ({ offer }) => csvCell(offer.productUrl),
      part_out_ratio: (deal) => partOutRatio(deal)?.toFixed(2) ?? '',
    },
  }),
];

/** Short names of warnings; the tooltip has the full sentence. */
const warningNames: Readonly<Record<DealWarning, string>> = {
  stale_price: 'Old price',
  unknown_stock: 'Stock unconfirmed',
  third_party_seller: 'Third-party seller',
  unknown_seller: 'Unknown seller',
  high_roi: 'ROI over 200%',
  cheaper_recently: 'Cheaper recently',
  often_discounted: 'Often discounted',
  recent_jump: 'Price jump',
  low_tier: 'Few sales',
  guessed_postage: 'Shipping estimated',
};

function Warnings({ warnings }: Pick<Deal, 'warnings'>) {
  return (
    <span class="badges">
      {warnings.map((warning) => (
        <Badge key={warning} kind="warn" title={dealWarningTexts[warning]}>
          {warningNames[warning]}
        </Badge>
      ))}
    </span>
  );
}
