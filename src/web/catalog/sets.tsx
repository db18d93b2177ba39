/** The page of a set: what it is for everybody, what it is worth for those who are signed in. */

import type { MinifigSearchResult } from '../../contract/catalog.ts';
import type { RetailRow } from '../../contract/retail.ts';
import type { SetRecord } from '../../contract/set.ts';
import type { ItemClass } from '../../domain/catalog/item-class.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { statusName } from '../../domain/catalog/status.ts';
import { countText, moneyText, usdText } from '../../domain/kernel/format.ts';
import type { ItemEvidence } from '../../domain/market/evidence-store.ts';
import type { SetDetails } from '../../domain/market/market-reading.ts';
import type { RetailMonths } from '../../domain/market/publishing-store.ts';
import { averageCostCents } from '../../domain/portfolio/holdings.ts';
import type { HeldCost, OwnLot } from '../../domain/portfolio/lot-store.ts';
import type { WebDeps } from '../deps.ts';
import { missingItem } from '../kit/fault.tsx';
import { Layout } from '../kit/layout.tsx';
import { itemPath, themePath } from '../kit/links.tsx';
import { linksShown, SetLots } from '../owner/inventory/lot-links.tsx';
import { readWatching, WatchButton, type Watching } from '../owner/watchlist/watch-item.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { AlsoLinks, ItemLinks, type LinkedItem, setCard } from './item-cards.tsx';
import { EvidenceCard } from './item-evidence.tsx';
import { Facts, Figure, ItemPicture, SignInCard } from './item-facts.tsx';
import { type BothSeries, HistoryCard } from './item-history.tsx';
import { hasFaults, type Pay, PayCard, readPay } from './item-pay.tsx';
import { RetailCard } from './item-retail.tsx';

/** The pages of sets. */
export function setRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'open', path: '/sets/{number}', get: (request) => showSet(deps, request) }];
}

async function showSet(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const number = request.params.number ?? '';
  const key = itemKey('set', number);
  const body = await deps.findDocument('set', key);
  if (body === null) {
    return missingItem(request, { kind: 'set', number, variants: await findVariants(deps, key) });
  }
  const set: SetRecord = JSON.parse(body);
  // One page, one address: `75192-1` is `75192`.
  if (set.set_number !== number) return { goTo: itemPath('set', set.set_number) };
  deps.noteLookUp('set', key);
  const { market } = deps;
  const [details, variants, figs, own, pay, watching] = await Promise.all([
    market.findSetDetails(key),
    findVariants(deps, key),
    market.findSearchRows(
      'minifig',
      set.minifigs.map((fig) => itemKey('minifig', fig)),
    ),
    request.who ? readOwn(deps, key, request.who.accountId) : null,
    readPay(deps, request, { kind: 'set', number }),
    readWatching(deps, request, { kind: 'set', number }),
  ]);
  const minifigs = figs.map((row): MinifigSearchResult => JSON.parse(row));
  const shown = { set, details, variants, minifigs, own, pay, watching };
  return {
    page: <SetPage request={request} deps={deps} {...shown} />,
    status: hasFaults(pay) ? 400 : 200,
  };
}

async function findVariants({ market }: WebDeps, key: string): Promise<LinkedItem[]> {
  return (await market.listVariants(key)).map(setCard);
}

/** What only those who are signed in are shown. */
interface Own {
  readonly series: BothSeries;
  readonly evidence: ItemEvidence | null;
  readonly retail: RetailRow | null;
  readonly months: RetailMonths | null;
  readonly held: HeldCost | null;
  readonly lots: readonly OwnLot[];
}

async function readOwn(deps: WebDeps, key: string, accountId: number): Promise<Own> {
  const { market, accounts } = deps;
  const [sealed, used, evidence, retail, months, held, lots] = await Promise.all([
    market.findSeries(key, 'sealed'),
    market.findSeries(key, 'used'),
    market.findEvidence('set', key),
    market.findRetail({ setKey: key }),
    market.findRetailMonths(key),
    accounts.listHeldCosts(accountId, [key]),
    accounts.listLotsOfSet(accountId, key, linksShown),
  ]);
  return {
    series: { sealed: sealed?.series ?? null, used: used?.series ?? null },
    evidence,
    months,
    retail: retail && JSON.parse(retail.body),
    held: held[0] ?? null,
    lots,
  };
}

