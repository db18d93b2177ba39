/** The page of a minifig. */

import { readEffects } from '../../accounts/grade-effects.ts';
import type { SetSearchResult } from '../../contract/catalog.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { statusOf, untyped } from '../kit/fields.tsx';
import { Figures } from '../kit/figure.tsx';
import { nounText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { listOpenLots } from '../owner/sales/sale-origin.ts';
import { readWatching, WatchButton } from '../owner/watchlist/watch-item.tsx';
import type { PageAnswer, PageRequest } from '../page.ts';
import { openPages } from '../page-table.ts';
import { aboutSet, ItemLinks, type LinkedItem, missingItem } from './item-cards.tsx';
import { ItemHead, SignInCard } from './item-head.tsx';
import { InventoryCard } from './item-inventory.tsx';
import { MaxBuyFigure, PayCard, readPay } from './item-pay.tsx';
import { ValueBlock } from './item-value.tsx';
import { conditionOf, minifigWorth } from './item-worth.ts';

export const minifigRoutes = openPages({ '/minifigs/{number}': { get: showMinifig } });

async function showMinifig(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const number = request.params.number ?? '';
  const key = itemKey('minifig', number);
  const body = await deps.findDocument('minifig', key);
  if (body === null) return missingItem(request, { kind: 'minifig', number });
  const minifig: MinifigRecord = JSON.parse(body);
  // Numbers of other catalogs redirect here.
  if (minifig.minifig_number !== number) {
    return { goTo: itemPath('minifig', minifig.minifig_number) };
  }
  deps.noteLookUp('minifig', key);
  const { market } = deps;
  const [sets, evidence, pay, watching, lots] = await Promise.all([
    findSets(deps, minifig),
    request.who ? market.findEvidence('minifig', key) : null,
    readPay(deps, request, { kind: 'minifig', number }),
    readWatching(deps, request, { kind: 'minifig', number }),
    request.who ? listOpenLots(deps, request.who.accountId, { kind: 'minifig', number }) : [],
  ]);
  const worthIn = (condition: Condition) =>
    minifigWorth(minifig, condition, evidence?.evidence ?? null);
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
            worth={worthIn(conditionOf('minifig', request.query))}
            found={evidence}
          >
            <Figures>
              <MaxBuyFigure pay={pay} />
            </Figures>
            <div class="row">
              <a class="button" href={withQuery('/inventory/add', { minifig: number })}>
                Add to inventory
              </a>
              <WatchButton request={request} watching={watching} />
            </div>
          </ValueBlock>
        ) : (
          <SignInCard request={request} />
        )}
      </ItemHead>
      {request.who && <PayCard pay={pay} />}
      {
        await ownCard(deps, {
          number,
          lots,
          now: { sealed: worthIn('sealed'), used: worthIn('used') },
        })
      }
      <ItemLinks title="Sets with this minifig" kind="set" items={sets} />
    </Layout>
  );
  return { page, status: statusOf(pay?.typed ?? untyped) };
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
