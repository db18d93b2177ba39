/** The list of purchases, and a purchase: its lots, changing and undoing it. */

import { type EvaluatedRow, findRowItems } from '../../../buying/boxes/evaluate-rows.work.ts';
import { rowOf } from '../../../buying/boxes/typed-items.work.ts';
import { sentence } from '../../../kernel/text.ts';
import type { ListedItem } from '../../../market/published/published-records.ts';
import { findListed } from '../../../portfolio/lots/collection.work.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import { type ActionResult, applyOnce } from '../../../portfolio/lots/own-lots.work.ts';
import { isRejected } from '../../../portfolio/lots/private-rows.ts';
import {
  type Bought,
  changePurchase,
  changeStoreAndDate,
  costOf,
  rowNames,
} from '../../../portfolio/purchases/own-purchases.work.ts';
import {
  type BoughtRow,
  fixedReason,
  refundedCents,
  rowOfLot,
} from '../../../portfolio/purchases/purchases.ts';
import { ButtonLink, PlainLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Facts } from '../../kit/card.tsx';
import { countColumn, dayColumn, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { confirmDelete, deletion } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { actionOf, formPage } from '../../kit/form-page.tsx';
import { countText, dayText, moneyText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { CardPage, inventoryTabs, Layout } from '../../kit/layout.tsx';
import { List, lastPagePath, PagePager, pageRange } from '../../kit/list.tsx';
import { Menu } from '../../kit/menu.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { suggestRows } from '../buying/box-suggestions.ts';
import {
  changedSince,
  findOwn,
  lotColumns,
  postUndoReturn,
  ReturnsCard,
  ReturnToast,
  returnForm,
  titleOf,
  undoneReturnTexts,
  versionOfBought,
  withItems,
} from './bought.tsx';
import {
  type CheckedInput,
  checkPurchase,
  lotsOfInput,
  PurchaseForm,
  type PurchaseInput,
  purchaseRowsMax,
  readPurchaseForm,
  statedRows,
} from './purchase-form.tsx';
import { refusedReceipt, type TypedReceipt } from './receipt-fields.tsx';

export function purchaseRoutes() {
  return routes('own', {
    '/purchases': { get: showAll },
    '/purchases/{id}': page({ find: findOwn, get: show }),
    '/purchases/{id}/edit': page({ find: findOwn, ...editForm }),
    '/purchases/{id}/return': page({ find: findOwn, ...returnForm }),
    '/purchases/{id}/undo-return': page({ find: findOwn, post: postUndoReturn }),
    '/purchases/{id}/delete': deletion({
      find: findOwn,
      goneTo: undonePath,
      get: askUndo,
      post: postUndo,
    }),
  });
}

const undonePath = '/purchases?did=undone';

const listColumns: readonly Column<BoughtRow & { readonly item: ListedItem | null }>[] = [
  mainColumn('Purchase', (row) =>
    row.lot === null ? (
      <a href={`/purchases/${row.purchaseId}`}>{titleOf(row)}</a>
    ) : (
      <ItemCell
        kind={row.lot.kind}
        number={row.lot.number}
        name={row.item?.title ?? ''}
        about={row.store}
        href={`/lots/${row.lot.id}`}
      />
    ),
  ),
  dayColumn('Date', ({ purchaseDate }) => dayText(purchaseDate), { phone: 'detail' }),
  countColumn('Units', ({ units }) => units, { phone: 'count' }),
  moneyColumn('Total', ({ totalCents }) => totalCents, { phone: 'top' }),
  moneyColumn('Refunded', (row) => row.refundedCents || null, { missing: 'Nothing' }),
];

async function showAll({ accounts, portfolio }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { rows, total } = await accounts.pageBought(request.who.accountId, pageRange(request));
  const last = lastPagePath(request, total);
  if (last) return { goTo: last };
  const lots = rows.flatMap(({ lot }) => lot ?? []);
  const itemOf = await findListed(portfolio.market, lots);
  return (
    <Layout
      title="Purchases"
      request={request}
      tabs={inventoryTabs}
      done={{ undone: 'Purchase undone. Its lots are removed.' }}
      actions={<ButtonLink href="/purchases/new">Record a purchase</ButtonLink>}
    >
      <List
        request={request}
        label="Purchases"
        columns={listColumns}
        rows={rows.map((row) => ({ ...row, item: row.lot && itemOf(row.lot) }))}
        total={total}
        empty={
          <EmptyState title="No purchases yet" actions={[['/purchases/new', 'Record a purchase']]}>
            Record several sets with one receipt. What you paid is split among them, to the cent.
          </EmptyState>
        }
      />
    </Layout>
  );
}

async function show(deps: WebDeps, request: OwnRequest, found: Bought): Promise<PageAnswer> {
  const { purchase, lots } = found;
  const { taxCents, shippingCents, returns } = purchase;
  const path = `/purchases/${purchase.id}`;
  const last = lastPagePath(request, lots.length);
  if (last !== null) return { goTo: last };
  const { offset, limit } = pageRange(request);
  const page = await withItems(deps, lots.slice(offset, offset + limit));
  const isFixed = fixedReason(purchase, lots) !== null;
  const edits =
    returns.length === 0
      ? []
      : await deps.accounts.listReturnEdits(request.who.accountId, request.at);
  return (
    <Layout
      title={titleOf(purchase)}
      request={request}
      tabs={inventoryTabs}
      done={{
        added: 'Purchase saved.',
        changed: 'Purchase updated.',
        ...undoneReturnTexts,
      }}
      actions={
        <>
          <Menu label="More" look="button plain">
            <a href="/purchases">All purchases</a>
            <hr />
            <a class="danger" href={`${path}/delete`}>
              Undo purchase
            </a>
          </Menu>
          {lots.some(({ quantity, sold }) => sold < quantity) && (
            <PlainLink href={`${path}/return`}>Return items</PlainLink>
          )}
          {!isFixed && <PlainLink href={`${path}/edit`}>Edit</PlainLink>}
        </>
      }
    >
      <ReturnToast request={request} purchase={purchase} edits={edits} />
      <Card>
        <Facts
          facts={[
            ['Store', purchase.store ?? 'Not specified'],
            ['Date', dayText(purchase.purchaseDate)],
            ['Total paid', moneyText(purchase.totalCents)],
            ...(taxCents > 0 ? [['Sales tax in it', moneyText(taxCents)] as const] : []),
            ...(shippingCents > 0 ? [['Shipping in it', moneyText(shippingCents)] as const] : []),
            ['Cost of its lots', moneyText(costOf(lots))],
            ...(returns.length > 0
              ? [['Refunded', moneyText(refundedCents(returns))] as const]
              : []),
          ]}
        />
      </Card>
      <Card title={nounText(lots.length, 'lot')}>
        <DataTable label="Lots" columns={lotColumns} rows={page} />
        <PagePager request={request} total={lots.length} />
      </Card>
      {returns.length > 0 && <ReturnsCard purchase={purchase} edits={edits} />}
    </Layout>
  );
}

/** Why a purchase cannot be changed, on a page of its own. */
function fixedPage(
  request: OwnRequest,
  { purchase }: Bought,
  { reason, status = 200 }: { readonly reason: string; readonly status?: number },
): PageAnswer {
  const page = (
    <CardPage title="This purchase is final" request={request}>
      <p>{reason}</p>
      <p>
        <PlainLink href={`/purchases/${purchase.id}`}>Back to the purchase</PlainLink>
      </p>
    </CardPage>
  );
  return { page, status };
}

const editForm = formPage<OwnRequest, Bought, CheckedInput & { readonly seen: string }>({
  show: async (deps, request, found, input) => {
    const { purchase, lots } = found;
    const fixed = fixedReason(purchase, lots) ?? tooMany(lots);
    if (fixed) return fixedPage(request, found, { reason: fixed });
    const rows = input?.rows ?? (await findRowItems(deps.market, mergedRows(found)));
    return (
      <Layout title={`Edit ${titleOf(purchase)}`} request={request}>
        <PurchaseForm
          action={`/purchases/${purchase.id}/edit`}
          button="Save changes"
          receipt={input?.receipt ?? shownReceipt(found)}
          rows={rows}
          suggestions={await suggestRows(deps, rows)}
          brickfolios={null}
          sure={input?.sure ?? null}
          // A form that is shown again is still about what was first seen.
          seen={input?.seen ?? versionOfBought(found)}
        />
      </Layout>
    );
  },
  read: async ({ deps, fields, found }) => {
    const typed = await readPurchaseForm(deps, fields);
    // Prices that were recorded are not questioned again.
    const sure = hasSameCosts(found, typed) ? null : await checkPurchase(deps, fields, typed);
    return { ...typed, sure, seen: fields.form.text('seen') };
  },
  save: async ({ deps, sent, found }, input) => {
    const action = actionOf(deps, sent);
    const answer = (done: ActionResult) =>
      done.ok ? changedTo(found) : { refused: sentence(done.reason), field: 'total' };
    if (input.seen !== versionOfBought(found)) return { refused: changedSince };
    if (hasSameCosts(found, input)) {
      return answer(await changeStoreAndDate(action, found, input.receipt));
    }
    const split = lotsOfInput(input, rowNamer(found, input));
    if ('problem' in split) return refusedReceipt(split.problem);
    const { lots, totalCents, prices } = split;
    const terms = { ...input.receipt, totalCents, prices };
    return answer(await changePurchase(action, found, { terms, lots }));
  },
  sentBefore: ({ found }) => changedTo(found),
});

function changedTo({ purchase }: Bought) {
  return { goTo: `/purchases/${purchase.id}?did=changed` };
}

/** The total is shown only if the prices do not say it, so that a corrected price is kept. */
function shownReceipt(found: Bought): TypedReceipt {
  const { purchase } = found;
  const prices = mergedRows(found).map(({ row: { quantity, priceCents } }) =>
    priceCents === null ? null : quantity * priceCents,
  );
  const sum = prices.reduce<number>((total, cents) => total + (cents ?? 0), 0);
  const isTotalEdited =
    prices.every((cents) => cents !== null) &&
    sum + purchase.taxCents + purchase.shippingCents === purchase.totalCents;
  return { ...purchase, totalCents: isTotalEdited ? null : purchase.totalCents };
}

/** Whether nothing that decides about costs is other than the form showed it. */
function hasSameCosts(found: Bought, { receipt, rows }: PurchaseInput): boolean {
  const { totalCents, taxCents, shippingCents } = found.purchase;
  const isSameTotal =
    receipt.totalCents === totalCents || receipt.totalCents === shownReceipt(found).totalCents;
  return (
    isSameTotal &&
    receipt.taxCents === taxCents &&
    receipt.shippingCents === shippingCents &&
    JSON.stringify(statedRows(rows)) === JSON.stringify(statedRows(mergedRows(found)))
  );
}

function tooMany(lots: readonly OwnLot[]): string | null {
  return lots.length > purchaseRowsMax
    ? `It has more than ${countText(purchaseRowsMax)} lots. Edit them one by one.`
    : null;
}

/** The rows of the receipt, with their names; the lots of a row may differ by a cent. */
function mergedRows({ lots, purchase }: Bought) {
  const groups = Map.groupBy(lots, rowOfLot);
  return [...groups].flatMap(([name, same], index) => {
    const [lot] = same;
    if (!lot) return [];
    const quantity = same.reduce((sum, each) => sum + each.quantity, 0);
    const row = rowOf({ kind: lot.kind, number: lot.number, condition: lot.condition, quantity });
    const priceCents = purchase.prices[name] ?? null;
    return [{ name, row: { ...row, grade: lot.grade, priceCents }, index }];
  });
}

/** Names the rows of a form: those that the purchase had keep their numbers in it. */
function rowNamer(found: Bought, { rows }: PurchaseInput) {
  const known = new Map(mergedRows(found).map(({ index, name }) => [index, name]));
  const changed = rows.map(({ row, index }) => {
    const { kind, number, condition, grade } = row;
    const item = { kind, number: number ?? '', condition: condition ?? 'sealed', grade };
    return { ...item, name: known.get(index) ?? null };
  });
  const names = new Map(
    rowNames(found.lots, changed).map((name, position) => [rows[position]?.index, name]),
  );
  return ({ index }: EvaluatedRow) => names.get(index) ?? '';
}

function askUndo(_: WebDeps, request: OwnRequest, found: Bought): PageAnswer {
  const { purchase, lots } = found;
  const sold = fixedReason({ returns: [] }, lots);
  if (sold) return fixedPage(request, found, { reason: sold });
  return confirmDelete({
    request,
    noun: 'purchase',
    name: titleOf(purchase),
    outcome: `Its ${nounText(lots.length, 'lot')} will be removed from your inventory.`,
    cancel: `/purchases/${purchase.id}`,
  });
}

async function postUndo(deps: WebDeps, sent: OwnSentRequest, found: Bought) {
  const rows = [{ kind: 'purchase_removal', purchaseId: found.purchase.id } as const];
  const { outcomes } = await applyOnce(actionOf(deps, sent), { rows });
  const refused = outcomes.filter(isRejected).find(({ refusal }) => refusal === 'sold');
  if (refused) return fixedPage(sent, found, { reason: refused.reason, status: 400 });
  return { goTo: undonePath };
}
