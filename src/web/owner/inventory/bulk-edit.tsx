/** Changes or deletes many lots at once, and undoes that. */

import type { InventoryRow } from '../../../portfolio/lots/inventory.ts';
import {
  editLotsMax,
  type LotChange,
  type LotEditKind,
} from '../../../portfolio/lots/lot-edits.ts';
import { holdingStatuses, noDetails } from '../../../portfolio/lots/lot-fields.ts';
import { editLots } from '../../../portfolio/lots/own-lots.work.ts';
import type { AccountRow } from '../../../portfolio/lots/private-rows.ts';
import { recordAudit } from '../../audit.ts';
import { idOf } from '../../kit/address.ts';
import { BackLink, PlainLink, SubmitOrCancel } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { column, countColumn, dayColumn, mainColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { CellField, Checkbox, Field, Notice, PostForm } from '../../kit/fields.tsx';
import { actionOf, findApplied, formPage } from '../../kit/form-page.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import { conditionNames, countText, nounText, usNounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { CardPage, Layout } from '../../kit/layout.tsx';
import { Money } from '../../kit/money.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { idsMax as salesMax } from '../sales/sale-toast.tsx';
import { editText } from './bulk-bar.tsx';
import { DetailInputs, RemovedFields, readDetailChange } from './detail-fields.tsx';
import { readViewLots, showInventory } from './inventory.tsx';
import { type InventoryView, readView, viewPath } from './inventory-view.tsx';
import { purchaseDayText } from './lot-form.ts';

/** The maximum number of lots with a price field each, limited by the fields of a form. */
export const lotsListedMax = 200;

const back = (_: WebDeps, { query }: OwnRequest) => ({ goTo: viewPath(readView(query)) });

export const bulkEditRoutes = routes('own', {
  '/inventory/choose': { get: back, post: choose },
  '/inventory/move': { get: back, post: postMove },
  '/inventory/status': { get: back, post: postStatus },
  '/inventory/undo': { get: back, post: postUndo },
  '/inventory/prices': withSelection(
    formPage({
      show: showPrices,
      read: ({ sent, found: { rows }, fields }) =>
        sent.form.isTicked('one')
          ? sameFor(idsOf(rows), { kind: 'price', priceCents: fields.cents('price') }).rows
          : readPrices(fields, rows),
      save: ({ deps, sent, found: { view } }, prices) =>
        applyEdit(deps, sent, view, { kind: 'price', rows: prices }),
    }),
  ),
  '/inventory/date': withSelection(
    formPage({
      show: showDate,
      read: ({ fields }) => fields.pastDay('purchase_date'),
      save: ({ deps, sent, found: { view, rows } }, purchaseDate) =>
        applyEdit(deps, sent, view, sameFor(idsOf(rows), { kind: 'date', purchaseDate })),
    }),
  ),
  '/inventory/details': withSelection(
    formPage({
      show: showDetails,
      read: async ({ deps, sent, fields }) => {
        const ownFields = await deps.accounts.listOwnFields(sent.who.accountId);
        const change = readDetailChange(fields, ownFields);
        const isEmpty = Object.keys(change.details).length + change.own.length === 0;
        if (isEmpty) fields.fail('grade', 'Fill in at least one field.');
        return change;
      },
      save: ({ deps, sent, found: { view, rows } }, change) =>
        applyEdit(deps, sent, view, sameFor(idsOf(rows), { kind: 'details', change })),
    }),
  ),
  '/inventory/delete': withSelection({ get: showDelete, post: postDelete }),
});

/** Actions that have a page of their own. */
const purposes = ['prices', 'asking', 'date', 'details', 'delete', 'sale'] as const;

/** Redirects to the page of an action, with the selection in its address. */
async function choose(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const view = readView(sent.query);
  const purpose = purposes.find((each) => each === sent.form.text('for'));
  const ids = sentIds(sent);
  const isAll = sent.form.isTicked('all');
  if (!purpose || (ids.length === 0 && !isAll)) return nothingSelected(deps, sent, view);
  if (purpose === 'sale') return chooseSale(deps, sent, view);
  return { goTo: viewPath(view, selectionQuery(isAll, ids), `/inventory/${purpose}`) };
}

function selectionQuery(isAll: boolean, ids: readonly number[]): Record<string, string> {
  return isAll ? { all: '1' } : { lots: ids.join(',') };
}

async function chooseSale(deps: WebDeps, sent: OwnSentRequest, view: InventoryView) {
  const chosen = await readChosenIds(deps, sent, view);
  if (typeof chosen === 'string') return showInventory(deps, sent, view, chosen);
  if (chosen.length > salesMax) {
    const fault = `Select at most ${salesMax} lots to record their sales.`;
    return showInventory(deps, sent, view, fault);
  }
  return { goTo: `/sales/new?lots=${chosen.join(',')}` };
}

function nothingSelected(deps: WebDeps, sent: OwnSentRequest, view: InventoryView) {
  return showInventory(deps, sent, view, 'Select the lots first.');
}

function sentIds({ form }: OwnSentRequest): number[] {
  return [...new Set(form.texts('lot').flatMap((text) => idOf(text) ?? []))];
}

const changedFault = 'The lots in this view changed since you opened it. Check it and try again.';
const tooManyFault =
  `At most ${countText(editLotsMax)} lots can be changed at once. ` +
  'Narrow the view with filters.';

/** The selected ids, or an error. */
async function readChosenIds(deps: WebDeps, sent: OwnSentRequest, view: InventoryView) {
  if (!sent.form.isTicked('all')) return sentIds(sent);
  const { rows } = (await readViewLots(deps, sent, view)).inventory;
  if (String(rows.length) !== sent.form.text('count')) return changedFault;
  return rows.length > editLotsMax ? tooManyFault : rows.map(({ lot }) => lot.id);
}

async function postMove(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const brickfolioId = idOf(sent.form.text('to')) ?? 0;
  return editChosen(deps, sent, { kind: 'move', brickfolioId });
}

async function postStatus(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const status = holdingStatuses.find((each) => each === sent.form.text('status'));
  if (!status) return showInventory(deps, sent, readView(sent.query), 'Choose a status.');
  return editChosen(deps, sent, { kind: 'status', status });
}

async function editChosen(deps: WebDeps, sent: OwnSentRequest, change: LotChange) {
  const view = readView(sent.query);
  const chosen = await readChosenIds(deps, sent, view);
  if (typeof chosen === 'string') return refuse(deps, sent, view, chosen);
  if (chosen.length === 0) return nothingSelected(deps, sent, view);
  return applyEdit(deps, sent, view, sameFor(chosen, change));
}

/** Shows why nothing was changed, unless it is because the same form has changed it before. */
async function refuse(deps: WebDeps, sent: OwnSentRequest, view: InventoryView, fault: string) {
  const before = await findApplied(deps, sent);
  if (!before?.editId) return showInventory(deps, sent, view, fault);
  return { goTo: viewPath(view, { undo: String(before.editId) }) };
}

interface Edit {
  readonly kind: LotEditKind;
  readonly rows: readonly AccountRow[];
}

function sameFor(lotIds: readonly number[], change: LotChange): Edit {
  const rows = lotIds.map((lotId) => ({ kind: 'lot_change', lotId, change }) as const);
  return { kind: change.kind, rows };
}

/** Redirects to the view with an undo, or shows it with the error. */
export async function applyEdit(
  deps: WebDeps,
  sent: OwnSentRequest,
  view: InventoryView,
  { kind, rows }: Edit,
) {
  const result = await editLots(actionOf(deps, sent), kind, rows);
  if (result.id !== null) return { goTo: viewPath(view, { undo: String(result.id) }) };
  const fault = editText(result);
  if (fault === '') return { goTo: viewPath(view, { did: 'nothing' }) };
  return showInventory(deps, sent, view, fault);
}

async function postUndo(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const view = readView(sent.query);
  const editId = idOf(sent.form.text('edit')) ?? 0;
  const outcome = await deps.accounts.undoEdit(sent.who.accountId, { editId, of: 'lots' }, sent.at);
  if (typeof outcome === 'number') {
    await recordAudit(deps, sent, { action: 'edit.undone', detail: usNounText(outcome, 'lot') });
    return { goTo: viewPath(view, { did: 'undone', n: String(outcome) }) };
  }
  const fault =
    outcome === 'changed'
      ? 'This cannot be undone: some of these lots have changed since.'
      : 'This can no longer be undone. Changes can be undone once, for 24 hours.';
  return showInventory(deps, sent, view, fault);
}

export interface Selection {
  readonly view: InventoryView;
  readonly rows: readonly InventoryRow[];
  readonly action: string;
}

type OfSelection<R extends OwnRequest> = (
  deps: WebDeps,
  request: R,
  selection: Selection,
) => PageAnswer | Promise<PageAnswer>;

export function withSelection(page: {
  readonly get: OfSelection<OwnRequest>;
  readonly post: OfSelection<OwnSentRequest>;
}) {
  return {
    get: ofSelection(page.get),
    // Forms are rejected if the number of lots in the view has changed.
    post: ofSelection<OwnSentRequest>((deps, sent, selection) =>
      sent.form.text('count') === String(selection.rows.length)
        ? page.post(deps, sent, selection)
        : refuse(deps, sent, selection.view, changedFault),
    ),
  };
}

/** Answers with the selected lots; returns to the view if there are none or too many. */
function ofSelection<R extends OwnRequest>(answer: OfSelection<R>) {
  return async (deps: WebDeps, request: R): Promise<PageAnswer> => {
    const view = readView(request.query);
    const { inventory } = await readViewLots(deps, request, view);
    const named = new Set((request.query.get('lots') ?? '').split(','));
    const isAll = request.query.has('all');
    const rows = inventory.rows.filter(({ lot }) => isAll || named.has(String(lot.id)));
    if (rows.length === 0) return { goTo: viewPath(view) };
    if (rows.length > editLotsMax) return showInventory(deps, request, view, tooManyFault);
    const selection = selectionQuery(isAll, idsOf(rows));
    return answer(deps, request, { view, rows, action: viewPath(view, selection, request.path) });
  };
}

const idsOf = (rows: readonly InventoryRow[]) => rows.map(({ lot }) => lot.id);

/** The prices that were changed or confirmed, with the price that was shown. */
function readPrices(fields: FormReader, rows: readonly InventoryRow[]): readonly AccountRow[] {
  return idsOf(rows).flatMap((lotId) => {
    const priceCents = fields.cents(`price-${lotId}`);
    const seenCents = Number(fields.form.text(`seen-${lotId}`));
    const isUnchanged = priceCents === seenCents && !fields.form.isTicked(`confirm-${lotId}`);
    const change = { kind: 'price', priceCents, seenCents } as const;
    return isUnchanged ? [] : [{ kind: 'lot_change', lotId, change } as const];
  });
}

function showPrices(_: WebDeps, request: OwnRequest, { view, rows, action }: Selection) {
  const isEstimated = rows.some(({ lot }) => lot.isEstimated);
  return (
    <Layout title="Purchase prices" request={request}>
      <BackLink href={viewPath(view)}>Back to inventory</BackLink>
      <Card title="One price for all">
        <PostForm action={action} class="row">
          <input type="hidden" name="one" value="yes" />
          <input type="hidden" name="count" value={rows.length} />
          <Field name="price" label="Purchase price per unit ($)" isRequired />
          <button type="submit" class="plain">
            Set price of {nounText(rows.length, 'lot')}
          </button>
        </PostForm>
      </Card>
      {rows.length > lotsListedMax ? (
        <p class="quiet">Select at most {lotsListedMax} lots to edit each price.</p>
      ) : (
        <Card title="A price for each lot">
          <PostForm action={action} class="price-grid">
            <input type="hidden" name="count" value={rows.length} />
            <DataTable
              label="Prices"
              rows={rows}
              columns={isEstimated ? [...priceColumns, confirmColumn] : priceColumns}
            />
            <button type="submit">Save prices</button>
          </PostForm>
        </Card>
      )}
    </Layout>
  );
}

export const selectedItem: Column<Pick<InventoryRow, 'lot' | 'item'>> = mainColumn(
  'Item',
  ({ lot, item }) => (
    <ItemCell
      kind={lot.kind}
      number={item.number}
      name={item.title}
      about={conditionNames[lot.condition]}
      href={`/lots/${lot.id}`}
    />
  ),
);

const priceColumns: readonly Column<InventoryRow>[] = [
  selectedItem,
  countColumn('Qty', ({ lot, units }) => units || lot.quantity),
  dayColumn('Purchased', ({ lot }) => purchaseDayText(lot)),
  numberColumn('Value per unit', ({ unitCents }) => <Money cents={unitCents} />),
  numberColumn('Purchase price per unit ($)', ({ lot, item }) => (
    <>
      <CellField
        name={`price-${lot.id}`}
        label={`Purchase price of ${item.title} ($)`}
        value={amountText(lot.priceCents)}
      />
      <input type="hidden" name={`seen-${lot.id}`} value={lot.priceCents} />
    </>
  )),
];

const confirmColumn = column<InventoryRow>(
  'Estimated',
  ({ lot }) => lot.isEstimated && <Checkbox name={`confirm-${lot.id}`} label="Confirm price" />,
);

function showDate(_: WebDeps, request: OwnRequest, { view, rows, action }: Selection): PageAnswer {
  return (
    <CardPage title="Set purchase date" request={request}>
      <PostForm action={action}>
        <input type="hidden" name="count" value={rows.length} />
        <Field
          name="purchase_date"
          label="Purchase date"
          type="date"
          value={request.today}
          isRequired
        />
        <SubmitOrCancel cancel={viewPath(view)}>
          {`Set date of ${nounText(rows.length, 'lot')}`}
        </SubmitOrCancel>
      </PostForm>
    </CardPage>
  );
}

async function showDetails(deps: WebDeps, request: OwnRequest, { view, rows, action }: Selection) {
  const ownFields = await deps.accounts.listOwnFields(request.who.accountId);
  return (
    <CardPage title="Edit details" request={request}>
      <PostForm action={action}>
        <input type="hidden" name="count" value={rows.length} />
        <p class="quiet">Fields that you leave empty stay as they are.</p>
        <DetailInputs details={noDetails} ownFields={ownFields} />
        <RemovedFields ownFields={ownFields} />
        <SubmitOrCancel cancel={viewPath(view)}>
          {`Change ${nounText(rows.length, 'lot')}`}
        </SubmitOrCancel>
      </PostForm>
    </CardPage>
  );
}

function showDelete(_: WebDeps, request: OwnRequest, { view, rows, action }: Selection) {
  const deleted = rows.filter(({ lot }) => lot.sold === 0);
  const withSales = rows.length - deleted.length;
  const title =
    deleted.length > 0 ? `Delete ${nounText(deleted.length, 'lot')}?` : 'These lots have sales';
  return (
    <CardPage title={title} request={request}>
      {deleted.length > 0 && <p>{nameSome(deleted)}</p>}
      {withSales > 0 && (
        <Notice kind="warn">
          {nounText(withSales, 'lot')} with recorded sales will be kept. Delete the sales first.
        </Notice>
      )}
      <PostForm action={action} class="row">
        <input type="hidden" name="count" value={rows.length} />
        {deleted.length > 0 && (
          <button class="danger" type="submit">
            Delete {nounText(deleted.length, 'lot')}
          </button>
        )}
        <PlainLink href={viewPath(view)}>Cancel</PlainLink>
      </PostForm>
    </CardPage>
  );
}

const namedMax = 5;

function nameSome(rows: readonly InventoryRow[]): string {
  const names = rows.slice(0, namedMax).map(({ item }) => item.title);
  const more = rows.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${countText(more)} more` : '');
}

function postDelete(deps: WebDeps, sent: OwnSentRequest, { view, rows }: Selection) {
  const removals = idsOf(rows).map((lotId) => ({ kind: 'lot_removal', lotId }) as const);
  return applyEdit(deps, sent, view, { kind: 'delete', rows: removals });
}
