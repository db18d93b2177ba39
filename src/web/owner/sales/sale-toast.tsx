/** Messages about sales that were just recorded, changed or deleted, with undo. */

import { undoSaleChange } from '../../../accounts/own-sales.ts';
import { type OwnSale, proceedsOf } from '../../../domain/portfolio/ledger.ts';
import { findListedItem, itemText, namedItem } from '../../catalog/find-item.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { gainText, moneyText, nounText } from '../../kit/format.ts';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest } from '../../page.ts';
import { ownPages } from '../../page-table.ts';

/** The maximum number of sales of one form, limited by its number of fields. */
export const idsMax = 100;

const undoPath = '/sales/undo';

export const undoSaleRoutes = ownPages({
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
    const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
    return { goTo: withQuery('/sales', { did: undoneAs[await undoSaleChange(doing, editId)] }) };
  }
  const ids = readIds(sent.form.text('sales'));
  const undone = await deps.accounts.removeSales(sent.who.accountId, ids);
  // The second of two identical forms finds nothing to undo.
  return { goTo: withQuery('/sales', { did: 'deleted', n: undone || 1 }) };
}

/** The `did` parameter for each outcome. */
const undoneAs = { done: 'undone', missing: 'too-late', changed: 'not-undone' } as const;

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
  'too-late': 'This can no longer be undone. Changes can be undone for 24 hours.',
  'not-undone': 'This cannot be undone: the sale or its lots have changed since.',
};

async function savedText(deps: WebDeps, sales: readonly OwnSale[]): Promise<string> {
  const proceeds = sales.map(({ facts, costCents }) => proceedsOf({ ...facts, costCents }));
  const net = proceeds.reduce((sum, { netCents }) => sum + netCents, 0);
  const profit = proceeds.reduce((sum, { profitCents }) => sum + profitCents, 0);
  const [first, second] = sales;
  const what = first && !second ? await soldText(deps, first) : nounText(sales.length, 'sale');
  return `${what} saved: net ${moneyText(net)}, profit ${gainText(profit)}.`;
}

async function soldText(deps: WebDeps, { facts }: OwnSale): Promise<string> {
  const { title } = await findListedItem(deps, facts);
  return `Sale of ${facts.quantity} × ${itemText({ number: facts.number, title })}`;
}
