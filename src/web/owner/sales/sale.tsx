/** One recorded sale: what it brought, changed or deleted. */

import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { changeSale } from '../../../accounts/own-sales.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { gainText, moneyText, percentText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import { proceedsOf } from '../../../domain/portfolio/ledger.ts';
import type { OwnSale, SaleLot } from '../../../domain/portfolio/ledger-store.ts';
import type { WebDeps } from '../../deps.ts';
import { checkVersion, VersionField } from '../../kit/edit-version.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { Checkbox, Field, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Figure } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, PageRoute } from '../../page.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { idOf } from '../inventory/lot-form.ts';
import { linksShown, SaleLots } from '../inventory/lot-links.tsx';
import { Presets, readSaleTerms, SaleFields, saleVersion } from './sale-form.tsx';

/** The page of a sale. */
export function saleRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/sales/{id}',
      get: (request) => showSale(deps, request),
      post: (sent) => postChange(deps, sent),
    },
    {
      access: 'own',
      path: '/sales/{id}/delete',
      get: async (request: PageRequest) => goToItem(request, (id) => `/sales/${id}`),
      post: (sent) => postDelete(deps, sent),
    },
  ];
}

async function findOwnSale(deps: WebDeps, request: OwnRequest): Promise<OwnSale | null> {
  const id = idOf(request.params.id);
  return id === null ? null : deps.accounts.findSale(request.who.accountId, id);
}

interface SaleProps {
  readonly request: OwnRequest;
  readonly sale: OwnSale;
  readonly set: ListedSet | null;
  /** Those that it took units of. */
  readonly lots: readonly SaleLot[];
  readonly typed: Typed;
  readonly tables: WebDeps['tables'];
}

async function showSale(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const sale = await findOwnSale(deps, request);
  if (!sale) return missingPage(request);
  const key = itemKey('set', sale.facts.setNumber);
  const set = (await deps.portfolio.market.findListedSets([key])).get(key) ?? null;
  const lots = await deps.accounts.listSaleLots(request.who.accountId, sale.id, linksShown);
  const { typed = untyped, status = 200 } = outcome;
  const tables = await findOwnTables(deps, request);
  const props = { request, sale, set, lots, typed, tables };
  return { page: <SalePage {...props} />, status };
}

async function postChange(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const sale = await findOwnSale(deps, sent);
  if (!sale) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const terms = readSaleTerms(fields, (await findOwnTables(deps, sent)).fees);
  const costCents = sale.facts.costCents === null ? null : fields.cents('cost');
  checkVersion(fields, saleVersion(sale.facts), saleVersion({ ...terms, costCents }));
  if (fields.isGood) {
    const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
    const done = await changeSale(doing, sale, { ...terms, costCents });
    if (done.ok) return { goTo: '/sales?changed=1' };
    fields.fail(
      done.field ?? 'quantity',
      sentence(done.reason.replace(`in lot '${sale.facts.lot}'`, 'in its lot')),
    );
  }
  return showSale(deps, sent, { typed: fields.typed, status: 400 });
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accountId } = sent.who;
  const submission = { accountId, formId: sent.form.text('once'), at: sent.at };
  const isFirst = await isFirstSubmission(deps.accounts, submission);
  const sale = await findOwnSale(deps, sent);
  const gone = { goTo: '/sales?removed=1' };
  // Sent twice, the second finds nothing any more.
  if (!sale) return isFirst ? missingPage(sent) : gone;
  if (!sent.form.isTicked('sure')) {
    const typed = { values: {}, faults: { sure: 'Tick this if you mean it.' } };
    return showSale(deps, sent, { typed, status: 400 });
  }
  await deps.accounts.removeSale(accountId, sale.id);
  return gone;
}

function SalePage(props: SaleProps) {
  const { request, sale, set, typed } = props;
  const { facts, costCents } = sale;
  const title = set?.title ?? facts.setNumber;
  return (
    <Layout title={`Sale of ${title}`} request={request} scripts={['fees.js']}>
      <p class="row">
        <a href="/sales">All sales</a>
        <SetLink number={set?.number ?? facts.setNumber} title={title} />
        {facts.condition === 'used' && <span class="badge">used</span>}
      </p>
      <Brought sale={sale} />
      <SaleLots lots={props.lots} />
      <section class="card">
        <h2>Change it</h2>
        <PostForm request={request} action={`/sales/${sale.id}`}>
          <VersionField version={saleVersion(facts)} typed={typed} />
          <SaleFields typed={typed} values={valuesOf(sale)} />
          {facts.costCents === null ? (
            <p class="quiet">
              The units cost {moneyText(costCents)}. That stays, unless you change how many were
              sold.
            </p>
          ) : (
            <Field
              name="cost"
              label="What the units cost, in $"
              typed={typed}
              value={amountText(costCents)}
              inputmode="decimal"
              isRequired
            />
          )}
          <Presets table={props.tables.fees} day={facts.saleDate} />
          <button type="submit">Save</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>Delete it</h2>
        <PostForm request={request} action={`/sales/${sale.id}/delete`}>
          <Checkbox name="sure" label="Yes; its units go back to their lots" typed={typed} />
          <button class="danger" type="submit">
            Delete it
          </button>
        </PostForm>
      </section>
    </Layout>
  );
}

function Brought({ sale: { facts, costCents } }: Pick<SaleProps, 'sale'>) {
  const { netCents, profitCents, roiPct } = proceedsOf({ ...facts, costCents });
  return (
    <div class="grid figures">
      <Figure name="You got" value={moneyText(netCents)} />
      <Figure name="Cost" value={moneyText(costCents)} />
      <Figure name="Profit" value={gainText(profitCents)} sign={profitCents} />
      <Figure name="Return on cost" value={percentText(roiPct)} />
    </div>
  );
}

function valuesOf({ facts }: OwnSale): Readonly<Record<string, string>> {
  return {
    quantity: String(facts.quantity),
    platform: facts.platform,
    sale_date: facts.saleDate,
    gross: amountText(facts.grossCents),
    platform_fees: amountText(facts.platformFeesCents),
    payment_fees: amountText(facts.paymentFeesCents),
    shipping: amountText(facts.shippingCents),
  };
}
