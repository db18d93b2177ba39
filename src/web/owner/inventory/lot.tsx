/** One lot: what it is, and everything that can be done to it. */

import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { type ActionResult, changeLot, splitLot } from '../../../accounts/own-lots.ts';
import type { Grade, LotPrediction } from '../../../domain/buying/prediction.ts';
import { countText, moneyText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import { gainOf, unitValueCents } from '../../../domain/portfolio/holdings.ts';
import type { LotSale } from '../../../domain/portfolio/ledger-store.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';
import { type HoldingStatus, holdingStatuses } from '../../../domain/portfolio/lots.ts';
import type { WebDeps } from '../../deps.ts';
import { checkVersion, VersionField } from '../../kit/edit-version.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import {
  Checkbox,
  Choice,
  Field,
  Notice,
  PostForm,
  type Typed,
  untyped,
} from '../../kit/fields.tsx';
import { ValueFigures } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, PageRoute } from '../../page.ts';
import { Predicted } from '../buying/predicted.tsx';
import {
  conditionChoices,
  idOf,
  lotVersion,
  quantityMax,
  readBrickfolio,
  readLotTerms,
  statusChoices,
} from './lot-form.ts';
import { LotSales, linksShown } from './lot-links.tsx';

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
interface LotProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  /** Null as long as nothing is published of it. */
  readonly set: ListedSet | null;
  readonly brickfolios: readonly Brickfolio[];
  /** Those that took units of it, newest first. */
  readonly sales: readonly LotSale[];
  /** What was predicted of it, and what became of it; null where nothing was. */
  readonly predicted: { readonly prediction: LotPrediction; readonly grade: Grade } | null;
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
  const sales = await deps.accounts.listLotSales(request.who.accountId, lot.id, linksShown);
  const { typed = untyped, status = 200 } = outcome;
  const predicted = await findPredicted(deps, request.who.accountId, lot.id);
  const props = { request, lot, set, brickfolios, sales, predicted, typed };
  return { page: <LotPage {...props} />, status };
}

async function findPredicted(
  { accounts }: WebDeps,
  accountId: number,
  lotId: number,
): Promise<LotProps['predicted']> {
  const prediction = await accounts.findPrediction(accountId, lotId);
  return prediction && { prediction, grade: await accounts.gradePurchases(accountId, lotId) };
}

const doingOf = ({ accounts }: WebDeps, { who, at }: OwnRequest) => ({ accounts, who, at });

async function postChange(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const { priceCents, ...terms } = readLotTerms(fields);
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = readBrickfolio(fields, 'brickfolio', brickfolios);
  if (priceCents === null) fields.cents('price');
  const changed = { ...terms, priceCents, brickfolioId: brickfolio?.id ?? 0 };
  checkVersion(fields, lotVersion(lot), lotVersion(changed));
  if (fields.isGood && brickfolio && priceCents !== null) {
    const done = await changeLot(doingOf(deps, sent), lot, {
      ...terms,
      priceCents,
      brickfolio: brickfolio.name,
      // Whoever writes another price or day knows it.
      isEstimated: lot.isEstimated && priceCents === lot.priceCents,
      dateBasis: terms.purchaseDate === lot.purchaseDate ? lot.dateBasis : 'known',
    });
    return answerDone(deps, sent, { done, fields, field: 'quantity', lot });
  }
  return showLot(deps, sent, { typed: fields.typed, status: 400 });
}

