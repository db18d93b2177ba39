/** Records sales: of a set in the inventory, of one lot, or of several lots at once. */

import { itemKinds } from '../../../catalog/items/numbers.ts';
import { at } from '../../../kernel/at.ts';
import { sentence } from '../../../kernel/text.ts';
import { findListed } from '../../../portfolio/lots/collection.work.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import {
  costOfSale,
  findRecorded,
  recordSales,
  type SaleDraft,
} from '../../../portfolio/sales/own-sales.work.ts';
import { findListedItem } from '../../catalog/find-item.ts';
import { readSetPicker } from '../../catalog/pick-item.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { Card, EmptyState } from '../../kit/card.tsx';
import { mainColumn, numberColumn } from '../../kit/columns.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { CellField, Choice, type ChoiceOptions, PostForm } from '../../kit/fields.tsx';
import { actionOf, formPage, type Sent } from '../../kit/form-page.tsx';
import { FormReader } from '../../kit/form-reader.ts';
import { nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetPicker } from '../../kit/set-picker.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { boughtText } from '../inventory/lot-form.ts';
import { checkPrices, SurePrice } from '../price-check.tsx';
import { previewChange } from './sale.tsx';
import {
  cellTerms,
  inputName,
  Live,
  LiveFigures,
  type LiveTexts,
  Presets,
  previewOf,
  readSaleTerms,
  SaleInputs,
  type SalePreview,
  SharedInputs,
  type TypedSale,
} from './sale-form.tsx';
import { listOpenLots, originOptions, readOrigin, unitsLeft } from './sale-origin.ts';
import { readIds, saleToast } from './sale-toast.tsx';

const path = '/sales/new';

export const recordSaleRoutes = routes('own', {
  [path]: formPage({
    show: (deps, request: OwnRequest, _, read?: ReadSales) =>
      read ? showForm(deps, request, { read, values: {} }) : showEmpty(deps, request),
    read: readSent,
    save: saveSales,
    sentBefore: async ({ deps, sent }, { sales }) => {
      const saleIds = await findRecorded(actionOf(deps, sent), sales.length);
      return saleIds.length > 0 ? { goTo: afterSaving(sent, saleIds) } : null;
    },
  }),
  '/sales/preview': { get: sendPreview },
  '/lots/{id}/sale': {
    get: (_, request) => goToItem(request, (lot) => withQuery(path, { lot })),
  },
});

interface ReadSales {
  readonly fields: FormReader;
  /** The sales with their terms and costs; those without an origin cannot be recorded. */
  readonly sales: readonly (TypedSale & { readonly draft: SaleDraft | null })[];
  /** The lots of a form for several; null for the form of one sale. */
  readonly lots: readonly OwnLot[] | null;
  /** Where the units of one sale can come from. */
  readonly origins: ChoiceOptions;
  readonly choices: Awaited<ReturnType<typeof readSetPicker>>['choices'];
  /** The title of the item of a single sale; empty if none is chosen. */
  readonly title: string;
  /** The value that confirms prices far from the market value; null if there are none. */
  readonly sure: string | null;
}

/** Reads a form, and asks about prices that are far from the market value. */
async function readSent({ deps, sent, fields }: Sent<OwnRequest, unknown>): Promise<ReadSales> {
  const read = await readSales(deps, sent, fields);
  if (!fields.isGood || sent.form.text('next') === 'preview') return read;
  const prices = read.sales.flatMap(({ suffix, draft }) => {
    if (draft === null) return [];
    const { kind, number, condition, terms } = draft;
    const cents = Math.round(terms.grossCents / terms.quantity);
    return [{ name: `gross${suffix}`, kind, number, condition, cents }];
  });
  return { ...read, sure: await checkPrices(deps, fields, prices) };
}

async function readSales(deps: WebDeps, request: OwnRequest, fields: FormReader) {
  return fields.isBlank('lots')
    ? readOne(deps, request, fields)
    : readSeveral(deps, request, fields);
}

async function readOne(deps: WebDeps, request: OwnRequest, fields: FormReader): Promise<ReadSales> {
  const { accountId } = request.who;
  const picker = { name: 'set', kind: 'held', accountId } as const;
  const { item, choices } = await readSetPicker(deps, fields, picker);
  const openLots = item ? await listOpenLots(deps, accountId, item) : [];
  const sold = item && { kind: item.kind, number: item.number, openLots };
  const origin = sold && (await readOrigin(deps, accountId, fields, sold));
  const terms = readSaleTerms(fields, (await findOwnTables(deps, request)).fees);
  const sale = {
    suffix: '',
    terms,
    draft: origin && { ...origin, terms },
    costCents: origin && costOfSale({ ...origin, ...terms }, openLots),
  };
  const origins = originOptions(openLots, fields.form.text('from'));
  const title = item?.title ?? '';
  return { fields, sales: [sale], lots: null, origins, choices, title, sure: null };
}

