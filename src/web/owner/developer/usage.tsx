/** API usage by key and day. */

import { endpointCsv, endpointUsageDays } from '../../../accounts/keys/endpoint-usage.ts';
import { endpointRecords } from '../../../accounts/keys/endpoint-uses.work.ts';
import { type KeyUsage, leftToday } from '../../../accounts/keys/key-places.ts';
import { type ApiKey, isActiveKey } from '../../../accounts/keys/keys.ts';
import { dayMs, dayOf, formatDay, nextMidnight } from '../../../kernel/time.ts';
import { DownloadLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Figures } from '../../kit/card.tsx';
import { Chart } from '../../kit/chart.tsx';
import type { ChartColumn } from '../../kit/chart-data.ts';
import { column, countColumn, mainColumn } from '../../kit/columns.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { countText, durationText } from '../../kit/format.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { KeyName, SharedUsageNote } from './keys.tsx';

/** Including today. */
const daysShown = 30;

export const usageRoutes = routes('own', {
  '/usage': { get: showUsage },
  '/usage.csv': { get: sendEndpoints },
});

async function sendEndpoints({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const records = await endpointRecords(accounts, request.who, request.at);
  return csvDownload('usage-by-endpoint.csv', endpointCsv(records));
}

async function showUsage({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at } = request;
  const keys = (await accounts.listKeys(who.email, at)) ?? [];
  const { days: usage } = await accounts.findUsage(who.accountId, dayOf(at) - daysShown + 1);
  const active = keys.filter((key) => isActiveKey(key, at));
  const today = usage.filter((row) => row.day === dayOf(at));
  return (
    <Layout
      title="Usage"
      request={request}
      tabs={developerTabs}
      actions={<DownloadLink href="/usage.csv">Export by endpoint (CSV)</DownloadLink>}
    >
      <Card>
        <Figures
          figures={[
            ['Calls today', countText(sumOf(today))],
            [`Calls in ${daysShown} days`, countText(sumOf(usage))],
            ['Limits reset in', durationText(nextMidnight(at) - at), '00:00 UTC'],
          ]}
        />
      </Card>
      <Card title="Calls per day">
        {usage.length === 0 ? (
          <EmptyState
            title={`No calls in the last ${daysShown} days`}
            actions={[['/docs', 'Read the docs']]}
          >
            Calls with your API keys are counted here.
          </EmptyState>
        ) : (
          <UsageChart keys={keys} usage={usage} at={at} />
        )}
        <p class="quiet small flush">
          Every response costs one call, including 404. A batch costs one call per item. The export
          by endpoint has the last {endpointUsageDays} days; it is saved every five minutes, and can
          miss calls of a server that was killed. The numbers here are exact.
        </p>
      </Card>
      <Card title="Today by key">
        {active.length === 0 ? (
          <EmptyState title="No active API key" actions={[['/keys', 'Create a key']]} />
        ) : (
          <DataTable label="Today by key" columns={todayColumns} rows={active} />
        )}
        {active.some((key) => key.countedToday > key.usedToday) && <SharedUsageNote />}
      </Card>
    </Layout>
  );
}

function sumOf(usage: readonly KeyUsage[]): number {
  return usage.reduce((sum, row) => sum + row.used, 0);
}

const todayColumns: readonly Column<ApiKey>[] = [
  mainColumn('Key', (key) => <KeyName shown={key} />),
  countColumn('Used', ({ usedToday }) => usedToday),
  countColumn('Left', (key) => leftToday(key)),
  countColumn('Daily limit', ({ allowance }) => allowance),
  column('Share used', (key) => (
    <meter
      min={0}
      max={key.allowance}
      value={Math.min(key.countedToday, key.allowance)}
      aria-label={`Share of the daily limit of ${key.name} that is used`}
    />
  )),
];

/** A chart of all calls; its table also has a column for each key. */
function UsageChart(props: {
  readonly keys: readonly ApiKey[];
  readonly usage: readonly KeyUsage[];
  readonly at: number;
}) {
  const { keys, usage, at } = props;
  const used = new Set(usage.map((row) => row.keyId));
  const shown = [
    ...keys
      .filter((key) => used.has(key.id))
      .map((key) => ({ id: key.id, name: `${key.name} (${key.prefix}…)` })),
    ...(used.has(null) ? [{ id: null, name: 'Keys no longer listed' }] : []),
  ];
  const byDay = Map.groupBy(usage, (row) => row.day);
  const first = dayOf(at) - daysShown + 1;
  const rows = Array.from({ length: daysShown }, (_, index) => {
    const spent = new Map((byDay.get(first + index) ?? []).map((row) => [row.keyId, row.used]));
    const each = shown.map((key) => spent.get(key.id) ?? 0);
    const values = [each.reduce((sum, count) => sum + count, 0), ...each];
    return { at: formatDay((first + index) * dayMs), values };
  });
  const columns: ChartColumn[] = [
    { name: 'Calls', look: 'bar', show: countText },
    ...shown.map(({ name }) => ({ name, look: 'none', show: countText }) as const),
  ];
  return <Chart id="usage" caption="Calls per day" unit="count" columns={columns} rows={rows} />;
}
