/** What a unit of a lot would bring on each platform today. */

import { type SellingOption, sellingOptions } from '../../domain/fees/selling-options.ts';
import { centsMax, percentOf } from '../../domain/kernel/money.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { ListedSet } from '../../domain/market/market-reading.ts';
import { unitValueCents } from '../../domain/portfolio/holdings.ts';
import type { OwnLot } from '../../domain/portfolio/lot-store.ts';
import { looseMoney } from '../../ingest/loose.ts';
import type { WebDeps } from '../deps.ts';
import { Field, type Typed } from '../fields.tsx';
import { signClass } from '../figures.tsx';
import { readSet } from '../find-set.ts';
import { gainText, moneyText, percentText } from '../format.ts';
import { Layout } from '../layout.tsx';
import { SetLink } from '../links.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../page.ts';
import { Presets } from '../sale-form.tsx';
import { TableHead } from '../table-head.tsx';
import { amountText } from '../typed-fields.ts';
import { missingPage } from './fault.tsx';
import { findOwnLot } from './lot.tsx';

/** The page that compares platforms. */
export function whereToSellRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/lots/{id}/sell', get: (request) => showWays(deps, request) }];
}

/** Nobody has been asked, so that nothing is known. */
const unknownBox = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

async function showWays(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, request);
  if (!lot) return missingPage(request);
  const set = (await deps.portfolio.market.findListedSets([lot.setKey])).get(lot.setKey) ?? null;
  const known = await readSet(deps, lot.setNumber);
  const faults: Record<string, string> = {};
  const amount = (name: string, otherwise: number): number => {
    const text = request.query.get(name)?.trim() ?? '';
    if (text === '') return otherwise;
    const { cents, currency } = looseMoney(text) ?? { cents: -1, currency: null };
    const isGood = cents >= 0 && cents <= centsMax && (currency ?? 'USD') === 'USD';
    if (!isGood) faults[name] = `'${text}' is not an amount in dollars; write it like 119.99.`;
    return isGood ? cents : otherwise;
  };
  const priceCents = amount('price', unitValueCents(set, lot.condition) ?? lot.priceCents);
  const shippingCents = amount('shipping', 0);
  const ways = sellingOptions({
    priceCents,
    shippingCents,
    at: request.at,
    // Of what is not sealed, the box may be gone.
    box: (lot.condition === 'sealed' && known?.box) || unknownBox,
  });
  const typed = { values: Object.fromEntries(request.query), faults };
  const props = { request, lot, set, ways, typed, priceCents, shippingCents };
  return { page: <WaysPage {...props} />, status: Object.keys(faults).length > 0 ? 400 : 200 };
}

interface WaysProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  readonly set: ListedSet | null;
  readonly ways: readonly SellingOption[];
  readonly typed: Typed;
  readonly priceCents: number;
  readonly shippingCents: number;
}

function WaysPage(props: WaysProps) {
  const { request, lot, set, ways, typed, priceCents, shippingCents } = props;
  const title = set?.title ?? lot.setNumber;
  const hasValue = unitValueCents(set, lot.condition) !== null;
  return (
    <Layout title={`Where to sell ${title}`} request={request}>
      <p class="row">
        <a href={`/lots/${lot.id}`}>Back to the lot</a>
        <SetLink number={set?.number ?? lot.setNumber} title={title} />
        {lot.condition === 'used' && <span class="badge">used</span>}
      </p>
      <section class="card">
        <form class="stack" action={`/lots/${lot.id}/sell`}>
          <div class="form-grid">
            <Field
              name="price"
              label="If one sells for, in $"
              typed={typed}
              value={amountText(priceCents)}
              inputmode="decimal"
              hint={hasValue ? 'Its value today, unless you change it.' : 'What it cost you.'}
            />
            <Field
              name="shipping"
              label="Sending it costs you, in $"
              typed={typed}
              value={amountText(shippingCents)}
              inputmode="decimal"
            />
          </div>
          <button class="plain" type="submit">
            Compare
          </button>
        </form>
      </section>
      <Ways lot={lot} ways={ways} />
      <Presets day={formatDay(request.at)} />
      <p>
        <a class="button" href={`/lots/${lot.id}/sale`}>
          Record a sale
        </a>
      </p>
    </Layout>
  );
}

function Ways({ lot, ways }: Pick<WaysProps, 'lot' | 'ways'>) {
  return (
    <section class="card scroll">
      <h2>What is left of it</h2>
      <table class="cards">
        <TableHead
          columns={['Platform', 'Fees', 'Shipping', 'You get', 'Profit']}
          numbers={['Fees', 'Shipping', 'You get', 'Profit']}
        />
        <tbody>
          {ways.map((way) => (
            <tr key={way.name}>
              <td data-name="Platform">{way.name}</td>
              <td data-name="Fees" class="number">
                {way.feesCents === null ? 'the box is not known' : moneyText(way.feesCents)}
              </td>
              <td data-name="Shipping" class="number">
                {moneyText(way.shippingCents)}
              </td>
              <td data-name="You get" class="number">
                {moneyText(way.netCents)}
              </td>
              <td data-name="Profit" class="number">
                <Profit netCents={way.netCents} costCents={lot.priceCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Profit(props: { readonly netCents: number | null; readonly costCents: number }) {
  const { netCents, costCents } = props;
  if (netCents === null) return <span>–</span>;
  const profit = netCents - costCents;
  const percent = costCents === 0 ? null : percentOf(profit, costCents);
  return (
    <span class={signClass(profit)}>
      {gainText(profit)} ({percentText(percent)})
    </span>
  );
}
