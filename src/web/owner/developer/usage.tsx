/** Usage: what each key spent on each of the last days, and what is left of today. */

import { type KeyUsage, leftToday } from '../../../domain/account/key-places.ts';
import type { ApiKey } from '../../../domain/account/key-store.ts';
import { isActiveKey } from '../../../domain/account/keys.ts';
import { countText, momentText } from '../../../domain/kernel/format.ts';
import { dayMs, dayOf, formatDay, nextMidnight } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { Chart, type ChartColumn } from '../../kit/chart.tsx';
import { Figure } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, PageRoute } from '../../page.ts';
import { SharedPlaceNote } from './keys.tsx';

/** The last days, today among them. */
const daysShown = 30;

/** The page about usage. */
export function usageRoutes({ accounts }: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/usage',
      get: async (request) => {
        const { who, at } = request;
        const keys = (await accounts.listKeys(who.email, at)) ?? [];
        const { days } = await accounts.findUsage(who.accountId, dayOf(at) - daysShown + 1);
        return { page: <UsagePage request={request} keys={keys} usage={days} /> };
      },
    },
  ];
}

interface UsageProps {
  readonly request: OwnRequest;
  readonly keys: readonly ApiKey[];
  readonly usage: readonly KeyUsage[];
}

function UsagePage({ request, keys, usage }: UsageProps) {
  const { at } = request;
  const active = keys.filter((key) => isActiveKey(key, at));
  const whole = sumOf(usage);
  const today = sumOf(usage.filter((row) => row.day === dayOf(at)));
  return (
    <Layout title="Usage" request={request}>
      <div class="grid">
        <Figure name="Calls today" value={countText(today)} />
        <Figure name={`Calls in ${daysShown} days`} value={countText(whole)} />
        <Figure name="Allowances begin anew" value="00:00 UTC">
          <div class="quiet">{`Next at ${momentText(nextMidnight(at))}`}</div>
        </Figure>
      </div>
      <section class="card">
        <h2>Today</h2>
        {active.length === 0 ? (
          <p class="flush">
            You have no active key. <a href="/keys">Make one</a>, and its calls are counted here.
          </p>
        ) : (
          <TodayTable keys={active} />
        )}
        {active.some((key) => key.countedToday > key.usedToday) && <SharedPlaceNote />}
      </section>
      <section class="card">
        <h2>{`The last ${daysShown} days`}</h2>
        {usage.length === 0 ? (
          <p class="flush">{`No calls were made in the last ${daysShown} days.`}</p>
        ) : (
          <UsageChart keys={keys} usage={usage} at={at} />
        )}
        <p class="quiet flush">
          Every answer costs one call, also that there is no such item; a batch costs one for each
          item. Everything else is free.
        </p>
      </section>
    </Layout>
  );
}

function sumOf(usage: readonly KeyUsage[]): number {
  return usage.reduce((sum, row) => sum + row.used, 0);
}

function TodayTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead
          columns={['Key', 'Used', 'Left', 'Daily allowance', 'Share']}
          numbers={['Used', 'Left', 'Daily allowance']}
        />
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td data-name="Key">
                <span>
                  {key.name} <code>{`${key.prefix}…`}</code>
                </span>
              </td>
              <td data-name="Used" class="number">
                {countText(key.usedToday)}
              </td>
              <td data-name="Left" class="number">
                {countText(leftToday(key))}
              </td>
              <td data-name="Daily allowance" class="number">
                {countText(key.allowance)}
              </td>
              <td data-name="Share">
                <meter
                  min={0}
                  max={key.allowance}
                  value={Math.min(key.countedToday, key.allowance)}
                  aria-label={`Share of the allowance of ${key.name} that is used`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The sum is drawn; the table has each key that was used beside it. */
function UsageChart({ keys, usage, at }: Omit<UsageProps, 'request'> & { readonly at: number }) {
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
