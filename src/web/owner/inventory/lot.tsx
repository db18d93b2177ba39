/** One lot: what it is, what became of it, and everything that can be done to it. */

import { type ActionResult, changeLot, splitLot } from '../../../accounts/own-lots.ts';
import { salesMax } from '../../../contract/limits.ts';
import type { Grade, LotPrediction } from '../../../domain/buying/prediction.ts';
import { platformNames } from '../../../domain/fees/platforms.ts';
import { countText, dayText, moneyText, nounText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import { gainOf, unitValueCents, valueTier } from '../../../domain/portfolio/holdings.ts';
import type { LotSale } from '../../../domain/portfolio/ledger-store.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';
import { type HoldingStatus, holdingStatuses } from '../../../domain/portfolio/lots.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { ConfidenceDot, confidenceNames } from '../../kit/confidence-dot.tsx';
import { confirmDelete } from '../../kit/confirm-delete.tsx';
import { checkVersion, VersionField } from '../../kit/edit-version.tsx';
import { Facts } from '../../kit/facts.tsx';
import { Checkbox, Choice, Field, Notice, PostForm, statusOf, untyped } from '../../kit/fields.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { conditionNames } from '../../kit/format.ts';
import { ItemPicture } from '../../kit/item-picture.tsx';
import { CardPage, Layout } from '../../kit/layout.tsx';
import { itemPath } from '../../kit/links.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Delta, Money } from '../../kit/money.tsx';
import { DoneToast } from '../../kit/toast.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { ownPages, withFound, withFoundOnce } from '../../page-table.ts';
import { Predicted } from '../buying/predicted.tsx';
import { LotFields } from './lot-fields.tsx';
import {
  boughtText,
  brickfolioOptions,
  linksShown,
  lotVersion,
  purchaseDayText,
  quantityMax,
  readBrickfolio,
  readLotTerms,
} from './lot-form.ts';

/** The pages of lots. */
export function lotRoutes() {
  const show = (form: ShownForm['form']) =>
    withFound(findOwnLot, (deps, request, lot) => showForm(deps, request, { lot, form }));
  return ownPages({
    '/lots/{id}': { get: withFound(findOwnLot, showLot) },
    '/lots/{id}/edit': { get: show('edit'), post: withFound(findOwnLot, postChange) },
    '/lots/{id}/split': { get: show('split'), post: withFound(findOwnLot, postSplit) },
    '/lots/{id}/status': { post: withFound(findOwnLot, postStatus) },
    '/lots/{id}/delete': {
      get: withFound(findOwnLot, askDelete),
      post: withFoundOnce(findOwnLot, '/inventory', postDelete),
    },
  });
}

/** The lot of a path; what is not the asker's looks like what is not there. */
export async function findOwnLot(deps: WebDeps, request: OwnRequest): Promise<OwnLot | null> {
  const id = idOf(request.params.id);
  return id === null ? null : deps.accounts.findLot(request.who.accountId, id);
}

/** What is published of the set of a lot; null as long as nothing is. */
async function findSet({ portfolio }: WebDeps, { setKey }: OwnLot): Promise<ListedSet | null> {
  return (await portfolio.market.findListedSets([setKey])).get(setKey) ?? null;
}

function nameOf(lot: OwnLot, set: ListedSet | null): string {
  return set?.title ?? lot.setNumber;
}

/** What the page of a lot shows. */
interface LotProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  readonly set: ListedSet | null;
  /** Those that took units of it, newest first. */
  readonly sales: readonly LotSale[];
  /** What was predicted of it, and what became of it; null where nothing was. */
  readonly predicted: { readonly prediction: LotPrediction; readonly grade: Grade } | null;
}

async function showLot(deps: WebDeps, request: OwnRequest, lot: OwnLot): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [set, sales, predicted] = await Promise.all([
    findSet(deps, lot),
    deps.accounts.listLotSales(accountId, lot.id, linksShown),
    findPredicted(deps, accountId, lot.id),
  ]);
  const props = { request, lot, set, sales, predicted };
  return { page: <LotPage {...props} /> };
}

async function findPredicted(
  { accounts }: WebDeps,
  accountId: number,
  lotId: number,
): Promise<LotProps['predicted']> {
  const prediction = await accounts.findPrediction(accountId, lotId);
  return prediction && { prediction, grade: await accounts.gradePurchases(accountId, lotId) };
}

