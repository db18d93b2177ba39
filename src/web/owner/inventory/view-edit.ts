/** Saves views of the inventory, deletes them, and makes one the default. */
import { viewLimits } from '../../../portfolio/lots/saved-views.ts';
import { idOf } from '../../kit/address.ts';
import { FormReader } from '../../kit/form-reader.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { showInventory } from './inventory.tsx';
import { readView, savedQuery, viewPath } from './inventory-view.tsx';

const back = (_: WebDeps, { query }: OwnRequest) => ({ goTo: viewPath(readView(query)) });

export const savedViewRoutes = routes('own', {
  '/inventory/views': { get: back, post: postView },
  '/inventory/views/{id}': { get: back, post: postChange },
});

async function postView(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const view = readView(sent.query);
  const fields = new FormReader(sent.form, sent.today);
  const name = fields.text('name', viewLimits.name);
  if (!fields.isGood) return showInventory(deps, sent, view, nameFault);
  const query = savedQuery(view);
  // A truncated query would be a different view.
  if (query.length > viewLimits.query) return showInventory(deps, sent, view, queryFault);
  const outcome = await deps.accounts.saveView(sent.who.accountId, { name, query }, sent.at);
  if (outcome === 'done') return { goTo: viewPath({ ...view, page: 1 }, { did: 'saved' }) };
  const fault = `You can save ${viewLimits.views} views. Delete one first.`;
  return showInventory(deps, sent, view, fault);
}

const nameFault = `Enter a name of at most ${viewLimits.name} characters for the view.`;

const queryFault = 'These filters are too long to save. Search for fewer letters.';

async function postChange(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId } = sent.who;
  const id = idOf(sent.params.id) ?? 0;
  const change = sent.form.text('change');
  if (change === 'delete') await accounts.removeView(accountId, id);
  if (change === 'default') await accounts.setDefaultView(accountId, id);
  if (change === 'no default') await accounts.setDefaultView(accountId, null);
  return { goTo: viewPath(readView(sent.query)) };
}
