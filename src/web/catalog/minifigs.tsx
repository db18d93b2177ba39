/** The page of a minifig. */

import { itemKey } from '../../catalog/items/numbers.ts';
import type { SetSearchResult } from '../../contract/catalog.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { SetValues } from '../../market/values/set-values.ts';
import { readEffects } from '../../portfolio/returns/grade-effects.work.ts';
import { itemPath, withQuery } from '../kit/address.ts';
import { ButtonLink } from '../kit/buttons.tsx';
import { statusOf, untyped } from '../kit/fields.tsx';
import { nounText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { listOpenLots } from '../owner/sales/sale-origin.ts';
import { readWatching, WatchButton } from '../owner/watchlist/watch-item.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { aboutSet, ItemLinks, type LinkedItem, missingItem } from './item-cards.tsx';
import { ItemChartCard, type ItemPast, tradesMax } from './item-chart.tsx';
import { readComparison } from './item-compare.tsx';
import { ItemHead, SignInCard } from './item-head.tsx';
import { InventoryCard } from './item-inventory.tsx';
import { maxBuyFigure, type Pay, PayCard, readPay } from './item-pay.tsx';
import { ValueBlock } from './item-value.tsx';
import { conditionOf, minifigWorth } from './item-worth.ts';

export const minifigRoutes = routes('open', { '/minifigs/{number}': { get: showMinifig } });

async function showMinifig(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const number = request.params.number ?? '';
  const key = itemKey('minifig', number);
  const body = await deps.cache.findDocument('minifig', key);
  if (body === null) return missingItem(request, { kind: 'minifig', number });
  const minifig: MinifigRecord = JSON.parse(body);
  // Numbers of other catalogs redirect here.
  if (minifig.minifig_number !== number) {
    return { goTo: itemPath('minifig', minifig.minifig_number) };
  }
  deps.cache.noteLookUp('minifig', key);
  const [sets, evidence, pay, watching, lots, [values], trades, comparison] = await Promise.all([
    findSets(deps, minifig),
    request.who ? deps.market.findEvidence('minifig', key) : null,
    readPay(deps, request, { kind: 'minifig', number }),
    readWatching(deps, request, { kind: 'minifig', number }),
    request.who ? listOpenLots(deps, request.who.accountId, { kind: 'minifig', number }) : [],
    deps.portfolio.market.findItemValues('minifig', [key]),
    request.who ? listTrades(deps, key, request.who.accountId) : null,
    readComparison(deps, request, { kind: 'minifig', number, theme: null }),
  ]);
  const worthIn = (condition: Condition) =>
    minifigWorth(minifig, condition, evidence?.evidence ?? null);
  const now = { sealed: worthIn('sealed'), used: worthIn('used') };
  const { name, category, color = null, year_released: year } = minifig;
  const page = (
    <Layout title={`${number} ${name}`} request={request} hasOwnTitle>
      <ItemHead
        kind="minifig"
        number={number}
        name={name}
        about={[category, color, year, `in ${nounText(minifig.set_count, 'set')}`]}
      >
        {request.who ? (
          <ValueBlock
            request={request}
            worth={now[conditionOf('minifig', request.query)]}
            found={evidence}
            figures={[maxBuyFigure(pay)]}
          >
            <div class="row">
              <ButtonLink href={withQuery('/inventory/add', { minifig: number })}>
                Add to inventory
              </ButtonLink>
              <WatchButton watching={watching} />
            </div>
          </ValueBlock>
        ) : (
          <SignInCard request={request} />
        )}
      </ItemHead>
      {trades && (
        <ItemChartCard
          request={request}
          past={pastOf(values, { now, pay, trades, query: request.query })}
          comparison={comparison}
        />
      )}
      {request.who && <PayCard pay={pay} />}
      {await ownCard(deps, { number, lots, now })}
      <ItemLinks title="Sets with this minifig" kind="set" items={sets} />
    </Layout>
  );
  const status = Math.max(statusOf(pay?.typed ?? untyped), statusOf(comparison.typed));
  return { page, status };
}

/** The user's trades under any of its numbers. */
async function listTrades({ market, accounts }: WebDeps, key: string, accountId: number) {
  const { minifig: keys } = await market.findAllKeys({ set: [], minifig: [key] });
  return accounts.listItemTrades(accountId, { kind: 'minifig', keys }, tradesMax);
}

/** A minifig has no months, only the values that were published. */
function pastOf(
  values: SetValues | null | undefined,
  {
    now,
    pay,
    trades,
    query,
  }: Pick<ItemPast, 'trades'> & {
    readonly now: ItemPast['history']['now'];
    readonly pay: Pay | null;
    readonly query: URLSearchParams;
  },
): ItemPast {
  const early = values?.early ?? { sealed: [], used: [] };
  return {
    history: { series: { sealed: null, used: null }, early, restatements: [], now },
    condition: conditionOf('minifig', query),
    retail: [],
    listCents: null,
    maxBuyCents: pay?.answer.maxBuyCents ?? null,
    trades,
  };
}

async function findSets({ market }: WebDeps, { sets }: MinifigRecord): Promise<LinkedItem[]> {
  const keys = sets.map((set) => itemKey('set', set));
  const rows = await market.findSearchRows('set', keys);
  const found = rows.map((row): SetSearchResult => JSON.parse(row));
  const known = new Map(found.map((set) => [set.set_number, set]));
  return sets.map((number) => {
    const set = known.get(number);
    return { number, name: set?.title ?? number, about: set ? aboutSet(set) : null };
  });
}

async function ownCard(
  deps: WebDeps,
  props: Omit<Parameters<typeof InventoryCard>[0], 'kind' | 'effects'>,
) {
  const effects = await readEffects(deps.portfolio.market, props.lots);
  return <InventoryCard kind="minifig" {...props} effects={effects} />;
}
