/** The overview: what the collection is worth, how it did, and what happened lately. */
import { type Analytics, analyticsOf, readPositions } from '../../../accounts/analytics.ts';
import { type Performance, performanceOf } from '../../../accounts/performance.ts';
import { readRetailWatch } from '../../../accounts/retail-watch.ts';
import type { RetailRow } from '../../../contract/retail.ts';
import type { ApiKey } from '../../../domain/account/key-store.ts';
import { isActiveKey } from '../../../domain/account/keys.ts';
import { yieldToEventLoop } from '../../../domain/kernel/event-loop.ts';
import {
  countText,
  gainText,
  momentText,
  moneyText,
  percentText,
} from '../../../domain/kernel/format.ts';
import { toUsd } from '../../../domain/kernel/money.ts';
import { dayMs, formatDay, parseInstant } from '../../../domain/kernel/time.ts';
import { type Period, periods } from '../../../domain/portfolio/periods.ts';
import type { WebDeps } from '../../deps.ts';
import { Chart, type ChartColumn } from '../../kit/chart.tsx';
import { Figure, signClass } from '../../kit/figures.tsx';
import { gainPercentText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../../page.ts';

/** Price changes that are shown, and how old they may be. */
const changesShown = 5;
const changesMs = 30 * dayMs;

/** Everything that the overview shows. */
interface Overview {
  readonly period: Period;
  readonly analytics: Analytics;
  readonly performance: Performance;
  readonly keys: readonly ApiKey[];
  /** Latest first. */
  readonly changes: readonly RetailChange[];
}

/** A price that changed at a retailer, of a set that is held. */
interface RetailChange {
  readonly setNumber: string;
  readonly name: string;
  /** The retailer's display name. */
  readonly retailer: string;
  readonly at: number;
  /** In dollars, as documents write them; null when there is no offer now. */
  readonly price: number | null;
  readonly change: number;
  readonly isLowest: boolean;
  readonly paidCents: number | null;
}

/** The page that whoever signs in comes to. */
export function overviewRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/overview', get: (request) => showOverview(deps, request) }];
}

async function showOverview(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at, query } = request;
  const period = periods.find((known) => known === query.get('period')) ?? '30d';
  const when = { period, at };
  const [lines, sales, changes, keys] = await Promise.all([
    readPositions(deps.portfolio, who.accountId),
    deps.accounts.listSaleResults(who.accountId),
    readChanges(deps, request),
    deps.accounts.listKeys(who.email, at),
  ]);
  await yieldToEventLoop();
  const analytics = await analyticsOf(deps.portfolio, lines, when);
  await yieldToEventLoop();
  const performance = performanceOf(lines, sales, when);
  const overview = { period, analytics, performance, changes, keys: keys ?? [] };
  return { page: <OverviewPage request={request} overview={overview} /> };
}

/** The latest changes are among the rows that changed last, two in each at most. */
async function readChanges(
  { portfolio, retailerNames }: WebDeps,
  { who, at }: OwnRequest,
): Promise<RetailChange[]> {
  const options = { changedSince: at - changesMs, asinKeys: null, barcodeKeys: null };
  const rows = (await readRetailWatch(portfolio, who.accountId, options)).slice(0, changesShown);
  const changes = rows.flatMap(({ record, paidCents }) => {
    const row: RetailRow = JSON.parse(record.body);
    return (['retailer_a', 'retailer_b'] as const).flatMap((retailer) => {
      const { changedAt, lastChange, price, atLowest } = row[retailer];
      const changed = changedAt === null ? null : parseInstant(changedAt);
      if (changed === null || lastChange === null || changed < options.changedSince) return [];
      return {
        setNumber: row.setNumber,
        name: row.name,
        retailer: retailerNames[retailer],
        at: changed,
        price,
        change: lastChange,
        isLowest: atLowest,
        paidCents,
      };
    });
  });
  return changes.sort((a, b) => b.at - a.at).slice(0, changesShown);
}