async function postSplit(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
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

async function postStatus(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const status: HoldingStatus = fields.word('status', holdingStatuses);
  if (!fields.isGood) return showLot(deps, sent, { typed: fields.typed, status: 400 });
  const done = await changeLot(doingOf(deps, sent), lot, { status });
  return answerDone(deps, sent, { done, fields, field: 'status', lot });
}

/** Back to the lot, with what was refused beside its field. */
function answerDone(
  deps: WebDeps,
  sent: OwnSentRequest,
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

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
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

/** The page. */
function LotPage(props: LotProps) {
  const { request, lot, set } = props;
  const title = set?.title ?? lot.setNumber;
  const left = lot.quantity - lot.sold;
  const unitCents = unitValueCents(set, lot.condition) ?? lot.priceCents;
  return (
    <Layout title={`${title}: a lot`} request={request}>
      {request.query.has('changed') && <Notice>Changed.</Notice>}
      <p class="row">
        <a href={`/collections/${lot.brickfolioId}`}>{lot.brickfolio}</a>
        <SetLink number={set?.number ?? lot.setNumber} title={title} />
        {lot.condition === 'used' && <span class="badge">used</span>}
        {lot.status === 'listed' && <span class="badge">listed</span>}
        {lot.isEstimated && <span class="badge">estimated price</span>}
      </p>
      {left > 0 ? (
        <ValueFigures gain={gainOf(lot.priceCents * left, unitCents * left)} />
      ) : (
        <Notice>All units of this lot are sold.</Notice>
      )}
      <section class="card">
        <dl class="facts">
          <dt>Units left</dt>
          <dd>
            {countText(left)} of {countText(lot.quantity)}
          </dd>
          <dt>Price of one</dt>
          <dd>
            {moneyText(lot.priceCents)}
            {lot.isEstimated && ', a guess: it was not said what was paid'}
          </dd>
          <dt>Value of one now</dt>
          <dd>{moneyText(unitValueCents(set, lot.condition))}</dd>
          <dt>Bought on</dt>
          <dd>{lot.purchaseDate}</dd>
        </dl>
        {left > 0 && <Selling {...props} />}
      </section>
      {props.predicted && <Predicted {...props.predicted} />}
      <LotSales sales={props.sales} />
      <ChangeForm {...props} />
      {lot.quantity - Math.max(lot.sold, 1) > 0 && <SplitForm {...props} />}
      <DeleteForm {...props} />
    </Layout>
  );
}

function Selling({ request, lot }: LotProps) {
  const isListed = lot.status === 'listed';
  return (
    <div class="row lot-ways">
      <a class="button" href={`/lots/${lot.id}/sale`}>
        Record a sale
      </a>
      <a class="button plain" href={`/lots/${lot.id}/sell`}>
        Where to sell
      </a>
      <PostForm request={request} action={`/lots/${lot.id}/status`} class="row">
        <input type="hidden" name="status" value={isListed ? 'owned' : 'listed'} />
        <button class="plain" type="submit">
          {isListed ? 'Mark as not listed' : 'Mark as listed'}
        </button>
      </PostForm>
    </div>
  );
}

function ChangeForm({ request, lot, brickfolios, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Change it</h2>
      <PostForm request={request} action={`/lots/${lot.id}`}>
        <VersionField version={lotVersion(lot)} typed={typed} />
        <div class="form-grid">
          <Field
            name="quantity"
            label="Units bought"
            typed={typed}
            value={String(lot.quantity)}
            inputmode="numeric"
            isRequired
          />
          <Choice
            name="condition"
            label="Condition"
            options={conditionChoices}
            typed={typed}
            value={lot.condition}
          />
          <Field
            name="price"
            label="Price of one, in $"
            typed={typed}
            value={amountText(lot.priceCents)}
            inputmode="decimal"
            isRequired
          />
          <Field
            name="purchase_date"
            label="Bought on"
            type="date"
            typed={typed}
            value={lot.purchaseDate}
            isRequired
          />
          <Choice
            name="status"
            label="Status"
            options={statusChoices}
            typed={typed}
            value={lot.status}
          />
          <Choice
            name="brickfolio"
            label="Collection"
            options={brickfolios.map((each) => [String(each.id), each.name] as const)}
            typed={typed}
            value={String(lot.brickfolioId)}
          />
        </div>
        <button type="submit">Save</button>
      </PostForm>
    </section>
  );
}

function SplitForm({ request, lot, brickfolios, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Split it</h2>
      <p class="quiet">Some of its units become a lot of their own, here or elsewhere.</p>
      <PostForm request={request} action={`/lots/${lot.id}/split`}>
        <Field
          name="units"
          label="Units to split off"
          typed={typed}
          value="1"
          inputmode="numeric"
          isRequired
        />
        <Choice
          name="to"
          label="Into the collection"
          options={brickfolios.map((each) => [String(each.id), each.name] as const)}
          typed={typed}
          value={String(lot.brickfolioId)}
        />
        <button class="plain" type="submit">
          Split
        </button>
      </PostForm>
    </section>
  );
}

function DeleteForm({ request, lot, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Delete it</h2>
      {lot.sold > 0 ? (
        <p>
          {countText(lot.sold)} of its units {lot.sold === 1 ? 'was' : 'were'} sold, and sales keep
          what they sold. Delete the sales first
          {lot.sold < lot.quantity && `, or change the units bought to ${countText(lot.sold)}`}.
        </p>
      ) : (
        <PostForm request={request} action={`/lots/${lot.id}/delete`}>
          <Checkbox name="sure" label="Yes, it was never mine, or is here twice" typed={typed} />
          <button class="danger" type="submit">
            Delete it
          </button>
        </PostForm>
      )}
    </section>
  );
}
