/** A purchase with its lots: how its pages find and show it, and its returns. */

import { sentence } from '../../../kernel/text.ts';
import type { ListedItem } from '../../../market/published/published-records.ts';
import { findListed } from '../../../portfolio/lots/collection.work.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import { type Bought, returnUnits } from '../../../portfolio/purchases/own-purchases.work.ts';
import type { Purchase, PurchaseReturn } from '../../../portfolio/purchases/purchases.ts';
import { recordAudit } from '../../audit.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { ButtonForm, PlainLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import {
  actionColumn,
  column,
  countColumn,
  dayColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { CellField, Field, PostForm } from '../../kit/fields.tsx';
import { actionOf, formPage, type Sent } from '../../kit/form-page.tsx';
import { amountText, versionOf } from '../../kit/form-reader.ts';
import { dayText, moneyText, nounText, usNounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { lastPagePath, PagePager, pageRange } from '../../kit/list.tsx';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, WebDeps } from '../../page.ts';
import { byOwnId } from '../../page-table.ts';
import { stateText } from '../buying/box-fields.tsx';
import { unitsLeft } from '../sales/sale-origin.ts';

/** The purchase that a path names; null if the account does not have it. */
export const findOwn = byOwnId(async (accounts, accountId, id): Promise<Bought | null> => {
  const purchase = await accounts.findPurchase(accountId, id);
  if (!purchase) return null;
  return { purchase, lots: await accounts.listPurchaseLots(accountId, purchase.sourceId) };
});

export function titleOf({ store, purchaseDate }: Pick<Purchase, 'store' | 'purchaseDate'>): string {
  return store === null
    ? `Purchase of ${dayText(purchaseDate)}`
    : `${store}, ${dayText(purchaseDate)}`;
}

export function versionOfBought({ purchase, lots }: Bought): string {
  return versionOf([JSON.stringify([purchase, lots])]);
}

export const changedSince =
  'This purchase was changed since you opened it. Open it again, check it and repeat your change.';

export interface ShownLot {
  readonly lot: OwnLot;
  readonly item: ListedItem;
}

export async function withItems({ portfolio }: WebDeps, lots: readonly OwnLot[]) {
  const itemOf = await findListed(portfolio.market, lots);
  return lots.map((lot) => ({ lot, item: itemOf(lot) }));
}

/** The columns that say which lot a row is. */
export const namingColumns: readonly Column<ShownLot>[] = [
  mainColumn('Item', ({ lot, item }) => (
    <ItemCell kind={lot.kind} number={lot.number} name={item.title} href={`/lots/${lot.id}`} />
  )),
  column('Condition', ({ lot }) => stateText(lot)),
];

export const lotColumns: readonly Column<ShownLot>[] = [
  ...namingColumns,
  countColumn('Quantity', ({ lot }) => lot.quantity),
  countColumn('Sold', ({ lot }) => lot.sold),
  moneyColumn('Cost each', ({ lot }) => lot.priceCents),
  moneyColumn('Cost', ({ lot }) => lot.quantity * lot.priceCents),
];

/** The maximum number of lots with a field each, limited by the fields of a form. */
const lotsListedMax = 200;

export const returnForm = formPage<OwnRequest, Bought, ReturnInput>({
  show: showReturn,
  read: readReturn,
  save: async ({ deps, sent, found }, input) => {
    if (input.seen !== versionOfBought(found)) return { refused: changedSince };
    const done = await returnUnits(actionOf(deps, sent), found.purchase, input);
    if (!done.ok) return { refused: sentence(done.reason) };
    return returned(found);
  },
  sentBefore: ({ found }) => returned(found),
});

function returned({ purchase }: Bought) {
  return { goTo: `/purchases/${purchase.id}?did=returned` };
}

type ReturnInput = ReturnType<typeof readReturn>;

function readReturn({ fields, found }: Sent<OwnRequest, Bought>) {
  // Whether everything is returned, without a field for each lot.
  const isWhole = fields.form.isTicked('all');
  const units = openLots(found).flatMap((lot) => {
    const max = unitsLeft(lot);
    const typed = isWhole ? max : fields.wholeOrNull(`units-${lot.id}`, { min: 0, max });
    return typed ? [{ lot, units: typed }] : [];
  });
  const date = fields.pastDay('date');
  if (date < found.purchase.purchaseDate) {
    fields.fail('date', `It was bought on ${dayText(found.purchase.purchaseDate)}.`);
  }
  if (units.length === 0) fields.fail('date', 'Enter how many units you returned.');
  const costCents = units.reduce((sum, each) => sum + each.units * each.lot.priceCents, 0);
  const refundCents = fields.centsOrNull('refund') ?? costCents;
  return { units, isWhole, date, refundCents, seen: fields.form.text('seen') };
}

function openLots({ lots }: Bought): OwnLot[] {
  return lots.filter((lot) => unitsLeft(lot) > 0);
}

