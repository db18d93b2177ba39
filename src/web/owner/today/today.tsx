/** Today: what happened since the last visit, and what to do about it. */

import type { Notification } from '../../../alerts/conditions/notification.ts';
import { dayMs, dayOf, formatDay } from '../../../kernel/time.ts';
import type { DayChange } from '../../../portfolio/returns/daily-change.work.ts';
import { findSlowListings, type SlowListing } from '../../../portfolio/sales/slow-listings.work.ts';
import { Card, EmptyState, type Figure, Figures } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { agoText, countText, dayText, moneyText, nounText, waitText } from '../../kit/format.ts';
import { Icon } from '../../kit/icons.tsx';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { AlertMessage } from '../alerts/alert-message.tsx';
import { findOwnTables } from '../buying/own-tables.ts';
import { PortfolioCard } from '../portfolio/portfolio-card.tsx';
import type { FindPortfolio, Portfolio } from '../portfolio/portfolio-figures.ts';
import { DealsCard, readBestDeals } from './deals-card.tsx';
import { SkippedToast } from './skip-deal.tsx';
import {
  BehindCard,
  FallenPrices,
  Needs,
  readBehind,
  readFallen,
  readNeeds,
} from './today-cards.tsx';

/** Lots for sale that are looked at, those listed longest first. */
const listedMax = 200;

export function todayRoutes(findPortfolio: FindPortfolio) {
  return routes('own', {
    '/today': { get: (deps, request) => showToday(deps, request, findPortfolio) },
  });
}

async function showToday(deps: WebDeps, request: OwnRequest, findPortfolio: FindPortfolio) {
  const portfolio = await findPortfolio(request, changeDays(request));
  const [unseen, deals, needs, fallen, slow, behind] = await Promise.all([
    readUnseen(deps, request),
    readBestDeals(deps, request),
    readNeeds(deps, request),
    readFallen(deps, request),
    readSlow(deps, request),
    readBehind(deps, request),
  ]);
  return (
    <Layout title="Today" request={request} actions={<ScanLink />}>
      <SkippedToast request={request} />
      <Collection portfolio={portfolio} request={request} />
      <Needs needs={needs} />
      <FiredAlerts unseen={unseen} request={request} />
      <DealsCard deals={deals} deps={deps} request={request} />
      <BehindCard behind={behind} />
      <div class="grid halves brief">
        <FallenPrices fallen={fallen} names={deps.site.retailerNames} />
        <Card
          title="Listed for too long"
          actions={<a href="/inventory?status=listed">Listed lots</a>}
        >
          {slow.length > 0 ? (
            <DataTable label="Listed for too long" columns={columns} rows={slow} />
          ) : (
            <p class="quiet flush">
              Nothing. When you list a lot, enter the date: if it takes more than twice the usual
              time to sell, it shows up here.
            </p>
          )}
        </Card>
      </div>
      {portfolio && <PortfolioCard request={request} portfolio={portfolio} />}
    </Layout>
  );
}

/** For phones: elsewhere, the search in the bar has one. */
function ScanLink() {
  return (
    <a class="button plain phone-only" href="/scan">
      <Icon name="scan" />
      Scan
    </a>
  );
}

/** Yesterday, and the last visit if that was earlier. */
function changeDays({ who: { lastVisitAt }, at }: OwnRequest): number[] {
  const today = dayOf(at);
  const visited = lastVisitAt === null ? today : dayOf(lastVisitAt);
  return visited < today - 1 ? [today - 1, visited] : [today - 1];
}

async function readSlow(deps: WebDeps, request: OwnRequest): Promise<readonly SlowListing[]> {
  const { who, at } = request;
  const lots = await deps.accounts.listListed(who.accountId, listedMax);
  const tables = await findOwnTables(deps, request);
  const found = await findSlowListings(deps.market, lots, { tables, at });
  return found.slice(0, listingsShown);
}

const alertsShown = 5;

/** One read, and none if there is nothing new. */
async function readUnseen({ accounts }: WebDeps, { who }: OwnRequest) {
  const limit = Math.min(alertsShown, who.unseenAlerts);
  if (limit === 0) return [];
  return accounts.listNotifications(who.accountId, { before: null, limit });
}

function FiredAlerts(props: {
  readonly unseen: readonly Notification[];
  readonly request: OwnRequest;
}) {
  const { unseen, request } = props;
  if (unseen.length === 0) {
    return (
      <Card title="Alerts" actions={<a href="/alerts/fired">Earlier alerts</a>}>
        <p class="quiet flush">
          {'Nothing new. '}
          <a href="/alerts">Set an alert</a>
          {' for a price, an all-time low or a deal, and it shows up here when it fires.'}
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={`New alerts (${countText(request.who.unseenAlerts)})`}
      actions={<a href="/alerts/fired">See all</a>}
    >
      <ul class="plain-list">
        {unseen.map((row) => (
          <li key={row.id}>
            <AlertMessage row={row} />
            <small class="quiet">{` ${agoText(request.at - row.at)}`}</small>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const listingsShown = 5;

const columns: readonly Column<SlowListing>[] = [
  mainColumn('Lot', ({ lot, number, title, daysListed, waitDays }) => (
    <ItemCell
      kind={lot.kind}
      number={number}
      name={title}
      href={`/lots/${lot.id}`}
      about={`listed ${nounText(daysListed, 'day')}, half sell within ${waitText(waitDays)}`}
    />
  )),
  numberColumn('Asking', ({ lot, valueCents }) => (
    <Lines
      first={<Money cents={lot.askingCents} missing="No asking price" />}
      second={`value ${moneyText(valueCents)}`}
    />
  )),
];

function Collection(props: { readonly portfolio: Portfolio | null; readonly request: OwnRequest }) {
  const { portfolio, request } = props;
  if (!portfolio?.hasLots) {
    return (
      <EmptyState
        title="Your collection is empty"
        actions={[
          ['/inventory/add', 'Add a set or minifig'],
          ['/inventory/import', 'Import a file'],
        ]}
      >
        With the sets and minifigs you own, you see here every day what they did.
      </EmptyState>
    );
  }
  const { total, changes } = portfolio;
  return (
    <Card title="Your collection" actions={<a href="/portfolio?range=7d">Portfolio</a>}>
      <Figures
        figures={[
          [
            'Market value',
            <a href="/portfolio">{moneyText(total.valueCents)}</a>,
            `${nounText(total.itemCount, 'unit')} of ${nounText(total.distinctCount, 'item')}`,
          ],
          ...changes.map((each) => changeFigure(each, dayOf(request.at))),
          ['Unrealized gain', <Delta cents={total.gainCents} />, 'Since you bought'],
        ]}
      />
    </Card>
  );
}

function changeFigure(change: DayChange, today: number): Figure {
  const { since, marketCents, marketPercent, tradeCents, beforeValuesCents } = change;
  const others = Object.entries({
    'from buying and selling': tradeCents,
    'from first values': beforeValuesCents,
  }).filter(([, cents]) => cents !== 0);
  const isYesterday = since === today - 1;
  const note = (
    <>
      {!isYesterday && `${dayText(formatDay(since * dayMs))}. `}
      {others.length === 0
        ? 'Market only'
        : others.map(([name, cents]) => (
            <div key={name}>
              <Delta cents={cents} /> {name}
            </div>
          ))}
    </>
  );
  const unknown = 'Purchase dates unknown';
  const gain = <Delta cents={marketCents} percent={marketPercent} missing={unknown} />;
  return [isYesterday ? 'Since yesterday' : 'Since your last visit', gain, note];
}
