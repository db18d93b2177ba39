/** One recorded sale: what it brought; edited or deleted. */

import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { changeSale, type SaleTerms } from '../../../accounts/own-sales.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { dayText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import type { OwnSale, SaleLot } from '../../../domain/portfolio/ledger-store.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf } from '../../kit/address.ts';
import { Badge, Card } from '../../kit/card.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { checkVersion, VersionField } from '../../kit/edit-version.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { Field, PostForm } from '../../kit/fields.tsx';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Dialog } from '../../kit/menu.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { boughtText, linksShown } from '../inventory/lot-form.ts';
import {
  LiveFigures,
  Presets,
  previewOf,
  readSaleTerms,
  SaleFields,
  type SalePreview,
  saleVersion,
} from './sale-form.tsx';

/** The page of a sale. */
export function saleRoutes(deps: WebDeps): readonly PageRoute[] {
  return ownPages(deps, {
    '/sales/{id}': { get: showSale, post: postChange },
    '/sales/{id}/delete': {
      get: (_, request) => goToItem(request, (id) => `/sales/${id}`),
      post: postDelete,
    },
  });
}

async function findOwnSale(
  deps: WebDeps,
  request: OwnRequest,
  text = request.params.id,
): Promise<OwnSale | null> {
  const id = idOf(text);
  return id === null ? null : deps.accounts.findSale(request.who.accountId, id);
}

/** What a sale says as it is stored, in its fields. */
function storedFields({ facts, costCents }: OwnSale, at: number): TypedFields {
  const values = {
    quantity: String(facts.quantity),
    platform: facts.platform,
    sale_date: facts.saleDate,
    gross: amountText(facts.grossCents),
    platform_fees: amountText(facts.platformFeesCents),
    payment_fees: amountText(facts.paymentFeesCents),
    shipping: amountText(facts.shippingCents),
    cost: amountText(costCents),
  };
  return TypedFields.ofQuery(new URLSearchParams(values), at);
}

interface ReadChange {
  readonly terms: SaleTerms;
  /** Null where the cost follows from the lots. */
  readonly givenCents: number | null;
  readonly preview: SalePreview;
}

/** Reads a change. The cost stays frozen unless another quantity is sold. */
async function readChange(
  deps: WebDeps,
  request: OwnRequest,
  { sale, fields }: { readonly sale: OwnSale; readonly fields: TypedFields },
): Promise<ReadChange> {
  const terms = readSaleTerms(fields, (await findOwnTables(deps, request)).fees);
  const givenCents = sale.facts.costCents === null ? null : fields.cents('cost');
  const frozenCents = terms.quantity === sale.facts.quantity ? sale.costCents : null;
  const costCents = givenCents ?? frozenCents;
  return { terms, givenCents, preview: previewOf(fields, [{ suffix: '', terms, costCents }]) };
}

/** What a sale would bring that is being changed. */
export async function previewChange(
  deps: WebDeps,
  request: OwnRequest,
  fields: TypedFields,
): Promise<SalePreview | null> {
  const sale = await findOwnSale(deps, request, request.query.get('sale') ?? '');
  return sale && (await readChange(deps, request, { sale, fields })).preview;
}

interface SaleProps {
  readonly request: OwnRequest;
  readonly sale: OwnSale;
  readonly set: ListedSet | null;
  /** Those that it took units of. */
  readonly lots: readonly SaleLot[];
  readonly fields: TypedFields;
  readonly preview: SalePreview;
  readonly tables: WebDeps['tables'];
}

async function showSale(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly fields?: TypedFields; readonly status?: number } = {},
): Promise<PageAnswer> {
  const sale = await findOwnSale(deps, request);
  if (!sale) return missingPage(request);
  const key = itemKey('set', sale.facts.setNumber);
  const set = (await deps.portfolio.market.findListedSets([key])).get(key) ?? null;
  const lots = await deps.accounts.listSaleLots(request.who.accountId, sale.id, linksShown);
  const { fields = storedFields(sale, request.at), status = 200 } = outcome;
  const tables = await findOwnTables(deps, request);
  const { preview } = await readChange(deps, request, { sale, fields });
  const props = { request, sale, set, lots, fields, preview, tables };
  return { page: <SalePage {...props} />, status };
}

