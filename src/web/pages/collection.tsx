/** One collection: what is in it, what it is worth, and more to put into it. */
import {
  type BrickfolioSummary,
  type Entry,
  readBrickfolios,
  readEntries,
} from '../../accounts/collection.ts';
import { addLot } from '../../accounts/own-lots.ts';
import type { WebDeps } from '../deps.ts';
import { type Typed, untyped } from '../fields.tsx';
import { findMeant, readSet, type SuggestedSet, suggestSets } from '../find-set.ts';
import { idOf, readLotTerms, sentence } from '../lot-form.ts';
import type { OwnRequest, SentRequest } from '../page-request.ts';
import { lastPagePath, pageRange } from '../pager.tsx';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { TypedFields } from '../typed-fields.ts';
import { CollectionPage } from './collection-view.tsx';
import { goToItem, missingPage } from './missing.tsx';

/** How much may be typed to find a set. */
export const itemLengthMax = 200;

/** A collection, and sets to add to it. */
export function collectionRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/collections/suggest',
      get: async ({ query }) => ({ data: await suggestSets(deps, query.get('q') ?? '') }),
    },
    {
      access: 'own',
      path: '/collections/add',
      get: (request) => goToAdd(deps, request),
    },
    {
      access: 'own',
      path: '/collections/{id}',
      get: (request) => showCollection(deps, request),
    },
    {
      access: 'own',
      path: '/collections/{id}/lots',
      get: async (request) => goToItem(request, (id) => `/collections/${id}`),
      post: (sent) => postLot(deps, sent),
    },
  ];
}

/** To the form of the default collection, with a set in it. */
async function goToAdd(deps: WebDeps, { who, query }: OwnRequest): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(who.accountId);
  const into = brickfolios.find((each) => each.isDefault) ?? brickfolios[0];
  if (!into) return { goTo: '/collections' };
  const item = (query.get('item') ?? '').slice(0, itemLengthMax);
  return { goTo: `/collections/${into.id}?item=${encodeURIComponent(item)}` };
}

/** What a page of a collection shows. */
export interface CollectionProps {
  readonly request: OwnRequest;
  readonly brickfolio: BrickfolioSummary;
  readonly page: { readonly total: number; readonly entries: readonly Entry[] };
  readonly typed: Typed;
  /** Sets that may be meant, when what was typed leaves it open. */
  readonly choices: readonly SuggestedSet[];
}

async function showCollection(
  deps: WebDeps,
  request: OwnRequest,
  outcome: Partial<Pick<CollectionProps, 'typed' | 'choices'>> & { readonly status?: number } = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const id = idOf(request.params.id);
  if (id === null) return missingPage(request);
  const { brickfolios } = await readBrickfolios(deps.portfolio, accountId);
  const brickfolio = brickfolios.find((each) => each.id === id);
  const options = { ...pageRange(request), brickfolioId: id };
  const page = brickfolio && (await readEntries(deps.portfolio, accountId, options));
  if (!brickfolio || !page) return missingPage(request);
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const { typed = untyped, choices = [], status = 200 } = outcome;
  const props = { request, brickfolio, page, typed, choices };
  return { page: <CollectionPage {...props} />, status };
}

/** The set that is meant; what is wrong is said beside the field. */
async function readMeant(
  deps: WebDeps,
  fields: TypedFields,
): Promise<{ readonly set: SuggestedSet | null; readonly choices: readonly SuggestedSet[] }> {
  const item = fields.text('item', itemLengthMax);
  // A choice was made for what had been typed then.
  const isChosen = fields.form.text('chosen_for') === item && !fields.isBlank('chosen');
  const typed = isChosen ? fields.form.text('chosen') : item;
  if (typed === '') return { set: null, choices: [] };
  const meant = await findMeant(deps, typed);
  if (meant.length === 1) return { set: meant[0] ?? null, choices: [] };
  if (meant.length === 0) fields.fail('item', `No set is known by '${typed}'.`);
  else fields.fail('item', 'Several sets fit; choose one of them below.');
  return { set: null, choices: meant };
}

async function postLot(deps: WebDeps, sent: OwnRequest<SentRequest>): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = brickfolios.find((each) => each.id === idOf(sent.params.id));
  if (!brickfolio) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const terms = readLotTerms(fields);
  const { set, choices } = await readMeant(deps, fields);
  const priceCents = terms.priceCents ?? (set && (await readSet(deps, set.number))?.msrpCents);
  if (set && fields.isBlank('price') && typeof priceCents !== 'number') {
    fields.fail('price', 'The list price of this set is not known; write what you paid.');
  }
  const again = () => showCollection(deps, sent, { typed: fields.typed, choices, status: 400 });
  if (!set || typeof priceCents !== 'number' || !fields.isGood) return again();
  const facts = {
    ...terms,
    brickfolio: brickfolio.name,
    setNumber: set.number,
    priceCents,
    isEstimated: terms.priceCents === null,
  };
  const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
  const done = await addLot(doing, facts, sent.form.text('once'));
  if (done.ok) {
    const added = encodeURIComponent(set.number);
    return { goTo: `/collections/${brickfolio.id}?added=${added}` };
  }
  fields.fail('item', sentence(done.reason));
  return again();
}
