/** The page of a lot, its history, and the forms that change it. */

import type { VNode } from 'preact';
import type { MinifigRecord } from '../../../contract/minifig.ts';
import { sentence } from '../../../kernel/text.ts';
import { platformNames } from '../../../market/fees/platforms.ts';
import { type GradeShare, gradeShare } from '../../../market/grades/grades.ts';
import type { ListedItem } from '../../../market/published/published-records.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { quantityMax } from '../../../portfolio/lots/fields.ts';
import { gainOf, unitValueCents, valueTier } from '../../../portfolio/lots/holdings.ts';
import type { OwnField } from '../../../portfolio/lots/lot-details.ts';
import { holdingStatuses } from '../../../portfolio/lots/lot-fields.ts';
import { lotFacts, type OwnLot } from '../../../portfolio/lots/lots.ts';
import {
  type ActionResult,
  applyAll,
  changeLot,
  splitLot,
} from '../../../portfolio/lots/own-lots.work.ts';
import { type Bought, changeBoughtLot } from '../../../portfolio/purchases/own-purchases.work.ts';
import { fixedReason, purchaseOfLot, rowOfLot } from '../../../portfolio/purchases/purchases.ts';
import { readEffects } from '../../../portfolio/returns/grade-effects.work.ts';
import type { LotSale } from '../../../portfolio/sales/ledger.ts';
import { itemPath, withQuery } from '../../kit/address.ts';
import { BackLink, ButtonLink, PlainLink } from '../../kit/buttons.tsx';
import { Card, Facts, Figures } from '../../kit/card.tsx';
import { confirmDelete, deletion } from '../../kit/confirm-delete.tsx';
import { faultAnswer } from '../../kit/fault.tsx';
import { Checkbox, Choice, Field, Notice, PostForm, VersionField } from '../../kit/fields.tsx';
import { actionOf, FormPage, formPage } from '../../kit/form-page.tsx';
import { checkVersion, type FormReader } from '../../kit/form-reader.ts';
import { countText, dayText, moneyText, nounText } from '../../kit/format.ts';
import { ItemPicture } from '../../kit/item-picture.tsx';
import { CardPage, Layout } from '../../kit/layout.tsx';
import { Menu } from '../../kit/menu.tsx';
import { ConfidenceDot, confidenceNames, Delta, Money } from '../../kit/money.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byOwnId, page, routes } from '../../page-table.ts';
import { Predicted } from '../buying/predicted.tsx';
import { DetailFields, readDetailInputs } from './detail-fields.tsx';
import { gradeText } from './detail-text.ts';
import { LotFields, lotVersion, readLotTerms, shownFields } from './lot-fields.tsx';
import {
  boughtText,
  brickfolioOptions,
  linksShown,
  purchaseDayText,
  readBrickfolio,
} from './lot-form.ts';
import { addPhotos, LotPhotos } from './lot-photos.tsx';

export function lotRoutes() {
  return routes('own', {
    '/lots/{id}': page({ find: findOwnLot, get: showLot }),
    '/lots/{id}/edit': page({ find: findOwnLot, ...editForm }),
    '/lots/{id}/split': page({ find: findOwnLot, ...splitForm }),
    '/lots/{id}/status': page({ find: findOwnLot, post: statusForm.post }),
    '/lots/{id}/photos': page({ find: findOwnLot, takesFile: 'photos', post: photosForm.post }),
    '/lots/{id}/delete': deletion({
      find: findOwnLot,
      goneTo: '/inventory',
      get: askDelete,
      post: postDelete,
    }),
  });
}

export const findOwnLot = byOwnId((accounts, accountId, id) => accounts.findLot(accountId, id));

const kindNames = { set: 'Set', minifig: 'Minifig' } as const;

/** The item of a lot; null if it is not published. */
async function findItem({ portfolio }: WebDeps, { kind, key }: OwnLot): Promise<ListedItem | null> {
  return (await portfolio.market.findListedItems(kind, [key])).get(key) ?? null;
}

function nameOf(lot: OwnLot, item: ListedItem | null): string {
  return item?.title ?? lot.number;
}

interface LotProps {
  readonly lot: OwnLot;
  readonly item: ListedItem | null;
  readonly share: GradeShare;
  /** Sales of its units, newest first. */
  readonly sales: readonly LotSale[];
}

const doneTexts = {
  changed: 'Lot updated.',
  photos: 'Photos added.',
  'photo-deleted': 'Photo deleted.',
};

