/** One lot: what it is, and everything that can be done to it. */

import { isFirstSubmission } from '../../accounts/form-submission.ts';
import { type ActionResult, changeLot, splitLot } from '../../accounts/own-lots.ts';
import type { ListedSet } from '../../domain/market/market-reading.ts';
import type { OwnLot } from '../../domain/portfolio/holding-edits.ts';
import type { Brickfolio } from '../../domain/portfolio/holding-store.ts';
import type { LotSale } from '../../domain/portfolio/lot-ties.ts';
import { type HoldingStatus, holdingStatuses } from '../../domain/portfolio/lots.ts';
import type { WebDeps } from '../deps.ts';
import { type Typed, untyped } from '../fields.tsx';
import { idOf, lotMark, quantityMax, readBrickfolio, readLotTerms, sentence } from '../lot-form.ts';
import { tiesMax } from '../lot-ties.tsx';
import type { OwnRequest, PageRequest, SentRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { checkSeen } from '../seen.tsx';
import { TypedFields } from '../typed-fields.ts';
import { LotPage } from './lot-view.tsx';
import { goToItem, missingPage } from './missing.tsx';

/** The pages of lots. */
export function lotRoutes(deps: WebDeps): readonly PageRoute[] {
  const back = async (request: PageRequest) => goToItem(request, (id) => `/lots/${id}`);
  return [
    {
      access: 'own',
      path: '/lots/{id}',
      get: (request) => showLot(deps, request),
      post: (sent) => withLot(deps, sent, (lot) => postChange(deps, sent, lot)),
    },
    {
      access: 'own',
      path: '/lots/{id}/split',
      get: back,
      post: (sent) => withLot(deps, sent, (lot) => postSplit(deps, sent, lot)),
    },
    {
      access: 'own',
      path: '/lots/{id}/status',
      post: (sent) => withLot(deps, sent, (lot) => postStatus(deps, sent, lot)),
    },
    {
      access: 'own',
      path: '/lots/{id}/delete',
      get: back,
      post: (sent) => postDelete(deps, sent),
    },
  ];
}

/** The lot of a path; what is not the asker's looks like what is not there. */
export async function findOwnLot(deps: WebDeps, request: OwnRequest): Promise<OwnLot | null> {
  const id = idOf(request.params.id);
  return id === null ? null : deps.accounts.findLot(request.who.accountId, id);
}

async function withLot(
  deps: WebDeps,
  request: OwnRequest,
  answer: (lot: OwnLot) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, request);
  return lot ? answer(lot) : missingPage(request);
}

/** What the page of a lot shows. */
export interface LotProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  /** Null as long as nothing is published of it. */
  readonly set: ListedSet | null;
  readonly brickfolios: readonly Brickfolio[];
  /** Those that took units of it, newest first. */
  readonly sales: readonly LotSale[];
  readonly typed: Typed;
}

async function showLot(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, request);
  if (!lot) return missingPage(request);
  const { brickfolios } = await deps.accounts.findHoldings(request.who.accountId);
  const set = (await deps.portfolio.market.findListedSets([lot.setKey])).get(lot.setKey) ?? null;
  const sales = await deps.accounts.listLotSales(request.who.accountId, lot.id, tiesMax);
  const { typed = untyped, status = 200 } = outcome;
  return {
    page: (
      <LotPage
        request={request}
        lot={lot}
        set={set}
        brickfolios={brickfolios}
        sales={sales}
        typed={typed}
      />
    ),
    status,
  };
}

const doingOf = ({ accounts }: WebDeps, { who, at }: OwnRequest) => ({ accounts, who, at });

async function postChange(
  deps: WebDeps,
  sent: OwnRequest<SentRequest>,
  lot: OwnLot,
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const { priceCents, ...terms } = readLotTerms(fields);
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = readBrickfolio(fields, 'brickfolio', brickfolios);
  if (priceCents === null) fields.cents('price');
  const wanted = { ...terms, priceCents, brickfolioId: brickfolio?.id ?? 0 };
  checkSeen(fields, lotMark(lot), lotMark(wanted));
  if (fields.isGood && brickfolio && priceCents !== null) {
    const done = await changeLot(doingOf(deps, sent), lot, {
      ...terms,
      priceCents,
      brickfolio: brickfolio.name,
      // Whoever writes another price knows it.
      isEstimated: lot.isEstimated && priceCents === lot.priceCents,
    });
    return answerDone(deps, sent, { done, fields, field: 'quantity', lot });
  }
  return showLot(deps, sent, { typed: fields.typed, status: 400 });
}

async function postSplit(
  deps: WebDeps,
  sent: OwnRequest<SentRequest>,
  lot: OwnLot,
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const units = fields.whole('units', { min: 1, max: quantityMax });
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = readBrickfolio(fields, 'to', brickfolios);
  if (!fields.isGood || !brickfolio) {
    return showLot(deps, sent, { typed: fields.typed, status: 400 });
  }
  const options = { units, brickfolio: brickfolio.name, formId: sent.form.text('once') };
  const done = await splitLot(doingOf(deps, sent), lot, options);
  return answerDone(deps, sent, { done, fields, field: 'units', lot });
}

async function postStatus(
  deps: WebDeps,
  sent: OwnRequest<SentRequest>,
  lot: OwnLot,
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const status: HoldingStatus = fields.word('status', holdingStatuses);
  if (!fields.isGood) return showLot(deps, sent, { typed: fields.typed, status: 400 });
  const done = await changeLot(doingOf(deps, sent), lot, { status });
  return answerDone(deps, sent, { done, fields, field: 'status', lot });
}

/** Back to the lot, with what was refused beside its field. */
function answerDone(
  deps: WebDeps,
  sent: OwnRequest<SentRequest>,
  outcome: {
    readonly done: ActionResult;
    readonly fields: TypedFields;
    readonly field: string;
    readonly lot: OwnLot;
  },
): Promise<PageAnswer> {
  const { done, fields, field, lot } = outcome;
  if (done.ok) return Promise.resolve({ goTo: `/lots/${lot.id}?changed=1` });
  fields.fail(field, sentence(done.reason));
  return showLot(deps, sent, { typed: fields.typed, status: 400 });
}

async function postDelete(deps: WebDeps, sent: OwnRequest<SentRequest>): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId } = sent.who;
  const submission = { accountId, formId: sent.form.text('once'), at: sent.at };
  const isFirst = await isFirstSubmission(accounts, submission);
  const lot = await findOwnLot(deps, sent);
  // Sent twice, the second finds nothing any more.
  if (!lot) return isFirst ? missingPage(sent) : { goTo: '/collections' };
  const fields = new TypedFields(sent.form, sent.at);
  if (!sent.form.isTicked('sure')) fields.fail('sure', 'Tick this if you mean it.');
  if (fields.isGood) {
    const outcome = await accounts.removeLot(accountId, lot.id);
    if (outcome !== 'sold') return { goTo: `/collections/${lot.brickfolioId}?removed=1` };
    fields.fail('sure', 'Units of this lot were sold; delete those sales first.');
  }
  return showLot(deps, sent, { typed: fields.typed, status: 400 });
}