async function readSeveral(deps: WebDeps, request: OwnRequest, fields: FormReader) {
  const lots = await findLotsNamedIn(deps, request, fields.form.text('lots'));
  const { fees } = await findOwnTables(deps, request);
  const sales = lots.map((lot) => {
    const suffix = `_${lot.id}`;
    const terms = readSaleTerms(fields, fees, suffix);
    const { kind, number, condition } = lot;
    const draft = { kind, number, condition, lot, terms };
    return { suffix, terms, draft, costCents: costOfSale({ ...draft, ...terms }, [lot]) };
  });
  return { fields, sales, lots, origins: [], choices: [], title: '', sure: null };
}

async function findLotsNamedIn(deps: WebDeps, { who }: OwnRequest, text: string) {
  const ids = readIds(text);
  const found = await Promise.all(ids.map((id) => deps.accounts.findLot(who.accountId, id)));
  return found.filter((lot) => lot !== null);
}

async function sendPreview(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const fields = FormReader.ofQuery(request.query, request.today);
  if (request.query.has('sale')) return { data: await previewChange(deps, request, fields) };
  const read = await readSales(deps, request, fields);
  const { live, presets } = previewOf(fields, read.sales);
  return { data: { live: { ...live, ...setText(read) }, presets, origins: read.origins } };
}

function setText({ title }: ReadSales): LiveTexts {
  return { set: { text: title } };
}

async function saveSales({ deps, sent }: Sent<OwnRequest, unknown>, read: ReadSales) {
  if (read.lots?.length === 0) return missingPage(sent);
  if (sent.form.text('next') === 'preview') return showForm(deps, sent, { read, values: {} });
  const drafts = read.sales.flatMap(({ draft }) => draft ?? []);
  const done = await recordSales(actionOf(deps, sent), drafts);
  if (done.ok) return { goTo: afterSaving(sent, done.saleIds) };
  const { suffix = '' } = read.sales.find(({ draft }) => draft === done.draft) ?? {};
  return { refused: sentence(done.reason), field: done.field ?? `quantity${suffix}` };
}

/** The next sale is often of the same day and platform. */
function afterSaving({ form }: OwnSentRequest, saleIds: readonly number[]): string {
  const done = { did: 'saved', undo: saleIds.join() };
  if (form.text('next') !== 'another') return withQuery('/sales', done);
  const [platform, date] = [form.text('platform'), form.text('sale_date')];
  return withQuery(path, { platform, date, ...done });
}

async function showEmpty(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { query } = request;
  const common = {
    platform: query.get('platform') ?? 'ebay',
    sale_date: query.get('date') ?? request.today,
    quantity: '1',
  };
  if (query.has('lots')) {
    const lots = await findLotsNamedIn(deps, request, query.get('lots') ?? '');
    const open = lots.filter((lot) => unitsLeft(lot) > 0);
    const quantities = open.map((lot) => [`quantity_${lot.id}`, String(unitsLeft(lot))] as const);
    const values = { ...common, ...Object.fromEntries(quantities) };
    const read = { ...nothingRead(request), lots: open };
    return showForm(deps, request, { read, values });
  }
  const id = idOf(query.get('lot'));
  const lot = id === null ? null : await deps.accounts.findLot(request.who.accountId, id);
  const named = itemKinds.map((kind) => ({ kind, number: query.get(kind) ?? '' }));
  const item = lot ?? named.find(({ number }) => number !== '') ?? null;
  const openLots = item ? await listOpenLots(deps, request.who.accountId, item) : [];
  const from = lot ? String(lot.id) : '';
  const origins = originOptions(openLots, from);
  const title = item ? (await findListedItem(deps, item)).title : '';
  const read = { ...nothingRead(request), origins, title };
  return showForm(deps, request, { read, values: { ...common, set: item?.number ?? '', from } });
}

function nothingRead({ today }: OwnRequest): ReadSales {
  const fields = FormReader.ofQuery(new URLSearchParams(), today);
  return { fields, sales: [], lots: null, origins: [], choices: [], title: '', sure: null };
}