function LotPage(props: LotProps) {
  const { request, lot, set } = props;
  return (
    <Layout title={nameOf(lot, set)} request={request} actions={<Actions {...props} />}>
      <DoneToast request={request} texts={{ changed: 'Lot updated.' }} />
      <div class="lot-head">
        <ItemPicture kind="set" number={lot.setNumber} size="card" />
        <Card>
          <Values {...props} />
          <LotFacts {...props} />
        </Card>
      </div>
      <div class="grid halves">
        <History {...props} />
        {props.predicted && <Predicted {...props.predicted} />}
      </div>
    </Layout>
  );
}

function Actions({ request, lot }: LotProps) {
  const path = `/lots/${lot.id}`;
  const [left, isListed] = [lot.quantity - lot.sold, lot.status === 'listed'];
  return (
    <>
      <Menu label="More" look="button plain">
        {lot.quantity > Math.max(lot.sold, 1) && <a href={`${path}/split`}>Split lot</a>}
        <a href={`${path}/edit#field-brickfolio`}>Move to collection</a>
        {left > 0 && (
          <PostForm request={request} action={`${path}/status`} class="plain">
            <input type="hidden" name="status" value={isListed ? 'owned' : 'listed'} />
            <button type="submit">{isListed ? 'Mark as not listed' : 'Mark as listed'}</button>
          </PostForm>
        )}
        <a href={`${path}/sell`}>Where to sell</a>
        <hr />
        <a class="danger" href={`${path}/delete`}>
          Delete lot
        </a>
      </Menu>
      <a class="button plain" href={`${path}/edit`}>
        Edit
      </a>
      {left > 0 && (
        <a class="button" href={withQuery('/sales/new', { lot: lot.id })}>
          Record sale
        </a>
      )}
    </>
  );
}

function Values({ lot, set }: LotProps) {
  const left = lot.quantity - lot.sold;
  if (left === 0) return <Notice>Sold out. All units of this lot are sold.</Notice>;
  const unitCents = unitValueCents(set, lot.condition);
  const tier = valueTier(set, lot.condition);
  const gain = unitCents === null ? null : gainOf(lot.priceCents * left, unitCents * left);
  const each = (cents: number | null) => left > 1 && `${moneyText(cents)} each`;
  return (
    <Figures>
      <Figure
        name="Market value"
        value={
          <>
            <Money cents={gain?.valueCents ?? null} /> {tier && <ConfidenceDot tier={tier} />}
          </>
        }
        note={tier && ((tier !== 'modeled' && each(unitCents)) || confidenceNames[tier])}
      />
      <Figure
        name="Cost basis"
        value={<Money cents={lot.priceCents * left} />}
        note={lot.isEstimated ? 'Estimated price' : each(lot.priceCents)}
      />
      <Figure
        name="Unrealized gain"
        value={<Delta cents={gain?.gainCents ?? null} missing="No value yet" />}
        note={gain && lot.priceCents > 0 && <Delta percent={gain.gainPct} />}
      />
    </Figures>
  );
}

function LotFacts({ lot, set }: LotProps) {
  const inventory = withQuery('/inventory', { collection: lot.brickfolioId });
  const price = (
    <>
      {moneyText(lot.priceCents)} each {lot.isEstimated && <EstimatedPrice lot={lot} />}
    </>
  );
  return (
    <Facts
      facts={[
        ['Set', <SetLink lot={lot} set={set} />],
        ['Quantity', `${countText(lot.quantity - lot.sold)} of ${countText(lot.quantity)} left`],
        ['Condition', conditionNames[lot.condition]],
        ['Purchase price', price],
        ['Purchase date', <PurchaseDate lot={lot} />],
        ['Collection', <a href={inventory}>{lot.brickfolio}</a>],
        ['Status', <LotStatus lot={lot} />],
      ]}
    />
  );
}

function SetLink({ lot, set }: Pick<LotProps, 'lot' | 'set'>) {
  const number = set?.number ?? lot.setNumber;
  return (
    <>
      <a href={itemPath('set', number)}>{nameOf(lot, set)}</a>
      {set && <span class="quiet"> {number}</span>}
    </>
  );
}

function LotStatus({ lot }: Pick<LotProps, 'lot'>) {
  if (lot.sold === lot.quantity) return 'Sold out';
  return lot.status === 'listed' ? <Badge>Listed</Badge> : 'Owned';
}

function EstimatedPrice({ lot }: Pick<LotProps, 'lot'>) {
  const used = lot.priceCents === 0 ? 'it counts as 0' : 'the list price is used';
  return <Badge title={`No price was entered, so ${used}.`}>Estimated</Badge>;
}

