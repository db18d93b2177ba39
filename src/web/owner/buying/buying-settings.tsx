/** Buying settings: on what terms an account buys, and the fees that it really pays. */

import {
  type BuyingSettings,
  type OwnRate,
  ratedPlatforms,
  termsOf,
} from '../../../domain/buying/buying-settings.ts';
import { type FeeTable, feesOn } from '../../../domain/fees/fee-table.ts';
import { feeText } from '../../../domain/fees/fee-text.ts';
import { type Platform, platformNames } from '../../../domain/fees/platforms.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { Field, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { BuyTermsFields, percentField, termLimits } from './buy-terms.tsx';

/** The page of buying settings. */
export function buyingSettingsRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/account/buying',
      get: (request) => showSettings(deps, request, untyped),
      post: (sent) => postSettings(deps, sent),
    },
  ];
}

/** What a rate may be, in percent. */
const rateLimits = { min: 0, max: 100 };

async function showSettings(deps: WebDeps, request: OwnRequest, typed: Typed): Promise<PageAnswer> {
  const settings = await deps.accounts.findBuyingSettings(request.who.accountId);
  const props = { request, settings, typed, fees: deps.tables.fees };
  const isGood = Object.keys(typed.faults).length === 0;
  return { page: <SettingsPage {...props} />, status: isGood ? 200 : 400 };
}

async function postSettings(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const settings = readSettings(fields);
  if (!fields.isGood) return showSettings(deps, sent, fields.typed);
  await deps.accounts.saveBuyingSettings(sent.who.accountId, settings);
  return { goTo: '/account/buying?saved=1' };
}

function readSettings(fields: TypedFields): BuyingSettings {
  return {
    share: fields.basisPoints('share', termLimits.share) / 10_000,
    marginBasisPoints: fields.basisPoints('margin', termLimits.margin),
    taxBasisPoints: fields.basisPoints('tax', termLimits.tax),
    cashbackBasisPoints: fields.basisPoints('cashback', termLimits.cashback),
    inboundCents: fields.centsOrNull('inbound') ?? 0,
    moneyBasisPoints: fields.basisPoints('money', termLimits.money),
    ownRates: ratedPlatforms.flatMap((platform) => readRate(fields, platform) ?? []),
  };
}

/** A platform's own rate; null where both of its fields are empty. */
function readRate(fields: TypedFields, platform: Platform): OwnRate | null {
  const [percent, order] = [`${platform}_percent`, `${platform}_order`];
  if (fields.isBlank(percent) && fields.isBlank(order)) return null;
  return {
    platform,
    basisPoints: fields.isBlank(percent) ? 0 : fields.basisPoints(percent, rateLimits),
    feeCents: fields.centsOrNull(order) ?? 0,
  };
}

interface SettingsProps {
  readonly request: OwnRequest;
  readonly settings: BuyingSettings;
  readonly typed: Typed;
  readonly fees: FeeTable;
}

function SettingsPage(props: SettingsProps) {
  const { request } = props;
  return (
    <Layout title="Buying settings" request={request}>
      {request.query.has('saved') && <Notice>Saved.</Notice>}
      <p class="row">
        <a href="/account">Account</a>
      </p>
      <PostForm request={request} action="/account/buying">
        <Terms {...props} />
        <Rates {...props} />
        <button type="submit">Save</button>
      </PostForm>
    </Layout>
  );
}

function Terms({ settings, typed }: SettingsProps) {
  return (
    <section class="card">
      <h2>Buying terms</h2>
      <div class="form-grid">
        <BuyTermsFields typed={typed} terms={termsOf(settings)} />
      </div>
    </section>
  );
}

function Rates({ request, settings, typed, fees }: SettingsProps) {
  const day = formatDay(request.at);
  const owns = new Map(settings.ownRates.map((rate) => [rate.platform, rate]));
  return (
    <section class="card">
      <h2>Your fee rates</h2>
      <p>
        Leave these empty to use the platforms’ published fees. Your own rate replaces all platform
        and payment fees: a percentage of what the buyer pays, including shipping but not tax, plus
        an amount per order. FBA fulfillment and storage always use Amazon’s published fees.
      </p>
      <p>
        <a href="/sales/fees-paid">Fees you paid</a> shows what your orders were charged.
      </p>
      {ratedPlatforms.map((platform) => (
        <RateFields
          key={platform}
          platform={platform}
          rate={owns.get(platform) ?? null}
          typed={typed}
          listed={feeText(feesOn(fees, platform, day))}
        />
      ))}
    </section>
  );
}

function RateFields(props: {
  readonly platform: Platform;
  readonly rate: OwnRate | null;
  readonly typed: Typed;
  /** The published fees. */
  readonly listed: string;
}) {
  const { platform, rate, typed, listed } = props;
  const name = platformNames[platform];
  return (
    <>
      <h3>{name}</h3>
      <p class="quiet">Published fees: {listed}.</p>
      <div class="form-grid">
        <Field
          name={`${platform}_percent`}
          label={`${name}: rate, %`}
          typed={typed}
          inputmode="decimal"
          value={rate ? percentField(rate.basisPoints) : ''}
        />
        <Field
          name={`${platform}_order`}
          label={`${name}: per order, $`}
          typed={typed}
          inputmode="decimal"
          value={rate ? amountText(rate.feeCents) : ''}
        />
      </div>
    </>
  );
}
