/** The page of a minifig. */

import type { SetSearchResult } from '../../contract/catalog.ts';
import type { MinifigRecord } from '../../contract/minifig.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import { countText, usdText } from '../../domain/kernel/format.ts';
import type { ItemEvidence } from '../../domain/market/evidence-store.ts';
import type { WebDeps } from '../deps.ts';
import { missingItem } from '../kit/fault.tsx';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { readWatching, WatchButton, type Watching } from '../owner/watchlist/watch-item.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { aboutSet, ItemLinks } from './item-cards.tsx';
import { EvidenceCard } from './item-evidence.tsx';
import { Facts, Figure, ItemPicture, SignInCard } from './item-facts.tsx';
import { hasFaults, type Pay, PayCard, readPay } from './item-pay.tsx';

/** The pages of minifigs. */
export function minifigRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'open', path: '/minifigs/{number}', get: (request) => showMinifig(deps, request) },
  ];
}

async function showMinifig(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const number = request.params.number ?? '';
  const key = itemKey('minifig', number);
  const body = await deps.findDocument('minifig', key);
  if (body === null) return missingItem(request, { kind: 'minifig', number });
  const minifig: MinifigRecord = JSON.parse(body);
  // It is found by the numbers of other catalogs, too, and has one address.
  if (minifig.minifig_number !== number) {
    return { goTo: itemPath('minifig', minifig.minifig_number) };
  }
  deps.noteLookUp('minifig', key);
  const { market } = deps;
  const [rows, evidence, pay, watching] = await Promise.all([
    market.findSearchRows(
      'set',
      minifig.sets.map((set) => itemKey('set', set)),
    ),
    request.who ? market.findEvidence('minifig', key) : null,
    readPay(deps, request, { kind: 'minifig', number }),
    readWatching(deps, request, { kind: 'minifig', number }),
  ]);
  const sets = rows.map((row): SetSearchResult => JSON.parse(row));
  const shown = { minifig, sets, evidence, pay, watching };
  return {
    page: <MinifigPage request={request} {...shown} />,
    status: hasFaults(pay) ? 400 : 200,
  };
}

interface MinifigPageProps {
  readonly request: PageRequest;
  readonly minifig: MinifigRecord;
  readonly sets: readonly SetSearchResult[];
  readonly evidence: ItemEvidence | null;
  readonly pay: Pay | null;
  readonly watching: Watching | null;
}

function MinifigPage(props: MinifigPageProps) {
  const { request, minifig, sets, evidence, pay, watching } = props;
  const { minifig_number: number, value_range: range } = minifig;
  const known = new Map(sets.map((set) => [set.set_number, set]));
  return (
    <Layout title={`${number} ${minifig.name}`} request={request}>
      <section class="card item">
        <ItemPicture kind="minifig" number={number} isLarge />
        <div>
          <Facts
            rows={[
              ['Number', number],
              ['Category', minifig.category],
              ['Colour', minifig.color ?? null],
              ['Released', minifig.year_released === null ? null : String(minifig.year_released)],
              ['In sets', countText(minifig.set_count)],
            ]}
          />
          <WatchButton request={request} watching={watching} />
        </div>
      </section>
      {request.who ? (
        <>
          <section class="card">
            <h2>What it is worth</h2>
            <div class="worths">
              <Figure
                name="Used and complete"
                value={usdText(minifig.current_value_usd)}
                more={range && `${usdText(range.low)} to ${usdText(range.high)}`}
              />
            </div>
            <p class="quiet">
              The range is where the next ordinary sale is expected. A minifig has no history by
              month.
            </p>
          </section>
          <PayCard pay={pay} />
          <EvidenceCard kind="minifig" found={evidence} />
        </>
      ) : (
        <SignInCard request={request} />
      )}
      <ItemLinks
        title="Sets it is in"
        kind="set"
        items={minifig.sets.map((set) => {
          const found = known.get(set);
          return { number: set, name: found?.title ?? set, about: found ? aboutSet(found) : null };
        })}
      />
    </Layout>
  );
}
