/** The home page, for visitors. */

import { deliveryKinds, deliveryTable } from '../../alerts/channels/delivery-channel-kinds.ts';
import { allowanceDefault } from '../../contract/limits.ts';
import { capitalized, orList } from '../../kernel/text.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import type { MarketItem } from '../../market/lists/market-item.ts';
import { productPicture } from '../assets.ts';
import { itemPath } from '../kit/address.ts';
import { ButtonLink, PlainLink } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { column, mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Notice } from '../kit/fields.tsx';
import { countText, moneyText, nounText } from '../kit/format.ts';
import { ItemPicture } from '../kit/item-picture.tsx';
import { Layout } from '../kit/layout.tsx';
import { ConfidenceDot, confidenceNames, Delta } from '../kit/money.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

export const homeRoutes = routes('open', { '/': { get: showHome } });

async function showHome(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  if (request.who) return { goTo: '/today' };
  const { example, counts } = await deps.cache.findMarket();
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
              <ButtonLink href="/sign-up">Create account</ButtonLink>
            )}
            <PlainLink href="/market">Browse the market</PlainLink>
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
      <img
        class="product"
        src={productPicture.path}
        width={productPicture.width}
        height={productPicture.height}
        alt="The portfolio page: market value over time, gains, returns, and themes"
        loading="lazy"
      />
      <div class="grid benefits">
        {benefits.map(([title, text]) => (
          <Card key={title} title={title}>
            <p class="quiet">{text}</p>
          </Card>
        ))}
      </div>
      <Card title="Free and Reseller">
        <DataTable label="Plans" columns={planColumns} rows={planRows} />
      </Card>
      <div class="grid benefits">
        <Guides />
        <Card title="Self-hosted">
          <p class="quiet">
            Brickmark is open source and runs on a server of your own, or on this one. Your
            collection and sales are not shared with anyone, and you can export everything at any
            time.
          </p>
        </Card>
      </div>
    </Layout>
  );
}

const channelWords = orList.format(deliveryKinds.map((kind) => deliveryTable[kind].word));

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
    'Record sales with fees and shipping. Profit by theme, platform and month, ready for taxes.',
  ],
  [
    'Deals and max buy prices',
    'Retail offers below what you can pay and still earn your margin after all fees.',
  ],
  [
    'Alerts',
    `${capitalized(channelWords)} when a set reaches your price, retires or changes in value.`,
  ],
  ['An API', 'Everything as JSON, spreadsheets and tools for AI apps, with your own keys.'],
];

/** An example of a set, the only one whose value visitors see; an estimate is not shown. */
function Example({ item }: { readonly item: MarketItem }) {
  const { kind, number, name, theme, year, pieces, statusId } = item;
  const status = statusId === 4 ? 'retired' : null;
  return (
    <a class="card example" href={itemPath(kind, number)}>
      <ItemPicture kind={kind} number={number} size="card" />
      <strong>{name}</strong>
      <span class="quiet small">
        {[number, theme, year, status].filter((part) => part !== null).join(' · ')}
      </span>
      {item.tier === null || item.tier === 'modeled' ? (
        <span class="small">{pieces !== null && nounText(pieces, 'piece')}</span>
      ) : (
        <ExampleValue item={item} tier={item.tier} />
      )}
    </a>
  );
}

function ExampleValue({ item, tier }: { readonly item: MarketItem; readonly tier: DataTier }) {
  const { valueCents, change365 } = item;
  return (
    <span class="example-value">
      <span class="quiet small">Market value, sealed</span>
      <span class="hero-value">{moneyText(valueCents)}</span>
      <span class="small">
        <ConfidenceDot tier={tier} /> {confidenceNames[tier]}
        {change365 !== null && (
          <>
            {' · '}
            <Delta percent={change365} /> in a year
          </>
        )}
      </span>
    </span>
  );
}

/** A feature, and whether the plans include it. */
const planRows = [
  { what: 'Values, ranges, confidence and history', free: 'Yes', reseller: 'Yes' },
  { what: 'Inventory, portfolio, sales and tax export', free: 'Yes', reseller: 'Yes' },
  { what: 'Watchlists and alerts', free: 'Yes', reseller: 'Yes' },
  { what: 'Deals, max buy and box evaluation', free: '—', reseller: 'Yes' },
  {
    what: 'API, client and AI apps (MCP)',
    free: '—',
    reseller: `${countText(allowanceDefault)} calls a day per key`,
  },
  { what: 'Webhooks, event streams and spreadsheets', free: '—', reseller: 'Yes' },
];

const planColumns: readonly Column<(typeof planRows)[number]>[] = [
  mainColumn('Included', ({ what }) => what),
  column('Free', ({ free }) => free),
  column('Reseller', ({ reseller }) => reseller),
];

const guides: readonly (readonly [href: string, text: string])[] = [
  ['/docs/value', 'What a value means'],
  ['/docs/confidence', 'What confidence means'],
  ['/docs/max-buy', 'What max buy means'],
  ['/docs', 'API docs'],
];

function Guides() {
  return (
    <Card title="How it works">
      <ul class="flush">
        {guides.map(([href, text]) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
