/** What was just done to sales, and the way back. */

import { undoSaleChange } from '../../../accounts/own-sales.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { gainText, moneyText, nounText } from '../../../domain/kernel/format.ts';
import { proceedsOf } from '../../../domain/portfolio/ledger.ts';
import type { OwnSale } from '../../../domain/portfolio/ledger-store.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest } from '../../page.ts';
import { ownPages } from '../../page-table.ts';

/** As many sales as a form can record at once: it has so many fields at most. */
export const idsMax = 100;

const undoPath = '/sales/undo';

/** Taking back what was recorded. */
export const undoSaleRoutes = ownPages({
  [undoPath]: { get: () => ({ goTo: '/sales' }), post: postUndo },
});

/** Ids in a row, separated by commas, each once; what cannot be one is left out. */
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
  // Sent twice, there is nothing left to take back.
  return { goTo: withQuery('/sales', { did: 'deleted', n: undone || 1 }) };
}

/** What an address says of it. */
const undoneAs = { done: 'undone', missing: 'too-late', changed: 'not-undone' } as const;

/** A request without what its address says was done: links from here do not say it again. */
export function untold<R extends PageRequest>(request: R): R {
  const query = new URLSearchParams(request.query);
  for (const name of ['did', 'n', 'undo']) query.delete(name);
  return { ...request, query };
}

/** What the address of a page says was done; null when it says nothing. */
export async function saleToast(deps: WebDeps, request: OwnRequest) {
  const { query } = request;
  const did = query.get('did');
  if (did === 'changed') {
    const edit = query.get('undo');
    if (edit === null) return <Toast>Sale updated.</Toast>;
    return <Toast undo={{ request, action: undoPath, fields: { edit } }}>Sale updated.</Toast>;
  }
  const undone = new Map(Object.entries(undoneTexts)).get(did ?? '');
  if (undone) return <Toast>{undone}</Toast>;
  if (did === 'deleted') {
    // What is undone was recorded on a page, from lots. Others may never have taken any units.
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
  const undo = { request, action: undoPath, fields: { sales: sales.map(({ id }) => id).join() } };
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

async function soldText({ portfolio }: WebDeps, { facts }: OwnSale): Promise<string> {
  const key = itemKey('set', facts.setNumber);
  const title = (await portfolio.market.findListedSets([key])).get(key)?.title ?? facts.setNumber;
  return `Sale of ${facts.quantity} × ${title}`;
}
