/** What a unit of a lot would bring on each platform today. */

import { findResaleItem } from '../../../buying/resale-item.ts';
import { tablesOf } from '../../../domain/buying/buying-settings.ts';
import {
  feesOf,
  type NetSum,
  netOf,
  type SellingChannel,
  sellingChannels,
} from '../../../domain/buying/channels.ts';
import { isAssumed, priceIn, waitIn } from '../../../domain/buying/resale.ts';
import type { Parcel } from '../../../domain/fees/postage.ts';
import { gainText, moneyText, percentText } from '../../../domain/kernel/format.ts';
import { percentOf } from '../../../domain/kernel/money.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';
import { AmazonAskNote, AssumedNote, ChannelCell } from '../../catalog/channel-cell.tsx';
import type { WebDeps } from '../../deps.ts';
import { missingPage } from '../../kit/fault.tsx';
import { Field, Notice, type Typed } from '../../kit/fields.tsx';
import { signClass } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, PageAnswer, PageRoute } from '../../page.ts';
import { findOwnLot } from '../inventory/lot.tsx';
import { Presets } from './sale-form.tsx';

/** The page that compares platforms. */
export function whereToSellRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/lots/{id}/sell', get: (request) => showWays(deps, request) }];
}

async function showWays(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, request);
  if (!lot) return missingPage(request);
  const [item, settings] = await Promise.all([
    findResaleItem(deps.market, 'set', lot.setNumber),
    deps.accounts.findBuyingSettings(request.who.accountId),
  ]);
  const tables = tablesOf(deps.tables, settings);
  const resale = item?.resale[lot.condition] ?? null;
  const fields = TypedFields.ofQuery(request.query, request.at);
  const typedCents = fields.centsOrNull('price');
  const postageCents = fields.centsOrNull('shipping');
  // Without a value there is nothing better to start from than the cost.
  const fixedCents = typedCents ?? (resale === null ? lot.priceCents : null);
  const parcel = item?.parcel[lot.condition] ?? unknownParcel;
  const ways = sellingChannels.map((channel): Way => {
    const priceCents = fixedCents ?? (resale ? priceIn(resale, channel, evenOdds) : 0);
    const waitDays = resale && waitIn(resale, channel);
    const sale = { channel, priceCents, parcel, at: request.at, postageCents, waitDays };
    return {
      channel,
      priceCents,
      // Whoever types a price knows what they ask.
      isAssumed: fixedCents === null && resale !== null && isAssumed(resale, channel),
      sum: netOf(tables, sale),
    };
  });
  const { typed, isGood } = fields;
  const isEstimated = fixedCents === null && resale?.tier === 'modeled';
  const { title, number } = item ?? { title: lot.setNumber, number: lot.setNumber };
  const props = { request, lot, title, number, ways: ways.sort(bestFirst), typed, isEstimated };
  const amazonAskCents = fixedCents === null ? (resale?.amazonAskCents ?? null) : null;
  const more = { amazonAskCents, hasValue: resale !== null, tables };
  const page = <WaysPage {...props} {...more} />;
  return { page, status: isGood ? 200 : 400 };
}

/** Half of all sales are above the price that is shown. */
const evenOdds = 0.5;

/** Of a set that is not published, nothing is known. */
const unknownParcel: Parcel = {
  box: { widthIn: null, heightIn: null, depthIn: null, weightLbs: null },
  pieces: null,
};

/** A way to sell: the price there, whether it is assumed, and what is left; null: not known. */
interface Way {
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly isAssumed: boolean;
  readonly sum: NetSum | null;
}

/** By what is left; after the others what is assumed, since the lack of fees alone would win. */
function bestFirst(a: Way, b: Way): number {
  return Number(a.isAssumed) - Number(b.isAssumed) || netOrNothing(b) - netOrNothing(a);
}

/** What is not known comes last. */
function netOrNothing({ sum }: Way): number {
  return sum?.netCents ?? Number.NEGATIVE_INFINITY;
}

interface WaysProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  readonly title: string;
  readonly number: string;
  readonly ways: readonly Way[];
  readonly typed: Typed;
  /** What Amazon itself asks, where that limits prices; null when it does not sell it. */
  readonly amazonAskCents: number | null;
  readonly hasValue: boolean;
  /** Whether prices come from a value that too few sales support. */
  readonly isEstimated: boolean;
  readonly tables: WebDeps['tables'];
}

function WaysPage(props: WaysProps) {
  const { request, lot, title, number, ways, typed, hasValue, isEstimated, tables } = props;
  return (
    <Layout title={`Where to sell ${title}`} request={request}>
      <p class="row">
        <a href={`/lots/${lot.id}`}>Back to the lot</a>
        <SetLink number={number} title={title} />
        {lot.condition === 'used' && <span class="badge">used</span>}
      </p>
      {isEstimated && (
        <Notice kind="warn">
          These prices are estimated from similar sets. No sales support them.
        </Notice>
      )}
      <section class="card">
        <form class="stack" action={`/lots/${lot.id}/sell`}>
          <div class="form-grid">
            <Field
              name="price"
              label="Sale price, $"
              typed={typed}
              value={hasValue ? '' : amountText(lot.priceCents)}
              inputmode="decimal"
              hint={
                hasValue ? 'Empty: the expected price in each channel.' : 'No value yet: your cost.'
              }
            />
            <Field
              name="shipping"
              label="Your shipping cost, $"
              typed={typed}
              inputmode="decimal"
              hint="Empty: by box size and weight."
            />
          </div>
          <button class="plain" type="submit">
            Compare
          </button>
        </form>
      </section>
      <Ways lot={lot} ways={ways} amazonAskCents={props.amazonAskCents} />
      <Presets table={tables.fees} day={formatDay(request.at)} />
      <p>
        <a class="button" href={`/lots/${lot.id}/sale`}>
          Record a sale
        </a>
      </p>
    </Layout>
  );
}

const numbers = ['Price', 'Fees', 'Shipping', 'Net', 'Profit'];

function Ways({ lot, ways, amazonAskCents }: Pick<WaysProps, 'lot' | 'ways' | 'amazonAskCents'>) {
  return (
    <section class="card">
      <h2>Net by channel</h2>
      <div class="scroll">
        <table class="cards">
          <TableHead columns={['Channel', ...numbers]} numbers={numbers} />
          <tbody>
            {ways.map((way) => (
              <WayRow key={way.channel} lot={lot} way={way} />
            ))}
          </tbody>
        </table>
      </div>
      <AmazonAskNote askCents={amazonAskCents} prices={ways} />
      {ways.some(({ isAssumed }) => isAssumed) && <AssumedNote />}
    </section>
  );
}

function WayRow({ lot, way }: { readonly lot: OwnLot; readonly way: Way }) {
  const { channel, priceCents, isAssumed, sum } = way;
  return (
    <tr>
      <td data-name="Channel">
        <ChannelCell channel={channel} isAssumed={isAssumed} />
      </td>
      <td data-name="Price" class="number">
        {moneyText(priceCents)}
      </td>
      <td data-name="Fees" class="number">
        {sum === null ? 'Box size not known' : moneyText(feesOf(sum))}
      </td>
      <td data-name="Shipping" class="number">
        {moneyText(sum?.postageCents ?? null)}
        {sum?.isPostageGuessed && ' (estimated)'}
      </td>
      <td data-name="Net" class="number">
        {moneyText(sum?.netCents ?? null)}
      </td>
      <td data-name="Profit" class="number">
        <Profit netCents={sum?.netCents ?? null} costCents={lot.priceCents} />
      </td>
    </tr>
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