const periodNames = { '30d': '30 days', '90d': '90 days', '1y': 'a year' } as const;

/** The page. */
function OverviewPage(props: { readonly request: OwnRequest; readonly overview: Overview }) {
  const { request, overview } = props;
  const { analytics } = overview;
  const isEmpty =
    analytics.total.itemCount === 0 && analytics.points.every((point) => point.costCents === 0);
  return (
    <Layout title="Overview" request={request}>
      {isEmpty ? <FirstSteps /> : <Holdings overview={overview} />}
      <div class="grid">
        <UsageToday request={request} keys={overview.keys} />
        {!isEmpty && <Extremes analytics={analytics} />}
      </div>
      {!isEmpty && <Changes changes={overview.changes} />}
    </Layout>
  );
}

function FirstSteps() {
  return (
    <section class="card">
      <h2>Your collection is empty</h2>
      <p>
        Add the sets you have, and this page shows what they are worth, how that changes, and when
        retailers change their prices.
      </p>
      <p class="row flush">
        <a class="button" href="/collections">
          Add sets or import a file
        </a>
        <a class="button plain" href="/themes">
          Look around by theme
        </a>
      </p>
    </section>
  );
}

function Holdings({ overview }: { readonly overview: Overview }) {
  const { total } = overview.analytics;
  return (
    <>
      <div class="grid">
        <Figure name="Value" value={moneyText(total.valueCents)}>
          <div class="quiet">
            {`${countText(total.itemCount)} units of ${countText(total.setCount)} sets`}
          </div>
        </Figure>
        <Figure name="Cost" value={moneyText(total.costCents)}>
          <div class="quiet">what is held was bought for</div>
        </Figure>
        <Figure name="Unrealised gain" value={gainText(total.gainCents)} sign={total.gainCents}>
          <div class={signClass(total.gainCents)}>{gainPercentText(total)}</div>
        </Figure>
      </div>
      <ValueOverTime overview={overview} />
      <Returns overview={overview} />
    </>
  );
}

const valueColumns: readonly ChartColumn[] = [
  { name: 'Value', look: 'line', tone: 'series-1', show: (usd) => moneyText(cents(usd)) },
  { name: 'Cost', look: 'dashed', tone: 'quiet', show: (usd) => moneyText(cents(usd)) },
];

function cents(usd: number): number {
  return Math.round(usd * 100);
}

