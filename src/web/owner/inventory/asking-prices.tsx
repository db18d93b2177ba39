/** Asking prices of the selected lots: one for each, and a rule that fills them in. */

import {
  type AskingRounding,
  type AskingRule,
  askingBases,
  askingRoundings,
} from '../../../buying/prices/asking-price.ts';
import { termsOf } from '../../../buying/prices/buying-settings.ts';
import { sellingChannelName } from '../../../buying/prices/selling-channels.ts';
import type { InventoryRow } from '../../../portfolio/lots/inventory.ts';
import type { AccountRow } from '../../../portfolio/lots/private-rows.ts';
import {
  type AskingGap,
  type AskingLot,
  findAskingLots,
} from '../../../portfolio/sales/asking-prices.work.ts';
import { BackLink, PlainButton } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { Lines, moneyColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  CellField,
  Checkbox,
  Choice,
  type ChoiceOptions,
  Field,
  isGood,
  Notice,
  PostForm,
  QueryForm,
  statusOf,
  type Typed,
  untyped,
} from '../../kit/fields.tsx';
import { formPage } from '../../kit/form-page.tsx';
import { amountText, FormReader } from '../../kit/form-reader.ts';
import { inDollars, moneyText, nounText, shareText, waitText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { Missing, Money } from '../../kit/money.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import {
  applyEdit,
  lotsListedMax,
  type Selection,
  selectedItem,
  withSelection,
} from './bulk-edit.tsx';
import { viewPath } from './inventory-view.tsx';

export const askingPriceRoutes = routes('own', {
  '/inventory/asking': withSelection(
    formPage({
      show: showAskingPrices,
      read: ({ fields, found: { rows } }) => readAskingPrices(fields, rows),
      save: ({ deps, sent, found: { view } }, rows) =>
        applyEdit(deps, sent, view, { kind: 'asking', rows }),
    }),
  ),
});

/** The prices that differ from those that were shown; an empty field removes one. */
function readAskingPrices(fields: FormReader, rows: readonly InventoryRow[]) {
  return rows.flatMap(({ lot: { id } }): AccountRow[] => {
    const askingCents = fields.centsOrNull(`asking-${id}`);
    const seen = fields.form.text(`seen-${id}`);
    const seenCents = seen === '' ? null : Number(seen);
    if (askingCents === seenCents) return [];
    return [{ kind: 'lot_change', lotId: id, change: { kind: 'asking', askingCents, seenCents } }];
  });
}

async function showAskingPrices(deps: WebDeps, request: OwnRequest, selection: Selection) {
  const { view, rows } = selection;
  if (rows.length > lotsListedMax) {
    return (
      <Layout title="Asking prices" request={request}>
        <BackLink href={viewPath(view)}>Back to inventory</BackLink>
        <p class="quiet">Select at most {lotsListedMax} lots to set their asking prices.</p>
      </Layout>
    );
  }
  const { rule, typed } = readRule(request);
  const terms = termsOf(await deps.accounts.findBuyingSettings(request.who.accountId));
  const tables = await findOwnTables(deps, request);
  const lots = await findAskingLots(deps.market, rows, { rule, terms, tables, at: request.at });
  const margin = `${shareText(terms.marginBasisPoints)} margin`;
  const page = (
    <Layout title="Asking prices" request={request}>
      <BackLink href={viewPath(view)}>Back to inventory</BackLink>
      <RuleForm request={request} typed={typed} margin={margin} />
      <Card title="A price for each lot">
        {rule && <PreviewNotice lots={lots} />}
        <PostForm action={`${request.path}?${request.query}`} class="price-grid">
          <input type="hidden" name="count" value={rows.length} />
          <DataTable label="Asking prices" rows={lots} columns={columnsOf(margin)} />
          <button type="submit">Save asking prices</button>
        </PostForm>
      </Card>
    </Layout>
  );
  return isGood(typed) ? page : { page, status: statusOf(typed) };
}

/** Of the value or cost. */
const percentLimits = { min: 1, max: 1_000 };

const ruleNames = ['base', 'percent', 'plus', 'rounding', 'margin'];