async function showLot(deps: WebDeps, request: OwnRequest, lot: OwnLot): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [item, effects, sets, sales, predicted, purchaseId, photos] = await Promise.all([
    findItem(deps, lot),
    readEffects(deps.portfolio.market, [lot]),
    findSets(deps, lot),
    deps.accounts.listLotSales(accountId, lot.id, linksShown),
    findPredicted(deps, accountId, lot.id),
    findPurchaseId(deps, accountId, lot),
    deps.accounts.listPhotos(accountId, lot.id),
  ]);
  const props = { lot, item, share: gradeShare(lot.grade, effects), sales };
  return (
    <Layout
      title={nameOf(lot, item)}
      request={request}
      done={doneTexts}
      actions={<Actions {...props} />}
    >
      <div class="lot-head">
        <ItemPicture kind={lot.kind} number={lot.number} size="card" />
        <Card>
          <Values {...props} />
          <Facts
            facts={[
              [kindNames[lot.kind], <ItemLink {...props} />],
              ...(sets.length > 0
                ? [['Comes in', <SetLinks {...props} sets={sets} />] as const]
                : []),
              ...shownFields(lot, request.at),
              ...(purchaseId === null
                ? []
                : [['Purchase', <a href={`/purchases/${purchaseId}`}>Receipt</a>] as const]),
            ]}
          />
        </Card>
      </div>
      <LotPhotos lot={lot} photos={photos} isOn={deps.pictures.photoBytesMax > 0} />
      <div class="grid halves">
        <History {...props} />
        {predicted && <Predicted {...predicted} />}
      </div>
    </Layout>
  );
}

/** The purchase that a lot is part of; null if there is none. */
async function findPurchaseId({ accounts }: WebDeps, accountId: number, { sourceId }: OwnLot) {
  const purchase = purchaseOfLot(sourceId);
  return purchase === null ? null : accounts.findPurchaseId(accountId, purchase);
}

/** The purchase of a lot, if its receipt can be changed; otherwise null. */
async function findOpenReceipt(deps: WebDeps, accountId: number, lot: OwnLot) {
  const id = await findPurchaseId(deps, accountId, lot);
  const purchase = id && (await deps.accounts.findPurchase(accountId, id));
  if (!purchase) return null;
  const lots = await deps.accounts.listPurchaseLots(accountId, purchase.sourceId);
  return fixedReason(purchase, lots) === null ? { purchase, lots } : null;
}

async function findPredicted({ accounts }: WebDeps, accountId: number, lotId: number) {
  const prediction = await accounts.findPrediction(accountId, lotId);
  return prediction && { prediction, grade: await accounts.gradePurchases(accountId, lotId) };
}