function ValueOverTime({ overview }: { readonly overview: Overview }) {
  const { period, analytics } = overview;
  const rows = analytics.points.map((point) => ({
    at: formatDay(point.day * dayMs),
    values: [toUsd(point.valueCents), toUsd(point.costCents)],
  }));
  const caption = `Value and cost over ${periodNames[period]}`;
  return (
    <section class="card">
      <div class="heading">
        <h2>Value over time</h2>
        <nav class="choices" aria-label="Period">
          {periods.map((name) => (
            <a
              key={name}
              class={name === period ? 'choice chosen' : 'choice'}
              href={`/overview?period=${name}`}
              aria-current={name === period ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
      <Chart id="value" caption={caption} unit="usd" columns={valueColumns} rows={rows} />
    </section>
  );
}

function Returns({ overview }: { readonly overview: Overview }) {
  const { period, performance } = overview;
  const { realizedGainCents, unrealizedChangeCents } = performance;
  const percent = (ratio: number | null) => (ratio === null ? null : ratio * 100);
  return (
    <section class="card">
      <h2>{`Returns over ${periodNames[period]}`}</h2>
      <dl class="facts long">
        <dt>Your sets made</dt>
        <dd>
          <strong>{percentText(percent(performance.timeWeightedReturn))}</strong>{' '}
          <span class="quiet">time-weighted, whenever they were bought or sold</span>
        </dd>
        <dt>Your money made</dt>
        <dd>
          <strong>{percentText(percent(performance.moneyWeightedReturn))}</strong>{' '}
          <span class="quiet">a year, money-weighted (XIRR)</span>
        </dd>
        <dt>Realised gain</dt>
        <dd class={signClass(realizedGainCents)}>{gainText(realizedGainCents)}</dd>
        <dt>Change of the unrealised gain</dt>
        <dd class={signClass(unrealizedChangeCents)}>{gainText(unrealizedChangeCents)}</dd>
      </dl>
    </section>
  );
}

function UsageToday(props: { readonly request: OwnRequest; readonly keys: Overview['keys'] }) {
  const { request, keys } = props;
  const active = keys.filter((key) => isActiveKey(key, request.at));
  if (active.length === 0) {
    return (
      <section class="card">
        <div class="figure-name">API calls today</div>
        <p class="flush">
          You have no key. <a href="/keys">Make one</a> to use values in your own programs.
        </p>
      </section>
    );
  }
  const used = keys.reduce((sum, key) => sum + key.usedToday, 0);
  const allowance = active.reduce((sum, key) => sum + key.allowance, 0);
  return (
    <Figure name="API calls today" value={countText(used)}>
      <div class="quiet">
        {`of ${countText(allowance)} until 00:00 UTC · `}
        <a href="/usage">Usage</a>
      </div>
    </Figure>
  );
}

function Extremes({ analytics }: { readonly analytics: Overview['analytics'] }) {
  const { gainer, loser, sets } = analytics;
  const rows = [
    {
      name: 'Gained most',
      gain: gainer,
      none: 'No set that you paid for is worth more than it cost.',
    },
    { name: 'Lost most', gain: loser, none: 'Nothing is worth less than it cost.' },
  ];
  return (
    <>
      {rows.map(({ name, gain, none }) => {
        if (!gain) {
          return (
            <section class="card" key={name}>
              <div class="figure-name">{name}</div>
              <p class="flush">{none}</p>
            </section>
          );
        }
        const set = sets.get(gain.setKey);
        const { gainPct, gainCents } = gain.gain;
        return (
          <Figure key={name} name={name} value={percentText(gainPct)} sign={gainPct}>
            <div>
              <SetLink number={set?.number ?? gain.setKey} title={set?.title ?? ''} />{' '}
              <span class="quiet">{gainText(gainCents)}</span>
            </div>
          </Figure>
        );
      })}
    </>
  );
}

function SetLink({ number, title }: { readonly number: string; readonly title: string }) {
  return <a href={`/sets/${encodeURIComponent(number)}`}>{`${number} ${title}`.trim()}</a>;
}

function Changes({ changes }: { readonly changes: readonly RetailChange[] }) {
  return (
    <section class="card">
      <h2>Latest retail prices of what you hold</h2>
      {changes.length === 0 ? (
        <p class="flush">No price of a set that you hold changed in the last 30 days.</p>
      ) : (
        <div class="scroll">
          <table class="cards">
            <TableHead
              columns={['Set', 'Retailer', 'Price', 'Change', 'You paid', 'When']}
              numbers={['Price', 'Change', 'You paid']}
            />
            <tbody>
              {changes.map((change) => (
                <ChangeRow key={`${change.setNumber} ${change.retailer}`} shown={change} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="flush">
        <a href="/retail">All of them: retail watch</a>
      </p>
    </section>
  );
}

function ChangeRow({ shown }: { readonly shown: RetailChange }) {
  const { price, change } = shown;
  return (
    <tr>
      <td data-name="Set">
        <SetLink number={shown.setNumber} title={shown.name} />
      </td>
      <td data-name="Retailer">{shown.retailer}</td>
      <td data-name="Price" class="number">
        <span>
          {shown.isLowest && <span class="badge">all-time low</span>}{' '}
          {price === null ? 'no offer' : moneyText(cents(price))}
        </span>
      </td>
      <td data-name="Change" class="number">
        {gainText(cents(change))}
      </td>
      <td data-name="You paid" class="number">
        {moneyText(shown.paidCents)}
      </td>
      <td data-name="When">{momentText(shown.at)}</td>
    </tr>
  );
}
