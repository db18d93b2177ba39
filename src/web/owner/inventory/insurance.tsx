/** A printable list of lots with their values, for insurance. */

import type { VNode } from 'preact';
import { yieldToEventLoop } from '../../../kernel/event-loop.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { heldValueCents } from '../../../portfolio/lots/holdings.ts';
import { everyLot, type InventoryRow, totalOfRows } from '../../../portfolio/lots/inventory.ts';
import { readInventory } from '../../../portfolio/lots/inventory.work.ts';
import { photoType } from '../../../portfolio/photos/photos.ts';
import { idOf } from '../../kit/address.ts';
import { BackLink } from '../../kit/buttons.tsx';
import { EmptyState, Facts } from '../../kit/card.tsx';
import type { ChoiceOptions } from '../../kit/fields.tsx';
import { FilterForm } from '../../kit/filters.tsx';
import { conditionNames, countText, dayText, moneyText, nounText } from '../../kit/format.ts';
import { convertedText, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, PageRows, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { gradeName, gradeText, ownFieldsText } from './detail-text.ts';
import { brickfolioOptions, purchaseDayText } from './lot-form.ts';

export const insuranceRoutes = routes('own', { '/inventory/insurance': { get: showSheet } });

/** Lots whose thumbnails are read at once. They are in the page itself. */
const batchRows = 100;

const nameLengthMax = 80;

type Choices = ReturnType<typeof readChoices>;

interface Sheet extends Choices {
  readonly request: OwnRequest;
  readonly brickfolios: readonly Brickfolio[];
  readonly rows: readonly InventoryRow[];
}

async function showSheet(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accounts, portfolio } = deps;
  const { who, at } = request;
  const brickfolios = await accounts.listBrickfolios(who.accountId);
  const choices = readChoices(request, brickfolios);
  const inventory = await readInventory(portfolio, who.accountId, {
    filter: { ...everyLot, brickfolioId: choices.brickfolio?.id ?? null },
    order: { sort: 'value', isDescending: true },
    brickfolios,
    ownFields: [],
    at,
  });
  const { rows } = inventory;
  const ids = rows.map(({ lot }) => lot.id);
  const hasPhotos = choices.hasPhotos && (await accounts.countPhotos(who.accountId, ids)).size > 0;
  const sheet = { ...choices, hasPhotos, request, brickfolios, rows };
  const page = (
    <Layout title="Insurance sheet" request={request}>
      <Choose {...sheet} />
      {rows.length === 0 ? (
        <EmptyState title="No lots" actions={[['/inventory', 'Go to inventory']]}>
          The sheet lists the lots that you have not sold.
        </EmptyState>
      ) : (
        <SheetPage {...sheet} />
      )}
    </Layout>
  );
  return { page, rows: sheetRows(accounts, sheet) };
}

function sheetRows(accounts: WebDeps['accounts'], sheet: Sheet): PageRows {
  const tables = tablesOf(sheet).map(
    ({ name, rows }) => [name, batchesOf(accounts, sheet, rows)] as const,
  );
  return new Map(tables);
}

function tablesOf({ rows }: Pick<Sheet, 'rows'>) {
  const tables = [
    { name: 'valued', title: 'Valued', rows: rows.filter(hasValue) },
    { name: 'at-cost', title: 'Counted at cost', rows: rows.filter(hasNoValue) },
  ];
  return tables.filter((table) => table.rows.length > 0);
}

async function* batchesOf(
  accounts: WebDeps['accounts'],
  sheet: Sheet,
  rows: readonly InventoryRow[],
): AsyncGenerator<VNode> {
  const { accountId } = sheet.request.who;
  for (let from = 0; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows);
    const ids = batch.map(({ lot }) => lot.id);
    const covers = sheet.hasPhotos ? await accounts.listCovers(accountId, ids) : noCovers;
    yield <Rows {...sheet} batch={batch} covers={covers} />;
    await yieldToEventLoop();
  }
}

const noCovers: ReadonlyMap<number, Uint8Array> = new Map();

function readChoices({ query, who }: OwnRequest, brickfolios: readonly Brickfolio[]) {
  const id = idOf(query.get('collection'));
  const name = query.get('name')?.trim().slice(0, nameLengthMax);
  return {
    brickfolio: brickfolios.find((each) => each.id === id) ?? null,
    name: name || who.email,
    hasPhotos: query.get('photos') !== 'no',
    hasCost: query.get('cost') === 'yes',
    hasNotes: query.get('notes') !== 'no',
  };
}

const hasValue = ({ unitCents }: InventoryRow) => unitCents !== null;
const hasNoValue = ({ unitCents }: InventoryRow) => unitCents === null;

const shownOrNot: ChoiceOptions = [
  ['', 'Shown'],
  ['no', 'Not shown'],
];
const notShown: ChoiceOptions = [
  ['', 'Not shown'],
  ['yes', 'Shown'],
];

/** The choices, which are not printed. */
function Choose({ request, brickfolios }: Pick<Sheet, 'request' | 'brickfolios'>) {
  const collections: ChoiceOptions = [['', 'All'], ...brickfolioOptions(brickfolios)];
  return (
    <div class="unprinted">
      <BackLink href="/inventory">Back to inventory</BackLink>
      <p>Print this page, or save it as a PDF, with the print command of your browser.</p>
      <FilterForm
        action="/inventory/insurance"
        label="Contents of the sheet"
        typed={{ values: Object.fromEntries(request.query), faults: {} }}
        clear={null}
        filters={[
          { name: 'collection', label: 'Collection', options: collections },
          { name: 'name', label: 'Your name', maxlength: nameLengthMax },
          { name: 'photos', label: 'Photos', options: shownOrNot },
          { name: 'notes', label: 'Notes', options: shownOrNot },
          { name: 'cost', label: 'Cost basis', options: notShown },
        ]}
      />
    </div>
  );
}