function Actions({ lot }: LotProps) {
  const path = `/lots/${lot.id}`;
  const [left, isListed] = [lot.quantity - lot.sold, lot.status === 'listed'];
  return (
    <>
      <Menu label="More" look="button plain">
        {lot.quantity > Math.max(lot.sold, 1) && <a href={`${path}/split`}>Split lot</a>}
        <a href={`${path}/edit#field-brickfolio`}>Move to collection</a>
        {left > 0 && (
          <PostForm action={`${path}/status`} class="plain">
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
      <PlainLink href={`${path}/edit`}>Edit</PlainLink>
      {left > 0 && (
        <ButtonLink href={withQuery('/sales/new', { lot: lot.id })}>Record sale</ButtonLink>
      )}
    </>
  );
}

function Values({ lot, item, share }: LotProps) {
  const left = lot.quantity - lot.sold;
  if (left === 0) return <Notice>Sold out. All units of this lot are sold.</Notice>;
  const unitCents = unitValueCents(item, lot.condition, share);
  const tier = valueTier(item, lot.condition, share);
  const gain = unitCents === null ? null : gainOf(lot.priceCents * left, unitCents * left);
  const each = (cents: number | null) => left > 1 && `${moneyText(cents)} each`;
  return (
    <Figures
      figures={[
        [
          'Market value',
          <>
            <Money cents={gain?.valueCents ?? null} /> {tier && <ConfidenceDot tier={tier} />}
          </>,
          tier &&
            (gradeText(lot.grade, share) ??
              ((tier !== 'modeled' && each(unitCents)) || confidenceNames[tier])),
        ],
        [
          'Cost basis',
          <Money cents={lot.priceCents * left} />,
          lot.isEstimated ? 'Estimated price' : each(lot.priceCents),
        ],
        [
          'Unrealized gain',
          <Delta cents={gain?.gainCents ?? null} missing="No value yet" />,
          gain && lot.priceCents > 0 && <Delta percent={gain.gainPct} />,
        ],
      ]}
    />
  );
}

/** A minifig is linked by its canonical number, and shown with the one it was entered under. */
function ItemLink({ lot, item }: Pick<LotProps, 'lot' | 'item'>) {
  const number = item?.number ?? lot.number;
  return (
    <>
      <a href={itemPath(lot.kind, number)}>{nameOf(lot, item)}</a>
      {item && <span class="quiet"> {lot.kind === 'set' ? number : lot.number}</span>}
    </>
  );
}

/** The sets that a minifig comes in; none for a set. */
async function findSets(deps: WebDeps, { kind, number }: OwnLot): Promise<readonly string[]> {
  const body = kind === 'minifig' ? await deps.cache.findDocument(kind, number) : null;
  if (body === null) return [];
  const { sets }: MinifigRecord = JSON.parse(body);
  return sets;
}

/** The maximum number of sets of a minifig that are linked; its page has all of them. */
const setsLinked = 5;

function SetLinks(props: Pick<LotProps, 'lot'> & { readonly sets: readonly string[] }) {
  const { lot, sets } = props;
  const more = sets.length - setsLinked;
  return (
    <>
      {sets.slice(0, setsLinked).map((number, index) => (
        <>
          {index > 0 && ', '}
          <a href={itemPath('set', number)}>{number}</a>
        </>
      ))}
      {more > 0 && (
        <>
          {' and '}
          <a href={itemPath('minifig', lot.number)}>{nounText(more, 'other set')}</a>
        </>
      )}
    </>
  );
}

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

const editForm = formPage({
  show: showForm({ title: 'Edit lot', button: 'Save changes', Fields: ChangeFields }),
  read: async ({ deps, sent, found: lot, fields }) => {
    const terms = readLotTerms(fields, lot);
    const priceCents = terms.priceCents ?? fields.cents('price');
    const brickfolios = await deps.accounts.listBrickfolios(sent.who.accountId);
    const brickfolio = readBrickfolio(fields, 'brickfolio', brickfolios);
    const details = readDetailInputs(fields, {
      condition: terms.condition,
      ownFields: await deps.accounts.listOwnFields(sent.who.accountId),
      stored: lot.ownFields,
    });
    const changed = {
      ...lotFacts(lot),
      ...terms,
      ...details,
      priceCents,
      brickfolio: brickfolio?.name ?? '',
      // A price or date that was changed or confirmed is known.
      isEstimated:
        lot.isEstimated && priceCents === lot.priceCents && !sent.form.isTicked(confirmPrice),
      dateBasis:
        isDateUnchanged(fields, lot) && !sent.form.isTicked(confirmDate) ? lot.dateBasis : 'known',
    };
    checkVersion(fields, lotVersion(lot));
    return changed;
  },
  save: async ({ deps, sent, found: lot }, change) => {
    const action = actionOf(deps, sent);
    const receipt = sent.form.isTicked(changeReceipt)
      ? await findOpenReceipt(deps, sent.who.accountId, lot)
      : null;
    const done = receipt
      ? await changeBoughtLot(action, receipt, { lot, change })
      : await changeLot(action, lot, change);
    return afterChange(lot, 'quantity', done);
  },
  sentBefore: ({ found }) => changedTo(found),
});

const splitForm = formPage({
  show: showForm({ title: 'Split lot', button: 'Split lot', Fields: SplitFields }),
  read: async ({ deps, sent, fields }) => {
    const units = fields.whole('units', { min: 1, max: quantityMax });
    const brickfolios = await deps.accounts.listBrickfolios(sent.who.accountId);
    const brickfolio = readBrickfolio(fields, 'to', brickfolios)?.name ?? '';
    return { units, brickfolio };
  },
  save: async ({ deps, sent, found: lot }, split) =>
    afterChange(lot, 'units', await splitLot(actionOf(deps, sent), lot, split)),
  sentBefore: ({ found }) => changedTo(found),
});

const statusForm = formPage({
  show: showLot,
  read: ({ sent }) => holdingStatuses.find((each) => each === sent.form.text('status')),
  save: async ({ deps, sent, found: lot }, status) => {
    if (!status) return { refused: 'Choose one of the options.' };
    return afterChange(lot, undefined, await changeLot(actionOf(deps, sent), lot, { status }));
  },
  sentBefore: ({ found }) => changedTo(found),
});

const photosForm = formPage({
  show: showLot,
  read: () => null,
  save: ({ deps, sent, found: lot }) => addPhotos(deps, sent, lot),
});

/** Redirects to the lot, or returns the error, which is shown at `field`. */
function afterChange(lot: OwnLot, field: string | undefined, done: ActionResult) {
  if (done.ok) return changedTo(lot);
  const wrong = done.field ?? field;
  return { refused: sentence(done.reason), ...(wrong && { field: wrong }) };
}

function changedTo({ id }: OwnLot) {
  return { goTo: `/lots/${id}?did=changed` };
}

/** Checkboxes that confirm an estimated price or an assumed date. */
const confirmPrice = 'confirm_price';
const confirmDate = 'confirm_date';

/** The checkbox that changes the receipt of a lot with it. */
const changeReceipt = 'change_receipt';

/** Whether the date was not changed; an unknown one is shown as empty. */
function isDateUnchanged(fields: FormReader, { purchaseDate, dateBasis }: OwnLot): boolean {
  const shown = dateBasis === 'unknown' ? '' : purchaseDate;
  return fields.form.text('purchase_date') === shown;
}

function showForm(shown: {
  readonly title: string;
  readonly button: string;
  readonly Fields: (props: FormProps) => VNode;
}) {
  const { Fields, ...about } = shown;
  return async (deps: WebDeps, request: OwnRequest, lot: OwnLot): Promise<PageAnswer> => {
    const brickfolios = await deps.accounts.listBrickfolios(request.who.accountId);
    const ownFields = await deps.accounts.listOwnFields(request.who.accountId);
    const receipt = await findOpenReceipt(deps, request.who.accountId, lot);
    const name = nameOf(lot, await findItem(deps, lot));
    const path = `/lots/${lot.id}`;
    const link = <BackLink href={path}>{name}</BackLink>;
    return (
      <FormPage request={request} {...about} above={link} cancel={path}>
        <Fields lot={lot} receipt={receipt} brickfolios={brickfolios} ownFields={ownFields} />
      </FormPage>
    );
  };
}

interface FormProps {
  readonly lot: OwnLot;
  /** The purchase that it is part of; null if there is none, or if it is final. */
  readonly receipt: Bought | null;
  readonly brickfolios: readonly Brickfolio[];
  readonly ownFields: readonly OwnField[];
}

function ChangeFields({ lot, receipt, brickfolios, ownFields }: FormProps) {
  // The placeholder of an unknown date is not shown.
  const purchaseDate = lot.dateBasis === 'unknown' ? '' : lot.purchaseDate;
  return (
    <>
      <VersionField version={lotVersion(lot)} />
      <LotFields
        quantityLabel="Quantity bought"
        lot={{ ...lot, purchaseDate }}
        brickfolios={brickfolios}
      />
      <DetailFields details={lot} ownFields={ownFields} />
      {lot.isEstimated && <Checkbox name={confirmPrice} label="Confirm estimated price" />}
      {lot.dateBasis === 'assumed' && (
        <Checkbox name={confirmDate} label="Confirm assumed purchase date" />
      )}
      {receipt && <ReceiptChoice lot={lot} {...receipt} />}
    </>
  );
}

/** A price on the receipt is corrected by that of the lot; other costs are shares of the total. */
function ReceiptChoice({ lot, purchase }: Bought & { readonly lot: OwnLot }) {
  const total = moneyText(purchase.totalCents);
  return (
    <Checkbox
      name={changeReceipt}
      label={`If the cost changes, also change the receipt’s total (${total})`}
      isTicked={purchase.prices[rowOfLot(lot)] !== undefined}
    />
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
  const name = nameOf(lot, await findItem(deps, lot));
  if (lot.sold === 0) {
    const left = nounText(lot.quantity, `${lot.condition} unit`);
    const outcome = `${left}. ${boughtText(lot)}.`;
    return confirmDelete({ request, noun: 'lot', name, outcome, cancel: `/lots/${lot.id}` });
  }
  return refuseDelete(request, lot, 200);
}

/** Lots with sales cannot be deleted. */
function refuseDelete(request: OwnRequest, lot: OwnLot, status: number): PageAnswer {
  const sold = `${nounText(lot.sold, 'unit')} of this lot ${lot.sold === 1 ? 'was' : 'were'} sold.`;
  const page = (
    <CardPage title="This lot has sales" request={request}>
      <p>
        {sold} Delete its sales first
        {lot.sold < lot.quantity && `, or change the quantity bought to ${countText(lot.sold)}`}.
      </p>
      <p>
        <PlainLink href={`/lots/${lot.id}`}>Back to the lot</PlainLink>
      </p>
    </CardPage>
  );
  return { page, status };
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest, lot: OwnLot): Promise<PageAnswer> {
  const rows = [{ kind: 'lot_removal', lotId: lot.id } as const];
  const done = await applyAll(actionOf(deps, sent), { rows, undoAs: 'delete' });
  if (done.ok) return { goTo: withQuery('/inventory', { undo: done.editId }) };
  return lot.sold > 0
    ? refuseDelete(sent, lot, 400)
    : faultAnswer(sent, 409, sentence(done.reason));
}
