/** Fees you paid: what orders were charged, against published fees, and rates of one's own. */

import { ratedPlatforms } from '../../../domain/buying/buying-settings.ts';
import {
  type AuditedSale,
  auditFees,
  type FeeAudit,
  fittedSalesMin,
  type PlatformAudit,
} from '../../../domain/buying/fee-audit.ts';
import { type FeeTable, feesOn } from '../../../domain/fees/fee-table.ts';
import { feeText } from '../../../domain/fees/fee-text.ts';
import { platformNames } from '../../../domain/fees/platforms.ts';
import { countText, gainText, moneyText } from '../../../domain/kernel/format.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { missingPage } from '../../kit/fault.tsx';
import { PostForm } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';

const path = '/sales/fees-paid';

/** Sales that are looked at, the newest first. */
const auditedMax = 5_000;

/** The page of fees that were paid. */
export function feesPaidRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path,
      get: (request) => showFees(deps, request),
      post: (sent) => postRate(deps, sent),
    },
  ];
}

async function showFees(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const sales = await deps.accounts.listChargedSales(request.who.accountId, auditedMax);
  const { fees } = deps.tables;
  const charged = sales.filter(({ platform }) => ratedPlatforms.includes(platform));
  return { page: <FeesPage request={request} audit={auditFees(fees, charged)} fees={fees} /> };
}

/** Keeps the rate that was shown, in the place of the platform's own. */
async function postRate(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const rate = {
    platform: fields.word('platform', ratedPlatforms),
    basisPoints: fields.basisPoints('percent', { min: 0, max: 100 }),
    feeCents: fields.cents('order'),
  };
  // The form has nothing to type into: whoever gets this wrong has not used it.
  if (!fields.isGood) return missingPage(sent);
  const { accountId } = sent.who;
  const settings = await deps.accounts.findBuyingSettings(accountId);
  const others = settings.ownRates.filter(({ platform }) => platform !== rate.platform);
  const ownRates = [...others, rate];
  await deps.accounts.saveBuyingSettings(accountId, { ...settings, ownRates });
  return { goTo: '/account/buying?saved=1' };
}

interface FeesProps {
  readonly request: OwnRequest;
  readonly audit: FeeAudit;
  readonly fees: FeeTable;
}

function FeesPage(props: FeesProps) {
  const { request, audit } = props;
  return (
    <Layout title="Fees you paid" request={request}>
      <p class="row">
        <a href="/sales">Sales</a>
        <a href="/account/buying">Buying settings</a>
      </p>
      <p>
        Fees on your imported orders, compared with the platform’s published fees on the day of the
        sale. Sales you entered by hand are left out, because their fees may be presets. So are
        imports without fees, such as order downloads from eBay and BrickLink.
      </p>
      {audit.platforms.length === 0 ? (
        <p class="quiet">None of your imported orders include fees yet.</p>
      ) : (
        <>
          <Platforms platforms={audit.platforms} />
          <Rates {...props} />
          {audit.most.length > 0 && <Differences most={audit.most} />}
        </>
      )}
    </Layout>
  );
}

function Platforms({ platforms }: { readonly platforms: readonly PlatformAudit[] }) {
  const numbers = ['Sales', ...feeColumns, 'Rate paid'];
  return (
    <section class="card scroll">
      <h2>By platform</h2>
      <table class="cards">
        <TableHead columns={['Platform', ...numbers]} numbers={numbers} />
        <tbody>
          {platforms.map(({ platform, sales, grossCents, chargedCents, listedCents }) => (
            <tr key={platform}>
              <td data-name="Platform">{platformNames[platform]}</td>
              <td data-name="Sales" class="number">
                {countText(sales)}
              </td>
              <FeeCells
                paidCents={grossCents}
                chargedCents={chargedCents}
                listedCents={listedCents}
              />
              <td data-name="Rate paid" class="number">
                {grossCents === 0 ? '–' : `${((100 * chargedCents) / grossCents).toFixed(2)}%`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What both tables tell of fees. */
const feeColumns = ['Buyer paid', 'Fees charged', 'Published fees', 'Difference'] as const;

function FeeCells(props: {
  readonly paidCents: number;
  readonly chargedCents: number;
  readonly listedCents: number;
}) {
  const { paidCents, chargedCents, listedCents } = props;
  const texts: Readonly<Record<(typeof feeColumns)[number], string>> = {
    'Buyer paid': moneyText(paidCents),
    'Fees charged': moneyText(chargedCents),
    'Published fees': moneyText(listedCents),
    Difference: gainText(chargedCents - listedCents),
  };
  return (
    <>
      {feeColumns.map((name) => (
        <td key={name} data-name={name} class="number">
          {texts[name]}
        </td>
      ))}
    </>
  );
}

/** The rates that explain what was charged, to be used from now on. */
function Rates(props: FeesProps) {
  const { platforms } = props.audit;
  const few = platforms.filter(({ rate }) => rate === null);
  return (
    <section class="card">
      <h2>Your rates</h2>
      {platforms.map((each) => each.rate && <Rate key={each.platform} {...props} {...each} />)}
      {few.length > 0 && (
        <p class="quiet">
          {few.map(({ platform }) => platformNames[platform]).join(', ')}: fewer than{' '}
          {fittedSalesMin} sales, too few for a rate.
        </p>
      )}
    </section>
  );
}

function Rate(props: FeesProps & PlatformAudit) {
  const { request, fees, platform, rate, lacksPayment } = props;
  if (rate === null) return null;
  const name = platformNames[platform];
  const listed = feeText(feesOn(fees, platform, formatDay(request.at)));
  const perOrder = rate.feeCents === 0 ? '' : ` plus ${moneyText(rate.feeCents)} per order`;
  return (
    <>
      <h3>{name}</h3>
      <p>
        {rate.basisPoints / 100}% of what the buyer pays{perOrder}.
        {lacksPayment &&
          ' Your orders do not include payment fees, so the published ones are added.'}
      </p>
      <p class="quiet">Published fees: {listed}.</p>
      <PostForm request={request} action={path}>
        <input type="hidden" name="platform" value={platform} />
        <input type="hidden" name="percent" value={String(rate.basisPoints / 100)} />
        <input type="hidden" name="order" value={amountText(rate.feeCents)} />
        <button class="plain" type="submit">
          Use my rate on {name}
        </button>
      </PostForm>
    </>
  );
}

function Differences({ most }: { readonly most: readonly AuditedSale[] }) {
  return (
    <section class="card scroll">
      <h2>Largest differences</h2>
      <table class="cards">
        <TableHead
          columns={['Date', 'Set', 'Platform', ...feeColumns]}
          numbers={feeColumns}
          action="Open"
        />
        <tbody>
          {most.map(({ sale, chargedCents, listedCents }) => (
            <tr key={sale.id}>
              <td data-name="Date" class="day">
                {sale.saleDate}
              </td>
              <td data-name="Set">{sale.setNumber}</td>
              <td data-name="Platform">{platformNames[sale.platform]}</td>
              <FeeCells
                paidCents={sale.grossCents}
                chargedCents={chargedCents}
                listedCents={listedCents}
              />
              <td>
                <a href={`/sales/${sale.id}`}>Open</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