async function postChange(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const sale = await findOwnSale(deps, sent);
  if (!sale) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const { terms, givenCents: costCents } = await readChange(deps, sent, { sale, fields });
  checkVersion(fields, saleVersion(sale.facts), saleVersion({ ...terms, costCents }));
  if (fields.isGood) {
    const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
    const done = await changeSale(doing, sale, { ...terms, costCents });
    if (done.ok) return { goTo: '/sales?did=changed' };
    fields.fail(
      done.field ?? 'quantity',
      sentence(done.reason.replace(`in lot '${sale.facts.lot}'`, 'in its lot')),
    );
  }
  return showSale(deps, sent, { fields, status: 400 });
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accountId } = sent.who;
  const submission = { accountId, formId: sent.form.text('once'), at: sent.at };
  const isFirst = await isFirstSubmission(deps.accounts, submission);
  const sale = await findOwnSale(deps, sent);
  // Sent twice, the second finds nothing any more.
  if (!sale && isFirst) return missingPage(sent);
  if (sale) await deps.accounts.removeSale(accountId, sale.id);
  return { goTo: '/sales?did=deleted' };
}

function SalePage(props: SaleProps) {
  const { request, sale, set, fields, preview } = props;
  const { facts } = sale;
  const { typed } = fields;
  const title = set?.title ?? facts.setNumber;
  const number = set?.number ?? facts.setNumber;
  return (
    <Layout
      title={`Sale of ${title}`}
      request={request}
      scripts={['sale.js']}
      actions={<DeleteSale request={request} sale={sale} />}
    >
      <p>
        <ItemCell kind="set" number={number} name={title} about={<SaleAbout sale={sale} />} />
      </p>
      <Card>
        <PostForm request={request} action={`/sales/${sale.id}`}>
          <VersionField version={saleVersion(facts)} typed={typed} />
          <div class="stack" data-sale={`/sales/preview?sale=${sale.id}`}>
            <SaleFields typed={typed} values={{}} presets={preview.presets} />
            {facts.costCents !== null && (
              <Field
                name="cost"
                label="Cost basis, $"
                typed={typed}
                inputmode="decimal"
                isRequired
              />
            )}
            <LiveFigures live={preview.live} />
          </div>
          <div class="row">
            <button type="submit">Save changes</button>
          </div>
        </PostForm>
        <Presets table={props.tables.fees} day={facts.saleDate} />
      </Card>
      {props.lots.length > 0 && <SaleLots lots={props.lots} />}
    </Layout>
  );
}

function SaleAbout({ sale: { facts } }: Pick<SaleProps, 'sale'>) {
  return (
    <>
      {dayText(facts.saleDate)} {facts.condition === 'used' && <Badge>Used</Badge>}
    </>
  );
}

function DeleteSale({ request, sale }: Pick<SaleProps, 'request' | 'sale'>) {
  return (
    <Dialog id="delete" title="Delete this sale?" trigger="Delete sale" look="danger">
      <p>Its units go back to their lots.</p>
      <PostForm request={request} action={`/sales/${sale.id}/delete`}>
        <button class="danger" type="submit">
          Delete sale
        </button>
      </PostForm>
    </Dialog>
  );
}

/** The lots that a sale took units of. */
function SaleLots({ lots }: Pick<SaleProps, 'lots'>) {
  return (
    <Card title="Lots sold">
      <DataTable
        label="Lots sold"
        rows={lots}
        rowKey={({ lotId }) => lotId}
        columns={[
          {
            key: 'lot',
            name: 'Lot',
            isMain: true,
            cell: (lot) => <a href={`/lots/${lot.lotId}`}>{boughtText(lot)}</a>,
          },
          { key: 'collection', name: 'Collection', cell: ({ brickfolio }) => brickfolio },
          { key: 'units', name: 'Units', isNumber: true, cell: ({ quantity }) => quantity },
        ]}
      />
      {lots.length === linksShown && (
        <p class="quiet">{`Only the first ${linksShown} are listed.`}</p>
      )}
    </Card>
  );
}