function PurchaseDate({ lot }: Pick<LotProps, 'lot'>) {
  if (lot.dateBasis === 'unknown') {
    return <Badge title="This lot is left out of returns.">Unknown</Badge>;
  }
  return (
    <>
      {dayText(lot.purchaseDate)}{' '}
      {lot.dateBasis === 'assumed' && (
        <Badge title="No date was entered, so the release date is used.">Assumed</Badge>
      )}
    </>
  );
}

/** What became of the lot, newest first. */
function History({ lot, sales }: LotProps) {
  const bought = `${nounText(lot.quantity, 'unit')} for ${moneyText(lot.priceCents)} each`;
  return (
    <Card title="History">
      <ol class="timeline">
        {sales.map(({ saleId, saleDate, platform, quantity }) => (
          <li key={saleId}>
            <time datetime={saleDate}>{dayText(saleDate)}</time>
            <a href={`/sales/${saleId}`}>
              {`Sold ${nounText(quantity, 'unit')} · ${platformNames[platform]}`}
            </a>
          </li>
        ))}
        {sales.length === linksShown && <li>Earlier sales are not listed here.</li>}
        <li>
          {lot.dateBasis === 'unknown' ? (
            <span>Date unknown</span>
          ) : (
            <time datetime={lot.purchaseDate}>{purchaseDayText(lot)}</time>
          )}
          <span>{`Bought ${bought}`}</span>
        </li>
      </ol>
    </Card>
  );
}

const doingOf = ({ accounts }: WebDeps, { who, at }: OwnRequest) => ({ accounts, who, at });

async function postChange(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const { priceCents, ...terms } = readLotTerms(fields, lot);
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = readBrickfolio(fields, 'brickfolio', brickfolios);
  if (priceCents === null) fields.cents('price');
  await checkSales(deps, sent, { lot, fields, purchaseDate: terms.purchaseDate });
  const changed = { ...terms, priceCents, brickfolioId: brickfolio?.id ?? 0 };
  checkVersion(fields, lotVersion(lot), lotVersion(changed));
  const shown = { lot, form: 'edit', fields } as const;
  if (!fields.isGood || !brickfolio || priceCents === null) return showForm(deps, sent, shown);
  const done = await changeLot(doingOf(deps, sent), lot, {
    ...terms,
    priceCents,
    brickfolio: brickfolio.name,
    // Whoever writes another price or day knows it, or says that it is right.
    isEstimated:
      lot.isEstimated && priceCents === lot.priceCents && !sent.form.isTicked(confirmPrice),
    dateBasis:
      isDateLeft(fields, lot) && !sent.form.isTicked(confirmDate) ? lot.dateBasis : 'known',
  });
  return answerDone(deps, sent, { done, field: 'quantity', ...shown });
}

/** Boxes that say that what stood in for a price or a day is right. */
const confirmPrice = 'confirm_price';
const confirmDate = 'confirm_date';

/** Whether the day stays as it was: an unknown one is left empty, another is not changed. */
function isDateLeft(fields: TypedFields, { purchaseDate, dateBasis }: OwnLot): boolean {
  const shown = dateBasis === 'unknown' ? '' : purchaseDate;
  return fields.form.text('purchase_date') === shown;
}

/** A lot is not bought after its units were sold. What was imported like that may stay. */
async function checkSales(
  { accounts }: WebDeps,
  { who }: OwnRequest,
  change: { readonly lot: OwnLot; readonly fields: TypedFields; readonly purchaseDate: string },
): Promise<void> {
  const { lot, fields, purchaseDate } = change;
  if (lot.sold === 0 || purchaseDate === lot.purchaseDate) return;
  const sales = await accounts.listLotSales(who.accountId, lot.id, salesMax);
  const first = sales.at(-1)?.saleDate ?? purchaseDate;
  const fault = `Units were sold on ${dayText(first)}. Enter that day or an earlier one.`;
  if (first < purchaseDate) fields.fail('purchase_date', fault);
}

async function postSplit(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const units = fields.whole('units', { min: 1, max: quantityMax });
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = readBrickfolio(fields, 'to', brickfolios);
  const shown = { lot, form: 'split', fields } as const;
  if (!fields.isGood || !brickfolio) return showForm(deps, sent, shown);
  const options = { units, brickfolio: brickfolio.name, formId: sent.form.text('once') };
  const done = await splitLot(doingOf(deps, sent), lot, options);
  return answerDone(deps, sent, { done, field: 'units', ...shown });
}

async function postStatus(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const status: HoldingStatus = fields.word('status', holdingStatuses);
  const shown = { lot, form: 'edit', fields } as const;
  if (!fields.isGood) return showForm(deps, sent, shown);
  const done = await changeLot(doingOf(deps, sent), lot, { status });
  return answerDone(deps, sent, { done, field: 'status', ...shown });
}

