/** Cards of Today: watched sets whose price fell, lots behind the market, what needs a hand. */

import { hasRole } from '../../../accounts/people/role.ts';
import { channelPath } from '../../../alerts/channels/delivery-channel-kinds.ts';
import { isBehindMarket } from '../../../buying/prices/asking-price.ts';
import type { RetailRow } from '../../../contract/retail.ts';
import { percentOf } from '../../../kernel/money.ts';
import { dayMs, dayOf, formatDay, parseInstant } from '../../../kernel/time.ts';
import { retailers } from '../../../market/source-rows/source-rows.ts';
import { everyLot } from '../../../portfolio/lots/inventory.ts';
import { inventoryOf } from '../../../portfolio/lots/inventory.work.ts';
import { freshnessOf, type Standing } from '../../../sync/freshness.ts';
import { Card } from '../../kit/card.tsx';
import { Lines, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { dayText, decimalText, gainText, moneyText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Money } from '../../kit/money.tsx';
import type { OwnRequest, SiteFacts, WebDeps } from '../../page.ts';
import { channelLabel } from '../alerts/alert-text.ts';
import { lotsListedMax } from '../inventory/bulk-edit.tsx';
import { allLots, changedView, viewPath } from '../inventory/inventory-view.tsx';

const fallenDays = 7;
const fallenShown = 5;

/** Changed sets that are looked at, latest first: some prices rose. */
const changedMax = 50;

export async function readFallen({ accounts, portfolio }: WebDeps, { who, at }: OwnRequest) {
  const { set } = await accounts.listWatchedKeys(who.accountId);
  if (set.length === 0) return { isWatching: false, prices: [] };
  const since = (dayOf(at) - fallenDays) * dayMs;
  const rows = await portfolio.market.listLatestRetail(set, { since, limit: changedMax });
  const prices = rows
    .flatMap(({ body }) => fallenOf(JSON.parse(body), since))
    .sort((a, b) => b.changedAt - a.changedAt);
  return { isWatching: true, prices: prices.slice(0, fallenShown) };
}

function fallenOf(row: RetailRow, since: number) {
  return retailers.flatMap((retailer) => {
    const { changedAt, lastChange, price, inStock, atLowest } = row[retailer];
    const changed = changedAt === null ? null : parseInstant(changedAt);
    if (changed === null || changed < since || lastChange === null || lastChange >= 0) return [];
    if (price === null || inStock === false) return [];
    return {
      number: row.setNumber,
      title: row.name,
      retailer,
      priceCents: Math.round(price * 100),
      changeCents: Math.round(lastChange * 100),
      changedAt: changed,
      isAtLowest: atLowest,
    };
  });
}

export function FallenPrices(props: {
  readonly fallen: Awaited<ReturnType<typeof readFallen>>;
  readonly names: SiteFacts['retailerNames'];
}) {
  const { fallen, names } = props;
  const columns: readonly Column<ReturnType<typeof fallenOf>[number]>[] = [
    mainColumn('Set', ({ number, title, retailer, isAtLowest }) => (
      <ItemCell
        kind="set"
        number={number}
        name={title}
        about={`${names[retailer]}${isAtLowest ? ', all-time low' : ''}`}
      />
    )),
    numberColumn('Price', ({ priceCents, changeCents, changedAt }) => (
      <Lines
        first={<Money cents={priceCents} />}
        second={`${gainText(changeCents)}, ${dayText(formatDay(changedAt))}`}
      />
    )),
  ];
  return (
    <Card title="Watched prices that fell" actions={<a href="/watchlist">Watchlist</a>}>
      {fallen.prices.length > 0 ? (
        <DataTable label="Watched prices that fell" columns={columns} rows={fallen.prices} />
      ) : (
        <p class="quiet flush">
          {fallen.isWatching
            ? `No price on your watchlist fell in the last ${fallenDays} days.`
            : 'Add sets to your watchlist to see here when their price falls.'}
        </p>
      )}
    </Card>
  );
}

const behindShown = 5;

type BehindLot = Awaited<ReturnType<typeof readBehind>>[number];

/** Those furthest behind first. An estimated value is no market price. */
export async function readBehind({ accounts, portfolio }: WebDeps, { who, at }: OwnRequest) {
  const lots = await accounts.listAsked(who.accountId, lotsListedMax);
  const { order } = allLots;
  const question = { filter: everyLot, order, brickfolios: [], ownFields: [], at };
  const { rows } = await inventoryOf(portfolio, lots, question);
  const behind = rows.flatMap(({ lot, item, unitCents, tier }) => {
    const { askingCents } = lot;
    if (askingCents === null || unitCents === null || tier === 'modeled') return [];
    if (!isBehindMarket(askingCents, unitCents)) return [];
    const belowPercent = percentOf(unitCents - askingCents, unitCents);
    return [{ lot, item, askingCents, valueCents: unitCents, belowPercent }];
  });
  return behind.sort((a, b) => b.belowPercent - a.belowPercent);
}

/** Nothing if there are none. */
export function BehindCard({ behind }: { readonly behind: readonly BehindLot[] }) {
  if (behind.length === 0) return null;
  const ids = behind.map(({ lot }) => lot.id).join(',');
  const view = changedView(allLots, { filter: { status: 'listed' } });
  return (
    <Card
      title="Priced below market"
      class="brief"
      actions={
        <a href={viewPath(view, { lots: ids }, '/inventory/asking')}>
          {`Change ${nounText(behind.length, 'price')}`}
        </a>
      }
    >
      <DataTable
        label="Priced below market"
        columns={columns}
        rows={behind.slice(0, behindShown)}
      />
    </Card>
  );
}

const columns: readonly Column<BehindLot>[] = [
  mainColumn('Lot', ({ lot, item, belowPercent }) => (
    <ItemCell
      kind={lot.kind}
      number={item.number}
      name={item.title}
      href={`/lots/${lot.id}`}
      about={`${decimalText(belowPercent, 1)}% below value`}
    />
  )),
  numberColumn('Asking', ({ askingCents, valueCents }) => (
    <Lines first={<Money cents={askingCents} />} second={`value ${moneyText(valueCents)}`} />
  )),
];

interface Need {
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

export async function readNeeds(deps: WebDeps, request: OwnRequest): Promise<readonly Need[]> {
  const [files, channels, sources] = await Promise.all([
    fileNeeds(deps, request),
    channelNeeds(deps, request),
    sourceNeeds(deps, request),
  ]);
  return [...files, ...sources, ...channels];
}

/** Files that were uploaded and not imported. */
async function fileNeeds({ accounts }: WebDeps, { who, at }: OwnRequest): Promise<readonly Need[]> {
  const drafts = await accounts.listImportDrafts(who.accountId);
  const waiting = drafts.filter(({ isDone, expiresAt }) => !isDone && expiresAt > at);
  return waiting.map(({ id, name, path }) => ({
    text: `${name} was uploaded but not imported yet.`,
    href: `${path}/${id}`,
    action: 'Check and import it',
  }));
}

async function channelNeeds({ accounts }: WebDeps, { who }: OwnRequest): Promise<readonly Need[]> {
  const channels = await accounts.listDeliveryChannels(who.accountId);
  return channels.flatMap((channel) => {
    const { state, stateReason } = channel;
    // Without a reason, its owner turned it off.
    if (state === 'active' || stateReason === null) return [];
    const text = `${channelLabel(channel)}: ${stateReason}`;
    return [{ text, href: channelPath(channel), action: 'Fix it' }];
  });
}

const standingTexts: Readonly<Record<Exclude<Standing, 'working' | 'off'>, string>> = {
  stopped: 'stopped',
  failing: 'keep failing',
  overdue: 'are overdue',
};

/** Only those who run the site can do something about sources. */
async function sourceNeeds({ sync }: WebDeps, { who, at }: OwnRequest): Promise<readonly Need[]> {
  if (!hasRole(who.role, 'operator')) return [];
  const states = await sync.listSources();
  const found = states.map(({ state }) => freshnessOf(state, at).standing);
  return (['stopped', 'failing', 'overdue'] as const).flatMap((standing) => {
    const count = found.filter((each) => each === standing).length;
    if (count === 0) return [];
    const text = `${nounText(count, 'source')} ${standingTexts[standing]}.`;
    return [{ text, href: '/operator', action: 'Look at it' }];
  });
}

export function Needs({ needs }: { readonly needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  return (
    <Card title="Needs a hand">
      <ul class="plain-list">
        {needs.map(({ text, href, action }) => (
          <li key={text}>
            {`${text} `}
            <a href={href}>{action}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