/** The rule in an address; null if there is none, or if it is invalid. */
function readRule({ query, today }: OwnRequest): { rule: AskingRule | null; typed: Typed } {
  if (!query.has('base')) return { rule: null, typed: untyped };
  const fields = FormReader.ofQuery(query, today);
  const rule = {
    base: fields.word('base', askingBases),
    factorBasisPoints: fields.basisPoints('percent', percentLimits),
    plusCents: fields.centsOrNull('plus') ?? 0,
    rounding: fields.word('rounding', askingRoundings),
    keepsMargin: fields.form.isTicked('margin'),
  };
  return { rule: fields.isGood ? rule : null, typed: fields.typed };
}

const baseOptions: ChoiceOptions = [
  ['value', 'Market value'],
  ['cost', 'Purchase price'],
];

const roundingTexts: Readonly<Record<AskingRounding, string>> = {
  none: 'To the cent',
  to_99: 'To .99',
  to_5: 'To $5',
};

function RuleForm(props: {
  readonly request: OwnRequest;
  readonly typed: Typed;
  readonly margin: string;
}) {
  const { request, typed, margin } = props;
  const kept = [...request.query].filter(([name]) => !ruleNames.includes(name));
  const roundings = askingRoundings.map((each) => [each, inDollars(roundingTexts[each])] as const);
  return (
    <Card title="Prices by a rule">
      <QueryForm action={request.path} class="filters" label="Prices by a rule" typed={typed}>
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Choice name="base" label="Start from" options={baseOptions} />
        <Field name="percent" label="Percent of it" value="100" inputmode="decimal" isRequired />
        <Field name="plus" label="Plus ($)" placeholder="0.00" />
        <Choice name="rounding" label="Round" options={roundings} />
        <Checkbox name="margin" label={`Keep my ${margin}`} isTicked />
        <PlainButton>Preview</PlainButton>
      </QueryForm>
      <p class="quiet small flush">
        {`To keep your ${margin}, a price is raised to the lowest that leaves it over the ` +
          'purchase price, after fees and shipping, on the channel of the listing link, or else ' +
          'on the best channel for the lot. '}
        <a href="/account/buying">Buying settings</a>
      </p>
    </Card>
  );
}

const gapTexts: Readonly<Record<AskingGap, string>> = {
  'no value': 'no value yet',
  'no cost': 'no purchase price',
  'no margin': 'no price keeps the margin',
};

function PreviewNotice({ lots }: { readonly lots: readonly AskingLot[] }) {
  const changed = lots.filter(({ lot, price }) => price && price.askingCents !== lot.askingCents);
  const skipped = lots.filter(({ gap }) => gap !== null);
  return (
    <Notice kind={skipped.length > 0 ? 'warn' : 'good'}>
      {`Preview, not saved yet: ${nounText(changed.length, 'price')} would change. ` +
        'The time to sell is at the new price. '}
      {skipped.length > 0 && `${nounText(skipped.length, 'lot')} skipped; the table says why.`}
    </Notice>
  );
}

const columnsOf = (margin: string): readonly Column<AskingLot>[] => [
  selectedItem,
  numberColumn('Value per unit', ({ lot, unitCents, tier }) => (
    <Lines
      first={<Money cents={unitCents} tier={tier} />}
      second={`cost ${moneyText(lot.priceCents)}`}
    />
  )),
  moneyColumn('Asking price', ({ lot }) => lot.askingCents, { missing: 'No asking price' }),
  numberColumn('Time to sell', ({ waitDays, channel }) =>
    waitDays === null ? (
      <Missing reason="Unknown" />
    ) : (
      <Lines first={waitText(waitDays)} second={channel && sellingChannelName(channel)} />
    ),
  ),
  {
    ...numberColumn<AskingLot>('New asking price ($)', (row) => (
      <>
        <CellField
          name={`asking-${row.lot.id}`}
          label={`New asking price of ${row.item.title} ($)`}
          value={amountText(row.price?.askingCents ?? row.lot.askingCents)}
        />
        <input type="hidden" name={`seen-${row.lot.id}`} value={row.lot.askingCents ?? ''} />
        <RuleNote row={row} margin={margin} />
      </>
    )),
    isWide: true,
  },
];

function RuleNote({ row, margin }: { readonly row: AskingLot; readonly margin: string }) {
  const { gap, price, channel } = row;
  if (gap !== null) return <small class="quiet">{`Skipped: ${gapTexts[gap]}`}</small>;
  if (!channel || !price || price.raisedFromCents === null) return null;
  const from = moneyText(price.raisedFromCents);
  return (
    <small class="quiet">
      {`Raised from ${from}: ${margin} on ${sellingChannelName(channel)}`}
    </small>
  );
}
