/** The returns of a purchase, and undoing them. */

import type { Bought } from '../../../portfolio/purchases/own-purchases.work.ts';
import type { Purchase, PurchaseReturn } from '../../../portfolio/purchases/purchases.ts';
import { recordAudit } from '../../audit.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { ButtonForm } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { actionColumn, dayColumn, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { dayText, usNounText } from '../../kit/format.ts';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, WebDeps } from '../../page.ts';

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

/** Says that a return was recorded. */
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
