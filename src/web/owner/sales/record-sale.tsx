/** Recording a sale of a lot, and where it would bring most. */

import { recordSale } from '../../../accounts/own-sales.ts';
import { countText, moneyText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { ListedSet } from '../../../domain/market/market-reading.ts';
import { unitValueCents } from '../../../domain/portfolio/holdings.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';
import type { WebDeps } from '../../deps.ts';
import { missingPage } from '../../kit/fault.tsx';
import { Choice, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { findOwnLot } from '../inventory/lot.tsx';
import { Presets, readSaleTerms, SaleFields } from './sale-form.tsx';

/** The page that records a sale. */
export function recordSaleRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/lots/{id}/sale',
      get: (request) => showForm(deps, request),
      post: (sent) => postSale(deps, sent),
    },
  ];
}

interface FormProps {
  readonly request: OwnRequest;
  readonly lot: OwnLot;
  readonly set: ListedSet | null;
  readonly typed: Typed;
  readonly tables: WebDeps['tables'];
}

async function showForm(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, request);
  if (!lot) return missingPage(request);
  const set = (await deps.portfolio.market.findListedSets([lot.setKey])).get(lot.setKey) ?? null;
  const { typed = untyped, status = 200 } = outcome;
  const props = { request, lot, set, typed, tables: await findOwnTables(deps, request) };
  return { page: <FormPage {...props} />, status };
}

const origins = ['lot', 'oldest'] as const;

async function postSale(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const lot = await findOwnLot(deps, sent);
  if (!lot) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const terms = readSaleTerms(fields, (await findOwnTables(deps, sent)).fees);
  const isFromLot = fields.word('from', origins) === 'lot';
  if (fields.isGood) {
    const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
    const draft = { terms, isFromLot, formId: sent.form.text('once') };
    const done = await recordSale(doing, lot, draft);
    if (done.ok) return { goTo: '/sales?recorded=1' };
    // The lot is named by what it is called in files, which says nothing here.
    fields.fail(
      done.field ?? 'quantity',
      sentence(done.reason.replace(`in lot '${lot.sourceId}'`, 'in this lot')),
    );
  }
  return showForm(deps, sent, { typed: fields.typed, status: 400 });
}

function FormPage({ request, lot, set, typed, tables }: FormProps) {
  const title = set?.title ?? lot.setNumber;
  const left = lot.quantity - lot.sold;
  const today = formatDay(request.at);
  return (
    <Layout title={`Sell ${title}`} request={request} scripts={['fees.js']}>
      <p class="row">
        <a href={`/lots/${lot.id}`}>Back to the lot</a>
        <SetLink number={set?.number ?? lot.setNumber} title={title} />
        {lot.condition === 'used' && <span class="badge">used</span>}
      </p>
      {left === 0 && (
        <Notice kind="warn">
          All units of this lot are sold. Units of other lots of the same set can still be.
        </Notice>
      )}
      <section class="card">
        <dl class="facts">
          <dt>Left in this lot</dt>
          <dd>{countText(left)}</dd>
          <dt>One cost</dt>
          <dd>{moneyText(lot.priceCents)}</dd>
          <dt>Value of one now</dt>
          <dd>{moneyText(unitValueCents(set, lot.condition))}</dd>
        </dl>
        <p>
          <a href={`/lots/${lot.id}/sell`}>Where it would bring most</a>
        </p>
      </section>
      <section class="card">
        <h2>The sale</h2>
        <PostForm request={request} action={`/lots/${lot.id}/sale`}>
          <Choice
            name="from"
            label="Units come from"
            typed={typed}
            options={[
              ['lot', `This lot, bought ${lot.purchaseDate}`],
              ['oldest', 'The oldest lots of this set: first in, first out'],
            ]}
          />
          <SaleFields typed={typed} values={{ sale_date: today }} />
          <Presets table={tables.fees} day={today} />
          <button type="submit">Record it</button>
        </PostForm>
      </section>
    </Layout>
  );
}
