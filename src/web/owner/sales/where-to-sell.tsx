/** Compares the net proceeds of a unit across platforms. */

import { isAssumed, priceIn } from '../../../buying/prices/resale.ts';
import { findResaleItem } from '../../../buying/prices/resale-item.work.ts';
import {
  comparedChannels,
  feesOf,
  type NetSum,
  netOf,
  type SellingChannel,
} from '../../../buying/prices/selling-channels.ts';
import { type Wait, waitFor } from '../../../buying/prices/your-wait.ts';
import { percentOf } from '../../../kernel/money.ts';
import type { Parcel } from '../../../market/fees/postage.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import {
  AmazonAskNote,
  AssumedNote,
  LeftOutNote,
  LosingNote,
  SellingChannelCell,
  splitByNet,
  WaitCell,
} from '../../catalog/selling-channel-cell.tsx';
import { withQuery } from '../../kit/address.ts';
import { ButtonLink } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { mainColumn, moneyColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Field, Notice, QueryForm, statusOf } from '../../kit/fields.tsx';
import { amountText, FormReader } from '../../kit/form-reader.ts';
import { conditionNames, moneyText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { findOwnLot } from '../inventory/lot.tsx';
import { Presets } from './sale-form.tsx';

export const whereToSellRoutes = routes('own', {
  '/lots/{id}/sell': page({ find: findOwnLot, get: showChannels }),
});

async function showChannels(deps: WebDeps, request: OwnRequest, lot: OwnLot): Promise<PageAnswer> {
  const props = await readChannels(deps, request, lot);
  return { page: <WhereToSellPage {...props} />, status: statusOf(props.typed) };
}

async function readChannels(deps: WebDeps, request: OwnRequest, lot: OwnLot) {
  const [item, tables] = await Promise.all([
    findResaleItem(deps.market, lot.kind, lot.number),
    findOwnTables(deps, request),
  ]);
  const resale = item?.resale[lot.condition] ?? null;
  const fields = FormReader.ofQuery(request.query, request.today);
  const typedCents = fields.centsOrNull('price');
  const typedPostage = fields.centsOrNull('shipping');
  const postageCents = fields.isGood ? typedPostage : null;
  // Without a value, the cost is the best starting point.
  const fixedCents =
    (fields.isGood ? typedCents : null) ?? (resale === null ? lot.priceCents : null);
  const parcel = item?.parcel[lot.condition] ?? unknownParcel;
  const nets = comparedChannels.map((channel): ChannelNet => {
    const priceCents = fixedCents ?? (resale ? priceIn(resale, channel, medianShare) : 0);
    const { at } = request;
    const wait = resale && waitFor(resale, { channel, at, priceCents });
    const waitDays = wait?.days ?? null;
    return {
      channel,
      priceCents,
      wait,
      // A price that was entered is not assumed.
      isAssumed: fixedCents === null && resale !== null && isAssumed(resale, channel),
      sum: netOf(tables, { channel, priceCents, parcel, at, postageCents, waitDays }),
    };
  });
  const { typed } = fields;
  const { title, number } = item ?? { title: lot.number, number: lot.number };
  return {
    request,
    lot,
    title,
    number,
    // Assumed prices come last: channels without fees would always win.
    nets: nets.sort((a, b) => Number(a.isAssumed) - Number(b.isAssumed) || rankOf(b) - rankOf(a)),
    typed,
    /** Whether prices are based on an estimated value. */
    isEstimated: fixedCents === null && resale?.tier === 'modeled',
    /** Amazon's own price, which caps others there; null if it does not sell the item. */
    amazonAskCents: fixedCents === null ? (resale?.amazonAskCents ?? null) : null,
    hasValue: resale !== null,
    tables,
  };
}

/** The median: half of all sales are above it. */
const medianShare = 0.5;

/** For items that are not published. */
const unknownParcel: Parcel = {
  box: { widthIn: null, heightIn: null, depthIn: null, weightLbs: null },
  pieces: null,
};

/** The price in a channel and its net proceeds; null if they are unknown. */
interface ChannelNet {
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly isAssumed: boolean;
  readonly wait: Wait | null;
  readonly sum: NetSum | null;
}

function rankOf({ sum }: ChannelNet): number {
  return sum?.netCents ?? Number.NEGATIVE_INFINITY;
}

function WhereToSellPage(props: Awaited<ReturnType<typeof readChannels>>) {
  const { request, lot, title, number, nets, typed, hasValue, isEstimated, tables } = props;
  const { kept, losing } = splitByNet(nets, ({ sum }) => sum?.netCents ?? null);
  return (
    <Layout
      title="Where to sell"
      request={request}
      actions={<ButtonLink href={withQuery('/sales/new', { lot: lot.id })}>Record sale</ButtonLink>}
    >
      <p>
        <ItemCell
          kind="set"
          number={number}
          name={title}
          href={`/lots/${lot.id}`}
          about={`${conditionNames[lot.condition]} · cost ${moneyText(lot.priceCents)} each`}
        />
      </p>
      {isEstimated && (
        <Notice kind="warn">
          These prices are estimated from similar sets. No sales support them.
        </Notice>
      )}
      <QueryForm class="filters" action={`/lots/${lot.id}/sell`} typed={typed}>
        <Field
          name="price"
          label="Sale price ($)"
          value={hasValue ? '' : amountText(lot.priceCents)}
          placeholder="Expected"
        />
        <Field name="shipping" label="Shipping ($)" placeholder="By box size" />
        <button class="plain" type="submit">
          Compare
        </button>
      </QueryForm>
      <Card>
        <DataTable label="Net by channel" rows={kept} columns={columnsOf(lot)} />
        <LosingNote losing={losing} />
        <AmazonAskNote askCents={props.amazonAskCents} prices={kept} />
        <LeftOutNote channels={kept.map(({ channel }) => channel)} />
        {kept.some(({ isAssumed }) => isAssumed) && <AssumedNote />}
        <Presets table={tables.fees} day={request.today} />
      </Card>
    </Layout>
  );
}

function columnsOf({ priceCents: costCents }: OwnLot): readonly Column<ChannelNet>[] {
  return [
    mainColumn('Channel', ({ channel, isAssumed }) => (
      <SellingChannelCell channel={channel} isAssumed={isAssumed} />
    )),
    moneyColumn('Price', ({ priceCents }) => priceCents),
    numberColumn('Fees', ({ sum }) => <Money cents={sum && feesOf(sum)} missing={unknownBox} />),
    numberColumn('Shipping', ({ sum }) => (
      <>
        <Money cents={sum?.postageCents ?? null} missing={unknownBox} />
        {sum?.isPostageGuessed && <Badge>Estimated</Badge>}
      </>
    )),
    numberColumn('Net', ({ sum }) => <Money cents={sum?.netCents ?? null} missing={unknownBox} />),
    numberColumn('Profit', ({ sum }) => {
      if (sum === null) return <Delta missing={unknownBox} />;
      const profitCents = sum.netCents - costCents;
      const percent = costCents === 0 ? null : percentOf(profitCents, costCents);
      return <Delta cents={profitCents} percent={percent} />;
    }),
    numberColumn('Time to sell', ({ wait }) => <WaitCell wait={wait} />),
  ];
}

/** Why the net of a channel is unknown. */
const unknownBox = 'Box size unknown';