interface SetPageProps {
  readonly request: PageRequest;
  readonly set: SetRecord;
  readonly details: SetDetails | null;
  readonly variants: readonly LinkedItem[];
  readonly minifigs: readonly MinifigSearchResult[];
  readonly own: Own | null;
  readonly pay: Pay | null;
  readonly watching: Watching | null;
  readonly deps: WebDeps;
}

function SetPage(props: SetPageProps) {
  const { request, set, details, variants, minifigs, own, pay, watching, deps } = props;
  const names = new Map(minifigs.map((fig) => [fig.minifig_number, fig.name]));
  return (
    <Layout title={`${set.set_number} ${set.title}`} request={request}>
      <section class="card item">
        <ItemPicture kind="set" number={set.set_number} isLarge />
        <div>
          <SetFacts set={set} details={details} />
          <AlsoLinks variants={variants} />
          <WatchButton request={request} watching={watching} />
        </div>
      </section>
      {own ? (
        <>
          <Worth set={set} held={own.held} />
          <PayCard pay={pay} />
          <SetLots number={set.set_number} lots={own.lots} />
          <HistoryCard series={own.series} />
          <RetailCard row={own.retail} months={own.months} set={set} names={deps.retailerNames} />
          <EvidenceCard kind="set" found={own.evidence} />
        </>
      ) : (
        <SignInCard request={request} />
      )}
      <ItemLinks
        title="Minifigs in it"
        kind="minifig"
        items={set.minifigs.map((number) => ({ number, name: names.get(number) ?? number }))}
      />
    </Layout>
  );
}

/** What a set is called that is not an ordinary one. */
const classNames: Readonly<Record<ItemClass, string | null>> = {
  set: null,
  polybag: 'Polybag',
  promotional: 'Promotional item',
  sample: 'Sample',
  gear: 'Gear',
  book: 'Book',
};

function SetFacts({ set, details }: Pick<SetPageProps, 'set' | 'details'>) {
  const { box } = set;
  const sides = [box.width_in, box.height_in, box.depth_in];
  const size = sides.every((side) => side !== null) ? `${sides.join(' × ')} in` : null;
  const weight = box.weight_lbs === null ? null : `${box.weight_lbs} lbs`;
  return (
    <Facts
      rows={[
        ['Number', set.set_number],
        ['Theme', <a href={themePath(set.theme)}>{set.theme}</a>],
        ['Subtheme', set.subtheme],
        ['Kind', details?.itemClass ? classNames[details.itemClass] : null],
        ['Year', details?.year ?? null],
        ['Status', statusName(set.status_id)],
        ['Released', set.release_date],
        ['Retired', set.retire_date],
        ['Pieces', set.pieces === null ? null : countText(set.pieces)],
        ['Minifigs', minifigsText(set, details)],
        ['Recommended price', set.msrp_usd === null ? null : usdText(set.msrp_usd)],
        ['Box', [size, weight].filter((part) => part !== null).join(', ')],
        ['UPC', set.barcodes.upc],
        ['EAN', set.barcodes.ean],
      ]}
    />
  );
}

/** The API has 0 where nothing is known, as its contract wants; people are told. */
function minifigsText({ minifigs_count }: SetRecord, details: SetDetails | null): string {
  const isKnown = minifigs_count > 0 || details?.minifigsCount === 0;
  return isKnown ? countText(minifigs_count) : 'Not known';
}

function Worth({ set, held }: { readonly set: SetRecord; readonly held: HeldCost | null }) {
  const range = set.value_range;
  return (
    <section class="card">
      <h2>What it is worth</h2>
      <div class="worths">
        <Figure
          name="New and sealed"
          value={usdText(set.new_value_usd)}
          more={range && `${usdText(range.low)} to ${usdText(range.high)}`}
        />
        <Figure name="Used and complete" value={usdText(set.used_value_usd)} />
        <Figure
          name="You hold"
          value={held ? countText(held.units) : 'none'}
          more={
            held &&
            `${moneyText(held.costCents)} paid, ${moneyText(averageCostCents(held))} for each`
          }
        />
      </div>
      <p class="quiet">
        {set.new_value_usd === null && set.used_value_usd === null
          ? 'Too little is known to give a value.'
          : `Data tier ${set.data_tier}. The range is where the next ordinary sale is expected.`}
      </p>
    </section>
  );
}
