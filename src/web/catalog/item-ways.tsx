/** Ways to sell a set, compared: sealed, used, without its minifigs, and in parts. */

import { tablesOf } from '../../buying/prices/buying-settings.ts';
import { sellingChannelName } from '../../buying/prices/selling-channels.ts';
import { type FoundWays, findWays } from '../../buying/ways/find-ways.work.ts';
import {
  noBestTexts,
  noWayTexts,
  wayAssumptionTexts,
  wayTexts,
} from '../../buying/ways/way-words.ts';
import { assumedIn, type SoldLine, type Way } from '../../buying/ways/ways.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { itemPath, withQuery } from '../kit/address.ts';
import { Badge, Card } from '../kit/card.tsx';
import { column, Lines, mainColumn, moneyColumn, numberColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { conditionNames, decimalText, moneyText, nounText, waitText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import { Missing, Money } from '../kit/money.tsx';
import type { PageRequest, WebDeps } from '../page.ts';

/** By key; empty without the Reseller plan. */
export async function readWays(
  deps: WebDeps,
  { who, at }: Pick<PageRequest, 'who' | 'at'>,
  sets: readonly { readonly number: string; readonly condition: Condition }[],
): Promise<(FoundWays | null)[]> {
  if (who?.plan !== 'reseller' || sets.length === 0) return sets.map(() => null);
  const work = await deps.accounts.findBuyingSettings(who.accountId);
  const tables = tablesOf(deps.site.tables, work);
  const keysIn = (condition: Condition) =>
    sets.flatMap((set) => (set.condition === condition ? [itemKey('set', set.number)] : []));
  const find = (condition: Condition) =>
    findWays(deps.market, keysIn(condition), { condition, tables, work, at });
  const [sealed, used] = await Promise.all([find('sealed'), find('used')]);
  const found = { sealed, used };
  return sets.map(({ number, condition }) => found[condition].get(itemKey('set', number)) ?? null);
}

export function WaysCard({
  found,
  condition,
}: {
  readonly found: FoundWays | null;
  readonly condition: Condition;
}) {
  if (found === null) {
    return (
      <Card title="Ways to sell" id="ways">
        <p class="quiet">Ways to sell compared are part of the Reseller plan.</p>
      </Card>
    );
  }
  const { ways, missing, best } = found;
  const assumed = assumedIn(ways);
  const why = missing.map(({ name, reason }) => `${wayTexts[name]}: ${noWayTexts[reason]}`);
  return (
    <Card title="Ways to sell" id="ways" actions={<a href="/account/buying#work">Your work</a>}>
      <p class={best ? undefined : 'quiet'}>{verdict(found, condition)}</p>
      {ways.length > 0 && <DataTable label="Ways to sell" columns={wayColumns(best)} rows={ways} />}
      {why.length > 0 && <p class="quiet">{`Not compared: ${why.join('; ')}.`}</p>}
      {ways.length > 0 && <WayDetails ways={ways} />}
      {assumed.length > 0 && (
        <details>
          <summary>What is assumed</summary>
          <ul>
            {assumed.map((each) => (
              <li key={each}>{wayAssumptionTexts[each]}</li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

const bestTexts: Readonly<Record<Way['name'], string>> = {
  sealed: 'sell it sealed',
  used: 'sell it used and complete',
  minifigs: 'sell the minifigs apart',
  parts: 'part it out',
};

function verdict({ best, noBestReason }: FoundWays, condition: Condition): string {
  const owned = condition === 'sealed' ? 'a sealed set' : 'a used, complete set';
  if (best) {
    const net = `${moneyText(best.netCents)} after fees, shipping and work`;
    return `With ${owned}, ${bestTexts[best.name]}: ${net}.`;
  }
  return noBestReason ? noBestTexts[noBestReason] : 'No way to sell it has a value yet.';
}

function wayColumns(best: Way | null): readonly Column<Way>[] {
  return [
    mainColumn('Way', (way) => (
      <span>
        {wayTexts[way.name]} {way === best && <Badge kind="good">Best</Badge>}
        {way.tier === 'modeled' && <Badge>Estimated</Badge>}
      </span>
    )),
    moneyColumn('Revenue', ({ revenueCents }) => revenueCents),
    moneyColumn('Fees', ({ feesCents }) => feesCents),
    moneyColumn('Shipping', ({ postageCents }) => postageCents),
    numberColumn('Work', ({ hours, workCents }) => (
      <Lines first={<Money cents={workCents} />} second={hoursText(hours)} />
    )),
    numberColumn('Net', ({ netCents, uncertaintyCents }) => (
      <Lines
        first={<Money cents={netCents} />}
        second={`± ${moneyText(100 * Math.round(uncertaintyCents / 100))}`}
      />
    )),
    numberColumn('Half the money in', ({ halfDays }) => timeCell(halfDays)),
    numberColumn('Nine tenths in', ({ mostDays }) => timeCell(mostDays)),
  ];
}

function hoursText(hours: number): string {
  return hours === 1 ? '1 hour' : `${decimalText(hours, hours % 1 === 0 ? 0 : 1)} hours`;
}

function timeCell(days: number | null) {
  return days === null ? <Missing reason="Unknown" /> : waitText(days);
}

/** The items sold in each way with minifigs, and their channels. */
function WayDetails({ ways }: { readonly ways: readonly Way[] }) {
  const split = ways.find(({ name }) => name === 'minifigs');
  if (!split) return null;
  const figures = split.sold.filter(({ minifig }) => minifig !== null).length;
  const percent = Math.round(100 * (split.restShare ?? 0));
  return (
    <details>
      <summary>{`${nounText(figures, 'minifig')}${percent > 0 ? ' and the rest' : ''}`}</summary>
      <DataTable label="Minifigs and the rest" columns={partColumns} rows={split.sold} />
      <p class="quiet">
        {percent > 0
          ? `The rest counts as ${percent}% of the used value.`
          : 'The rest counts as nothing.'}
      </p>
    </details>
  );
}

const partColumns: readonly Column<SoldLine>[] = [
  mainColumn('Item', ({ minifig }) =>
    minifig === null ? (
      'Set without minifigs'
    ) : (
      <ItemCell kind="minifig" number={minifig.number} name={minifig.title} />
    ),
  ),
  column('Channel', ({ channel }) => sellingChannelName(channel)),
  moneyColumn('Price', ({ priceCents }) => priceCents),
  moneyColumn('Fees', ({ feesCents }) => feesCents),
  moneyColumn('Shipping', ({ postageCents }) => postageCents),
  moneyColumn('Net', ({ priceCents, feesCents, postageCents }) => {
    return priceCents - feesCents - postageCents;
  }),
];

/** A set in a box, and the ways to sell it. */
export interface SetWays {
  readonly number: string;
  readonly title: string;
  readonly condition: Condition;
  readonly found: FoundWays;
}

/** Whether to take the sets of a box apart. */
export function BoxWaysCard({ sets }: { readonly sets: readonly SetWays[] }) {
  if (sets.length === 0) return null;
  return (
    <Card
      title="Take apart or not"
      id="ways"
      actions={<a href="/account/buying#work">Your work</a>}
    >
      <DataTable label="Ways to sell by set" columns={boxColumns} rows={sets} />
      <p class="quiet">
        After fees, shipping and work. A way is named only if it beats the next by more than their
        uncertainty.
      </p>
    </Card>
  );
}

/** The net of a way, or why it has none. */
function netColumn(name: string, wayOf: (set: SetWays) => Way['name']): Column<SetWays> {
  return numberColumn(name, (set) => {
    const way = set.found.ways.find((each) => each.name === wayOf(set));
    const reason = set.found.missing.find((each) => each.name === wayOf(set))?.reason;
    return way ? (
      <Money cents={way.netCents} />
    ) : (
      <Missing reason={noWayTexts[reason ?? 'no_value']} />
    );
  });
}

const boxColumns: readonly Column<SetWays>[] = [
  mainColumn('Set', ({ number, title, condition }) => (
    <ItemCell
      kind="set"
      number={number}
      name={title}
      about={conditionNames[condition]}
      href={`${withQuery(itemPath('set', number), {
        condition: condition === 'sealed' ? '' : condition,
      })}#ways`}
    />
  )),
  netColumn('Whole', ({ condition }) => condition),
  netColumn('Minifigs apart', () => 'minifigs'),
  netColumn('Part out', () => 'parts'),
  column('Best', ({ found: { best, noBestReason } }) => {
    if (best) return wayTexts[best.name];
    return noBestReason === 'all_lose' ? 'Loses money each way' : 'No clear winner';
  }),
];