/** A form about a lot, with what was typed into it. */
interface ShownForm {
  readonly lot: OwnLot;
  readonly form: 'edit' | 'split';
  readonly fields?: TypedFields;
}

/** Back to the lot, or to the form with what was refused beside its field. */
async function answerDone(
  deps: WebDeps,
  sent: OwnSentRequest,
  outcome: Required<ShownForm> & { readonly done: ActionResult; readonly field: string },
): Promise<PageAnswer> {
  const { done, field, lot, fields } = outcome;
  if (done.ok) return { goTo: `/lots/${lot.id}?did=changed` };
  fields.fail(field, sentence(done.reason));
  return showForm(deps, sent, outcome);
}

async function showForm(
  deps: WebDeps,
  request: OwnRequest,
  { lot, form, fields }: ShownForm,
): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(request.who.accountId);
  const name = nameOf(lot, await findSet(deps, lot));
  const { title, button, Fields } = lotForms[form];
  const path = `/lots/${lot.id}`;
  const typed = fields?.typed ?? untyped;
  const page = (
    <Layout title={title} request={request} isNarrow>
      <p>
        <a href={path}>{name}</a>
      </p>
      <Card>
        <PostForm request={request} action={`${path}/${form}`} typed={typed}>
          <Fields lot={lot} brickfolios={brickfolios} />
          <SubmitOrCancel cancel={path}>{button}</SubmitOrCancel>
        </PostForm>
      </Card>
    </Layout>
  );
  return { page, status: statusOf(typed) };
}

const lotForms = {
  edit: { title: 'Edit lot', button: 'Save changes', Fields: ChangeFields },
  split: { title: 'Split lot', button: 'Split lot', Fields: SplitFields },
} as const;

interface FormProps {
  readonly lot: OwnLot;
  readonly brickfolios: readonly Brickfolio[];
}

function ChangeFields({ lot, brickfolios }: FormProps) {
  // The date that stands in for an unknown one is not to be taken for it.
  const purchaseDate = lot.dateBasis === 'unknown' ? '' : lot.purchaseDate;
  return (
    <>
      <VersionField version={lotVersion(lot)} />
      <LotFields
        quantityLabel="Quantity bought"
        lot={{ ...lot, purchaseDate }}
        brickfolios={brickfolios}
      />
      {lot.isEstimated && <Checkbox name={confirmPrice} label="Confirm estimated price" />}
      {lot.dateBasis === 'assumed' && (
        <Checkbox name={confirmDate} label="Confirm assumed purchase date" />
      )}
    </>
  );
}

function SplitFields({ lot, brickfolios }: FormProps) {
  return (
    <>
      <Field name="units" label="Units to split off" value="1" inputmode="numeric" isRequired />
      <Choice
        name="to"
        label="Collection of the new lot"
        options={brickfolioOptions(brickfolios)}
        value={String(lot.brickfolioId)}
      />
    </>
  );
}

async function askDelete(deps: WebDeps, request: OwnRequest, lot: OwnLot): Promise<PageAnswer> {
  const name = nameOf(lot, await findSet(deps, lot));
  if (lot.sold === 0) {
    const left = nounText(lot.quantity, `${lot.condition} unit`);
    const outcome = `${left}. ${boughtText(lot)}.`;
    return confirmDelete({ request, noun: 'lot', name, outcome, cancel: `/lots/${lot.id}` });
  }
  return refuseDelete(request, lot, 200);
}

/** Sales keep what they sold. */
function refuseDelete(request: OwnRequest, lot: OwnLot, status: number): PageAnswer {
  const sold = `${nounText(lot.sold, 'unit')} of this lot ${lot.sold === 1 ? 'was' : 'were'} sold.`;
  const page = (
    <CardPage title="This lot has sales" request={request}>
      <p>
        {sold} Delete its sales first
        {lot.sold < lot.quantity && `, or change the quantity bought to ${countText(lot.sold)}`}.
      </p>
      <p>
        <a class="button plain" href={`/lots/${lot.id}`}>
          Back to the lot
        </a>
      </p>
    </CardPage>
  );
  return { page, status };
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const edit = { kind: 'delete', lotIds: [lot.id] } as const;
  const done = await deps.accounts.editLots(sent.who.accountId, edit, sent.at);
  if (done === 'no collection' || done.id === null) return refuseDelete(sent, lot, 400);
  return { goTo: withQuery('/inventory', { undo: done.id }) };
}