function SheetPage(sheet: Sheet) {
  const { request, brickfolio, name } = sheet;
  return (
    <article class="card sheet">
      <h2>{brickfolio?.name ?? 'LEGO collection'}</h2>
      <p>{`${name} · ${dayText(request.today)}`}</p>
      <Totals {...sheet} />
      <Method request={request} />
      {tablesOf(sheet).map((table) => (
        <Table key={table.name} {...sheet} place={table.name} title={table.title} />
      ))}
    </article>
  );
}

function Totals({ rows, hasCost }: Sheet) {
  const total = totalOfRows(rows);
  const estimated = totalOfRows(rows.filter(({ tier }) => tier === 'modeled'));
  const unvalued = totalOfRows(rows.filter(hasNoValue));
  const atCost = `${moneyText(unvalued.valueCents)}, ${nounText(unvalued.itemCount, 'unit')}`;
  return (
    <Facts
      isGrid
      facts={[
        ['Total value', <strong>{moneyText(total.valueCents)}</strong>],
        ['Estimated part of it', estimated.lots > 0 ? moneyText(estimated.valueCents) : ''],
        ['Counted at cost', unvalued.lots > 0 ? atCost : ''],
        ['Units', countText(total.itemCount)],
        ['Cost basis', hasCost ? moneyText(total.costCents) : ''],
      ]}
    />
  );
}

/** How values were determined, with the address for paper. */
function Method({ request }: Pick<Sheet, 'request'>) {
  const converted = convertedText();
  const day = dayText(request.today);
  return (
    <p class="small">
      {`A value is the price at which a unit in its condition would sell on ${day}, `}
      shipping included, computed by Brickmark from recorded sales of the same item. A value marked
      as estimated comes from a model of comparable items, because hardly any sales of the item
      itself are known; items that cannot be estimated count at what they cost. Details:{' '}
      <a href="/docs/value">{`${request.baseUrl}/docs/value`}</a>.{converted && ` ${converted}`}
    </p>
  );
}

/** A table whose rows are sent after the page. */
function Table(props: Sheet & { readonly place: string; readonly title: string }) {
  const { request, place, title, name, hasPhotos, hasCost } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Keyboards scroll it on small screens.
    <section class="scrolled" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr class="printed">
            <td colspan={7}>{`${name} · ${dayText(request.today)}`}</td>
          </tr>
          <tr>
            {hasPhotos && <th>Photo</th>}
            <th class="lot">{title}</th>
            <th>Condition</th>
            <th class="number">Qty</th>
            {hasCost && <th class="number">Cost basis</th>}
            <th class="number">Each</th>
            <th class="number">Value</th>
          </tr>
        </thead>
        <tbody>
          <tr data-rows={place} />
        </tbody>
      </table>
    </section>
  );
}

function Rows(
  props: Sheet & {
    readonly batch: readonly InventoryRow[];
    readonly covers: ReadonlyMap<number, Uint8Array>;
  },
) {
  const { batch, covers } = props;
  return batch.map((row) => (
    <Row key={row.lot.id} {...props} row={row} cover={covers.get(row.lot.id)} />
  ));
}

function Row(
  props: Sheet & { readonly row: InventoryRow; readonly cover: Uint8Array | undefined },
) {
  const { row, cover, hasPhotos, hasCost, hasNotes } = props;
  const { lot, item, units, unitCents, share, tier } = row;
  const grade = gradeText(lot.grade, share) ?? (lot.grade && gradeName(lot.grade));
  const notes = hasNotes ? notesOf(row) : [];
  return (
    <tr>
      {hasPhotos && <td>{cover && <img src={dataUrl(cover)} alt="" />}</td>}
      <td class="lot">
        {item.title || item.number}
        <small>{[item.number, item.theme].filter(Boolean).join(' · ')}</small>
        {notes.length > 0 && <small>{notes.join(' · ')}</small>}
      </td>
      <td>
        {conditionNames[lot.condition]}
        {grade && <small>{grade}</small>}
      </td>
      <td class="number units">{countText(units)}</td>
      {hasCost && (
        <td class="number cost">
          {moneyText(row.costCents)}
          {lot.isEstimated && <small>Estimated</small>}
        </td>
      )}
      <td class="number">{moneyText(unitCents ?? lot.priceCents)}</td>
      <td class="number">
        {moneyText(heldValueCents(row))}
        {tier === 'modeled' && <small>Estimated</small>}
        {tier === null && <small>At cost</small>}
      </td>
    </tr>
  );
}

/** The owner's notes about the units, such as serial numbers, and their purchase date. */
function notesOf({ lot }: InventoryRow): string[] {
  const bought = lot.dateBasis === 'unknown' ? '' : `Bought ${purchaseDayText(lot)}`;
  const place = lot.place === null ? '' : `Place: ${lot.place}`;
  return [bought, place, ownFieldsText(lot.ownFields), lot.notes ?? ''].filter(Boolean);
}

/** In the page, because a browser may not ask for hundreds of pictures at once. */
function dataUrl(thumb: Uint8Array): string {
  return `data:${photoType};base64,${Buffer.from(thumb).toString('base64')}`;
}