async function showReturn(deps: WebDeps, request: OwnRequest, found: Bought, input?: ReturnInput) {
  const open = openLots(found);
  const last = lastPagePath(request, open.length, lotsListedMax);
  if (last !== null) return { goTo: last };
  const path = `/purchases/${found.purchase.id}/return`;
  const isWhole = request.query.has('all') || (input?.isWhole ?? false);
  const { offset } = pageRange(request, lotsListedMax);
  return (
    <Layout
      title={`Return items of ${titleOf(found.purchase)}`}
      request={request}
      actions={
        <PlainLink href={isWhole ? path : `${path}?all=1`}>
          {isWhole ? 'Choose items' : 'Return everything'}
        </PlainLink>
      }
    >
      <Card>
        <PostForm
          action={withQuery(path, { page: request.query.get('page') })}
          class="stack box-rows"
        >
          <input type="hidden" name="seen" value={versionOfBought(found)} />
          {isWhole && open.length > lotsListedMax ? (
            <WholeReturn lots={open} />
          ) : (
            <>
              <DataTable
                label="Lots"
                columns={columnsOf(isWhole)}
                rows={await withItems(deps, open.slice(offset, offset + lotsListedMax))}
              />
              <LotPages request={request} path={path} lots={open.length} />
            </>
          )}
          <div class="form-grid">
            <Field name="date" label="Date" type="date" value={request.today} isRequired />
            <Field
              name="refund"
              label="Refund ($)"
              {...(isWhole && { value: amountText(leftCents(open)) })}
              hint="If empty, what the units cost."
            />
          </div>
          <p class="quiet flush">
            Returned units leave your inventory as if you had not bought them.
          </p>
          <button type="submit">Record return</button>
        </PostForm>
      </Card>
    </Layout>
  );
}

/** Says what is returned if there are too many lots for a field each. */
function WholeReturn({ lots }: { readonly lots: readonly OwnLot[] }) {
  const units = lots.reduce((sum, lot) => sum + unitsLeft(lot), 0);
  const what = `${nounText(units, 'unit')} of ${nounText(lots.length, 'lot')}`;
  const cost = moneyText(leftCents(lots));
  return (
    <>
      <input type="hidden" name="all" value="yes" />
      <p class="flush">{`Everything that is left: ${what}, bought for ${cost}.`}</p>
    </>
  );
}

function LotPages(props: {
  readonly request: OwnRequest;
  readonly path: string;
  readonly lots: number;
}) {
  const { request, path, lots } = props;
  if (lots <= lotsListedMax) return null;
  return (
    <>
      <p class="quiet flush">Each page is recorded as a return of its own.</p>
      <PagePager request={{ path, query: request.query }} total={lots} rows={lotsListedMax} />
    </>
  );
}

function columnsOf(isWhole: boolean): readonly Column<ShownLot>[] {
  return [
    ...namingColumns,
    countColumn('Left', ({ lot }) => unitsLeft(lot)),
    moneyColumn('Cost each', ({ lot }) => lot.priceCents),
    numberColumn('Units to return', ({ lot, item }) => (
      <CellField
        name={`units-${lot.id}`}
        label={`Units of ${item.title} to return`}
        value={isWhole ? String(unitsLeft(lot)) : '0'}
        inputmode="numeric"
        maxlength={7}
      />
    )),
  ];
}

function leftCents(lots: readonly OwnLot[]): number {
  return lots.reduce((sum, lot) => sum + unitsLeft(lot) * lot.priceCents, 0);
}

interface ReturnsProps {
  readonly request: OwnRequest;
  readonly purchase: Purchase;
  /** Changes that can still be undone. */
  readonly edits: readonly number[];
}

export function ReturnsCard({ purchase, edits }: Omit<ReturnsProps, 'request'>) {
  const undo = actionColumn<PurchaseReturn>(
    ({ editId, items }) =>
      edits.includes(editId) && (
        <ButtonForm {...undoOf(purchase, editId)} look="plain" of={`return of ${items}`}>
          Undo
        </ButtonForm>
      ),
  );
  return (
    <Card title="Returns">
      <DataTable label="Returns" columns={[...columns, undo]} rows={purchase.returns} />
    </Card>
  );
}

const columns: readonly Column<PurchaseReturn>[] = [
  mainColumn('Items', ({ items }) => items),
  dayColumn('Date', ({ date }) => dayText(date)),
  moneyColumn('Cost', ({ costCents }) => costCents),
  moneyColumn('Refund', ({ refundCents }) => refundCents),
];

function undoOf({ id }: Purchase, editId: number) {
  return { action: `/purchases/${id}/undo-return`, fields: { edit: String(editId) } };
}

export function ReturnToast({ request, purchase, edits }: ReturnsProps) {
  const last = purchase.returns.at(-1);
  if (request.query.get('did') !== 'returned' || !last) return null;
  if (!edits.includes(last.editId)) return <Toast>Return recorded.</Toast>;
  return <Toast undo={undoOf(purchase, last.editId)}>Return recorded.</Toast>;
}

export async function postUndoReturn(deps: WebDeps, sent: OwnSentRequest, { purchase }: Bought) {
  const editId = idOf(sent.form.text('edit')) ?? 0;
  const isIts = purchase.returns.some((each) => each.editId === editId);
  const outcome = isIts
    ? await deps.accounts.undoEdit(sent.who.accountId, { editId, of: 'return' }, sent.at)
    : 'missing';
  if (typeof outcome === 'number') {
    await recordAudit(deps, sent, { action: 'edit.undone', detail: usNounText(outcome, 'lot') });
  }
  const did = typeof outcome === 'number' ? 'return-undone' : `return-${outcome}`;
  return { goTo: withQuery(`/purchases/${purchase.id}`, { did }) };
}

/** The messages after undoing a return, by the `did` parameter. */
export const undoneReturnTexts = {
  'return-undone': 'Return undone. Its units are back in your inventory.',
  'return-missing':
    'This return can no longer be undone. Returns can be undone once, for 24 hours.',
  'return-changed':
    'This return cannot be undone: its lots have changed since. Undo later returns of them first.',
} as const;
