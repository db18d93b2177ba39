/** Fees paid: the fees of imported orders compared with published fees, and own rates. */

import {
  type AuditedSale,
  auditFees,
  type FeeAudit,
  fittedSalesMin,
  type PlatformAudit,
} from '../../../buying/fees/fee-audit.ts';
import { ratedPlatforms } from '../../../buying/prices/buying-settings.ts';
import { type FeeTable, feesOn } from '../../../market/fees/fee-table.ts';
import { feeText } from '../../../market/fees/fee-text.ts';
import { platformNames } from '../../../market/fees/platforms.ts';
import { recordAudit } from '../../audit.ts';
import { ButtonForm } from '../../kit/buttons.tsx';
import { Card, EmptyState } from '../../kit/card.tsx';
import {
  actionColumn,
  column,
  countColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
  wideColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { amountText, FormReader } from '../../kit/form-reader.ts';
import { dayText, decimalText, gainText, inDollars, moneyText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { percentField } from '../buying/buy-terms.tsx';

const path = '/sales/fees-paid';

/** The maximum number of audited sales, newest first. */
const auditedMax = 5_000;

export const feesPaidRoutes = routes('own', {
  [path]: { get: showFees, post: postRate },
});

async function showFees(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const sales = await deps.accounts.listChargedSales(request.who.accountId, auditedMax);
  const { fees } = deps.site.tables;
  const charged = sales.filter(({ platform }) => ratedPlatforms.includes(platform));
  const audit = auditFees(fees, charged);
  return (
    <Layout title="Fees paid" request={request}>
      <p class="quiet">
        Fees on your imported orders, compared with the fees each platform had published on the day
        of the sale. Sales you entered yourself, and imports without fees, are left out.
      </p>
      {audit.platforms.length === 0 ? (
        <EmptyState title="No fees to compare" actions={[['/inventory/import', 'Import orders']]}>
          None of your imported orders include fees yet. Orders from eBay and BrickLink come without
          them.
        </EmptyState>
      ) : (
        <>
          <Card title="By platform">
            <DataTable label="Fees by platform" rows={audit.platforms} columns={platformColumns} />
          </Card>
          <Rates request={request} audit={audit} fees={fees} />
          {audit.most.length > 0 && (
            <Card title="Largest differences">
              <DataTable label="Largest differences" rows={audit.most} columns={saleColumns} />
            </Card>
          )}
        </>
      )}
    </Layout>
  );
}

/** Saves the fitted rate of a platform as the account's own rate. */
async function postRate(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new FormReader(sent.form, sent.today);
  const rate = {
    platform: fields.word('platform', ratedPlatforms),
    basisPoints: fields.basisPoints('percent', { min: 0, max: 100 }),
    feeCents: fields.cents('order'),
  };
  // The form has only hidden fields, so invalid values are not from a browser.
  if (!fields.isGood) return missingPage(sent);
  await deps.accounts.saveOwnRate(sent.who.accountId, rate);
  await recordAudit(deps, sent, { action: 'settings.changed', detail: 'buying' });
  return { goTo: '/account/buying?did=saved' };
}

function feeColumns<Row extends Pick<PlatformAudit, 'chargedCents' | 'listedCents'>>(
  grossOf: (row: Row) => number,
): readonly Column<Row>[] {
  return [
    moneyColumn('Gross', grossOf),
    moneyColumn('Fees charged', ({ chargedCents }) => chargedCents),
    moneyColumn('Published fees', ({ listedCents }) => listedCents),
    numberColumn('Difference', ({ chargedCents, listedCents }) =>
      gainText(chargedCents - listedCents),
    ),
  ];
}

const platformColumns: readonly Column<PlatformAudit>[] = [
  mainColumn('Platform', ({ platform }) => platformNames[platform]),
  countColumn('Sales', ({ sales }) => sales),
  ...feeColumns<PlatformAudit>(({ grossCents }) => grossCents),
  numberColumn('Rate paid', ({ chargedCents, grossCents }) =>
    grossCents === 0 ? '—' : `${decimalText((100 * chargedCents) / grossCents, 2)}%`,
  ),
];

const saleColumns: readonly Column<AuditedSale>[] = [
  mainColumn('Sale', ({ sale }) => (
    <a href={`/sales/${sale.id}`}>{`${sale.number}, ${dayText(sale.saleDate)}`}</a>
  )),
  column('Platform', ({ sale }) => platformNames[sale.platform]),
  ...feeColumns<AuditedSale>(({ sale }) => sale.grossCents),
];

interface RatesProps {
  readonly request: OwnRequest;
  readonly audit: FeeAudit;
  readonly fees: FeeTable;
}

/** Rates fitted to the fees charged, which can be adopted as own rates. */
function Rates(props: RatesProps) {
  const { platforms } = props.audit;
  const few = platforms.filter(({ rate }) => rate === null);
  return (
    <Card title="Your rates" actions={<a href="/account/buying">Buying settings</a>}>
      <DataTable
        label="Your rates"
        rows={platforms.filter(({ rate }) => rate !== null)}
        columns={rateColumns(props)}
      />
      {few.length > 0 && (
        <p class="quiet small">
          {few.map(({ platform }) => platformNames[platform]).join(', ')}: fewer than{' '}
          {fittedSalesMin} sales, too few for a rate.
        </p>
      )}
    </Card>
  );
}

function rateColumns({ request, fees }: RatesProps): readonly Column<PlatformAudit>[] {
  const today = request.today;
  return [
    mainColumn('Platform', ({ platform }) => platformNames[platform]),
    wideColumn('You pay', rateText),
    wideColumn('Published fees', ({ platform }) =>
      inDollars(feeText(feesOn(fees, platform, today))),
    ),
    actionColumn(
      ({ platform, rate }) =>
        rate && (
          <ButtonForm
            action={path}
            look="link"
            of={`on ${platformNames[platform]}`}
            fields={{
              platform,
              percent: percentField(rate.basisPoints),
              order: amountText(rate.feeCents),
            }}
          >
            Use my rate
          </ButtonForm>
        ),
    ),
  ];
}

function rateText({ rate, lacksPayment }: PlatformAudit): string {
  if (rate === null) return '';
  const perOrder = rate.feeCents === 0 ? '' : ` plus ${moneyText(rate.feeCents)} per order`;
  const payment = lacksPayment
    ? ' Your orders do not include payment fees, so the published ones are added.'
    : '';
  return `${rate.basisPoints / 100}% of what the buyer pays${perOrder}.${payment}`;
}
