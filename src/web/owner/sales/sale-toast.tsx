/** Messages about sales that were just recorded, changed or deleted, with undo. */

import { type OwnSale, sumSales } from '../../../portfolio/sales/ledger.ts';
import { findListedItem, itemText, namedItem } from '../../catalog/find-item.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { gainText, moneyText, nounText } from '../../kit/format.ts';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';

/** The maximum number of sales of one form, limited by its number of fields. */
export const idsMax = 100;

const undoPath = '/sales/undo';

export const undoSaleRoutes = routes('own', {
  [undoPath]: { get: () => ({ goTo: '/sales' }), post: postUndo },
});

/** Reads ids separated by commas, without duplicates and invalid ones. */
export function readIds(text: string): number[] {
  const ids = text.split(',').flatMap((part) => idOf(part.trim()) ?? []);
  return [...new Set(ids)].slice(0, idsMax);
}

/** Deletes sales that were just recorded, or undoes a change of one. */
async function postUndo(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const editId = idOf(sent.form.text('edit'));
  if (editId !== null) {
    const undone = await deps.accounts.undoEdit(
      sent.who.accountId,
      { editId, of: 'sale' },
      sent.at,
    );
    const did = typeof undone === 'number' ? 'undone' : undoneAs[undone];
    return { goTo: withQuery('/sales', { did }) };
  }
  const ids = readIds(sent.form.text('sales'));
  const rows = ids.map((saleId) => ({ kind: 'sale_removal', saleId }) as const);
  const { outcomes } = await deps.accounts.change(sent.who.accountId, { rows }, sent.at);
  const undone = outcomes.filter(({ kind }) => kind === 'updated').length;
  // The second of two identical forms finds nothing to undo.
  return { goTo: withQuery('/sales', { did: 'deleted', n: undone || 1 }) };
}

/** The `did` parameter, by why a change was not undone. */
const undoneAs = { missing: 'too-late', changed: 'not-undone' } as const;

/** The request without the parameters of the message, so that links do not repeat it. */
export function withoutMessage<R extends PageRequest>(request: R): R {
  const query = new URLSearchParams(request.query);
  for (const name of ['did', 'n', 'undo', 'item']) query.delete(name);
  return { ...request, query };
}

/** The message for the parameters of an address; null if there is none. */
export async function saleToast(deps: WebDeps, request: OwnRequest) {
  const { query } = request;
  const did = query.get('did');
  if (did === 'changed') {
    const edit = query.get('undo');
    const [id = 0] = readIds(query.get('n') ?? '');
    const sale = await deps.accounts.findSale(request.who.accountId, id);
    const text = `${sale ? await soldText(deps, sale) : 'Sale'} updated.`;
    if (edit === null) return <Toast>{text}</Toast>;
    return <Toast undo={{ action: undoPath, fields: { edit } }}>{text}</Toast>;
  }
  const undone = new Map(Object.entries(undoneTexts)).get(did ?? '');
  if (undone) return <Toast>{undone}</Toast>;
  if (did === 'deleted') {
    // Only sales recorded on a page are undone, and these took units of lots.
    if (query.has('item')) {
      return <Toast>{`Sale of ${await namedItem(deps, query, 'item')} deleted.`}</Toast>;
    }
    if (!query.has('n')) return <Toast>Sale deleted.</Toast>;
    const count = Number(query.get('n')) || 1;
    const what = count === 1 ? 'Sale' : nounText(count, 'sale');
    return <Toast>{`${what} deleted. Units are back in their lots.`}</Toast>;
  }
  const ids = readIds(did === 'saved' ? (query.get('undo') ?? '') : '');
  const found = await Promise.all(
    ids.map((id) => deps.accounts.findSale(request.who.accountId, id)),
  );
  const sales = found.filter((sale) => sale !== null);
  if (sales.length === 0) return null;
  const undo = { action: undoPath, fields: { sales: sales.map(({ id }) => id).join() } };
  return <Toast undo={undo}>{await savedText(deps, sales)}</Toast>;
}

const undoneTexts: Readonly<Record<string, string>> = {
  undone: 'Change undone.',
  'too-late': 'This can no longer be undone. Changes can be undone once, for 24 hours.',
  'not-undone': 'This cannot be undone: the sale or its lots have changed since.',
};

async function savedText(deps: WebDeps, sales: readonly OwnSale[]): Promise<string> {
  const amounts = sales.map(({ facts, costCents }) => ({ ...facts, costCents }));
  const { netCents, profitCents } = sumSales(amounts);
  const [first, second] = sales;
  const what = first && !second ? await soldText(deps, first) : nounText(sales.length, 'sale');
  return `${what} saved: net ${moneyText(netCents)}, profit ${gainText(profitCents)}.`;
}

async function soldText(deps: WebDeps, { facts }: OwnSale): Promise<string> {
  const { title } = await findListedItem(deps, facts);
  return `Sale of ${facts.quantity} × ${itemText({ number: facts.number, title })}`;
}
