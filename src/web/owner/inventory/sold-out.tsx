/** The lots of a collection that have no units left. */

import { countText, moneyText } from '../../../domain/kernel/format.ts';
import type { Page } from '../../../domain/kernel/page.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';
import type { WebDeps } from '../../deps.ts';
import { missingPage } from '../../kit/fault.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { lastPagePath, PagePager, pageRange } from '../../kit/pager.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../../page.ts';
import { idOf } from './lot-form.ts';

/** The page. */
export function soldOutRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'own', path: '/collections/{id}/sold', get: (request) => showSold(deps, request) },
  ];
}

async function showSold(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const { brickfolios } = await deps.accounts.findHoldings(accountId);
  const brickfolio = brickfolios.find((each) => each.id === idOf(request.params.id));
  if (!brickfolio) return missingPage(request);
  const options = { ...pageRange(request), brickfolioId: brickfolio.id };
  const page = await deps.accounts.listSoldOut(accountId, options);
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const sets = await deps.portfolio.market.findListedSets(page.rows.map((lot) => lot.setKey));
  return { page: <SoldPage request={request} brickfolio={brickfolio} page={page} sets={sets} /> };
}

function SoldPage(props: {
  readonly request: OwnRequest;
  readonly brickfolio: Brickfolio;
  readonly page: Page<OwnLot>;
  readonly sets: ReadonlyMap<string, ListedSet>;
}) {
  const { request, brickfolio, page, sets } = props;
  return (
    <Layout title={`Sold out of ${brickfolio.name}`} request={request}>
      <p>
        <a href={`/collections/${brickfolio.id}`}>What is left in {brickfolio.name}</a>
      </p>
      {page.total === 0 && <p class="quiet">No lot of this collection is sold out.</p>}
      {page.rows.length > 0 && (
        <section class="card scroll">
          <table class="cards">
            <TableHead
              columns={['Set', 'Units', 'Bought', 'Price of one']}
              numbers={['Units', 'Bought', 'Price of one']}
              action="Open"
            />
            <tbody>
              {page.rows.map((lot) => (
                <SoldRow key={lot.id} lot={lot} title={sets.get(lot.setKey)?.title} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <PagePager request={request} total={page.total} />
    </Layout>
  );
}

function SoldRow({ lot, title = lot.setNumber }: { lot: OwnLot; title?: string | undefined }) {
  return (
    <tr>
      <td data-name="Set">
        <span>
          <SetLink number={lot.setNumber} title={title} />{' '}
          {lot.condition === 'used' && <span class="badge">used</span>}
        </span>
      </td>
      <td data-name="Units" class="number">
        {countText(lot.quantity)}
      </td>
      <td data-name="Bought" class="number">
        {lot.purchaseDate}
      </td>
      <td data-name="Price of one" class="number">
        {moneyText(lot.priceCents)}
      </td>
      <td data-name="">
        <a href={`/lots/${lot.id}`}>
          Open the lot<span class="visually-hidden"> of {title}</span>
        </a>
      </td>
    </tr>
  );
}
