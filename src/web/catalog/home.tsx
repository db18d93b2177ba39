/** The home page, for visitors. */

import { nounText } from '../../domain/kernel/format.ts';
import type { MarketItem } from '../../domain/market/market-list.ts';
import type { WebDeps } from '../deps.ts';
import { Card } from '../kit/card.tsx';
import { Notice } from '../kit/fields.tsx';
import { ItemPicture } from '../kit/item-picture.tsx';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import type { PageAnswer, PageRequest } from '../page.ts';
import { openPages } from '../page-table.ts';

export const homeRoutes = openPages({ '/': { get: showHome } });

async function showHome(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  if (request.who) return { goTo: '/portfolio' };
  const { example, counts } = await deps.findMarket();
  return (
    <Layout title="Know what your LEGO sets are worth" request={request} hasOwnSearch hasOwnTitle>
      {request.query.has('gone') && <Notice>Your account has been deleted.</Notice>}
      <section class="hero">
        <div>
          <h1>Know what your LEGO sets are worth</h1>
          <p class="lead">
            Brickmark values sets and minifigs from real sales and tracks your collection like a
            portfolio.
          </p>
          <p class="row">
            {request.access.signUp === 'open' && (
              <a class="button" href="/sign-up">
                Create account
              </a>
            )}
            <a class="button plain" href="/market">
              Browse the market
            </a>
          </p>
          <SearchBox id="home-find" />
          {counts.set > 0 && (
            <p class="quiet small">
              {`${nounText(counts.set, 'set')} and ${nounText(counts.minifig, 'minifig')}. `}
              <a href="/scorecard">How accurate the values are</a>
            </p>
          )}
        </div>
        {example && <Example item={example} />}
      </section>
      <div class="grid benefits">
        {benefits.map(([title, text]) => (
          <Card key={title} title={title}>
            <p class="quiet">{text}</p>
          </Card>
        ))}
      </div>
    </Layout>
  );
}

const benefits: readonly (readonly [title: string, text: string])[] = [
  [
    'Market values you can check',
    'Sealed and used values from real sales, each with its range, confidence and full history.',
  ],
  [
    'Your portfolio',
    'Add sets or import a file. See cost basis, market value, gain and return, day by day.',
  ],
  [
    'Sales and profit',
    'Record sales with fees and shipping. Profit by platform and month, ready for your taxes.',
  ],
  [
    'Deals and max buy prices',
    'Retail offers below what you can pay and still earn your margin after all fees.',
  ],
  [
    'Alerts',
    'Email, webhook, ntfy or Discord when a set reaches your price, retires or changes in value.',
  ],
  ['An API', 'Everything as JSON, spreadsheets and tools for AI apps, with your own keys.'],
];

/** An example of a set. Its value is shown only to users who are signed in. */
function Example({ item }: { readonly item: MarketItem }) {
  const { kind, number, name, theme, year } = item;
  return (
    <a class="card example" href={itemPath(kind, number)}>
      <ItemPicture kind={kind} number={number} size="card" />
      <strong>{name}</strong>
      <span class="quiet small">
        {[number, theme, year, 'retired'].filter((part) => part !== null).join(' · ')}
      </span>
      <span class="example-value">
        <span class="quiet small">Market value</span>
        <span class="hero-value" aria-hidden="true">
          $•••.••
        </span>
        <span class="small">Create an account to see it</span>
      </span>
    </a>
  );
}