interface FormProps {
  readonly read: ReadSales;
  readonly values: Readonly<Record<string, string>>;
  readonly preview: SalePreview;
  readonly itemOf: Awaited<ReturnType<typeof findListed>>;
}

async function showForm(
  deps: WebDeps,
  request: OwnRequest,
  { read, values }: Pick<FormProps, 'read' | 'values'>,
): Promise<PageAnswer> {
  const { fields, lots } = read;
  const { fees } = await findOwnTables(deps, request);
  const itemOf = await findListed(deps.portfolio.market, lots ?? []);
  const preview = previewOf(fields, read.sales);
  const props = { read, values, preview, itemOf };
  const isSeveral = lots !== null;
  return (
    <Layout
      title={isSeveral ? `Record ${nounText(lots.length, 'sale')}` : 'Record sale'}
      request={request}
      scripts={['sale.js']}
    >
      {await saleToast(deps, request)}
      {isSeveral && lots.length === 0 ? (
        <EmptyState title="No units left to sell" actions={[['/inventory', 'Open inventory']]}>
          All units of these lots are sold already.
        </EmptyState>
      ) : (
        <Card>
          <PostForm action={path} typed={fields.typed}>
            <div class="stack" data-sale="/sales/preview">
              {isSeveral ? <SeveralFields {...props} lots={lots} /> : <OneFields {...props} />}
            </div>
            <SurePrice sure={read.sure} />
            <div class="row">
              <button type="submit">{isSeveral ? 'Save sales' : 'Save sale'}</button>
              {!isSeveral && (
                <button class="plain" type="submit" name="next" value="another">
                  Save and add another
                </button>
              )}
              <button class="plain" type="submit" name="next" value="preview" data-needless="">
                Preview
              </button>
            </div>
          </PostForm>
          <Presets table={fees} day={request.today} />
        </Card>
      )}
    </Layout>
  );
}

function OneFields({ read, values, preview }: FormProps) {
  const isChosen = (values.set ?? '') !== '';
  const isUntouched = Object.keys(read.fields.typed.values).length === 0;
  return (
    <>
      <div class="form-grid wide">
        <div>
          <SetPicker
            name="set"
            label="Set or minifig"
            kind="held"
            value={values.set ?? ''}
            choices={read.choices}
            hasFocus={!isChosen && isUntouched}
          />
          <span class="quiet small">
            <Live name="set" live={setText(read)} />
          </span>
        </div>
        <Choice name="from" label="Sell from" options={read.origins} value={values.from ?? ''} />
      </div>
      <SaleInputs values={values} presets={preview.presets} hasFocus={isChosen && isUntouched} />
      <LiveFigures live={preview.live} />
    </>
  );
}

function SeveralFields(props: FormProps & { readonly lots: readonly OwnLot[] }) {
  const { lots, values, preview, itemOf } = props;
  const { live } = preview;
  const nameOf = (lot: OwnLot) => itemOf(lot).title;
  const inputs = cellTerms.map((row) => {
    const unit = row.kind === 'money' ? ' ($)' : '';
    return numberColumn(`${row.name}${unit}`, (lot: OwnLot) => {
      const name = inputName(row, `_${lot.id}`);
      const label = `${row.name} of ${nameOf(lot)}`;
      return <CellField name={name} label={label} value={values[name] ?? ''} inputmode="decimal" />;
    });
  });
  const shown = (name: string) => (lot: OwnLot) => <Live name={`${name}_${lot.id}`} live={live} />;
  return (
    <>
      <input type="hidden" name="lots" value={lots.map(({ id }) => id).join()} />
      <div class="form-grid">
        <SharedInputs values={values} />
      </div>
      <DataTable
        label="Sales"
        rows={lots}
        columns={[
          mainColumn('Lot', (lot: OwnLot) => lotCell(lot, nameOf(lot))),
          ...inputs,
          numberColumn('Fees', shown('fees')),
          numberColumn('Net', shown('net')),
          numberColumn('Profit', shown('profit')),
        ]}
      />
      <LiveFigures live={live} suffix={lots.length > 1 ? '_all' : `_${at(lots, 0).id}`} />
    </>
  );
}

function lotCell(lot: OwnLot, name: string) {
  return (
    <ItemCell
      kind={lot.kind}
      number={lot.number}
      name={name}
      about={`${unitsLeft(lot)} ${lot.condition} left · ${boughtText(lot)}`}
      href={`/lots/${lot.id}`}
    />
  );
}
