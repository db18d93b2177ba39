/** What a unit of a lot would bring on each platform today. */

import {
  channelName,
  feesOf,
  type NetSum,
  netOf,
  type SellingChannel,
  sellingChannels,
} from '../../domain/buying/channels.ts';
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
  const shippingText = request.query.get('shipping')?.trim() ?? '';
  const postageCents = shippingText === '' ? null : amount('shipping', 0);
  const parcel = {
    // Of what is not sealed, the box may be gone.
    box: (lot.condition === 'sealed' && known?.box) || unknownBox,
    pieces: known?.pieces ?? null,
  };
  const sale = { priceCents, parcel, at: request.at, postageCents, waitDays: null };
  const ways = sellingChannels
    .map((channel) => ({ channel, sum: netOf(deps.tables, { ...sale, channel }) }))
    .sort((a, b) => netOrNothing(b) - netOrNothing(a));
  const typed = { values: Object.fromEntries(request.query), faults };
  const props = { request, lot, set, ways, typed, priceCents, postageCents, tables: deps.tables };
  return { page: <WaysPage {...props} />, status: Object.keys(faults).length > 0 ? 400 : 200 };
}

/** A way to sell, and what is left; null where that cannot be told. */
interface Way {
  readonly channel: SellingChannel;
  readonly sum: NetSum | null;
}

/** What is not known comes last. */
function netOrNothing({ sum }: Way): number {
  return sum?.netCents ?? Number.NEGATIVE_INFINITY;
}

interface WaysProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  readonly set: ListedSet | null;
  readonly ways: readonly Way[];
  readonly typed: Typed;
  readonly priceCents: number;
  /** What sending it costs, where it was typed. */
  readonly postageCents: number | null;
  readonly tables: WebDeps['tables'];
}

function WaysPage(props: WaysProps) {
  const { request, lot, set, ways, typed, priceCents, postageCents, tables } = props;
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
              value={postageCents === null ? '' : amountText(postageCents)}
              inputmode="decimal"
              hint="Empty: by box and weight."
            />
          </div>
          <button class="plain" type="submit">
            Compare
          </button>
        </form>
      </section>
      <Ways lot={lot} ways={ways} />
      <Presets table={tables.fees} day={formatDay(request.at)} />
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
          {ways.map(({ channel, sum }) => (
            <tr key={channel}>
              <td data-name="Platform">{channelName(channel)}</td>
              <td data-name="Fees" class="number">
                {sum === null ? 'the box is not known' : moneyText(feesOf(sum))}
              </td>
              <td data-name="Shipping" class="number">
                {moneyText(sum?.postageCents ?? null)}
                {sum?.isPostageGuessed && ' (estimated)'}
              </td>
              <td data-name="You get" class="number">
                {moneyText(sum?.netCents ?? null)}
              </td>
              <td data-name="Profit" class="number">
                <Profit netCents={sum?.netCents ?? null} costCents={lot.priceCents} />
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
