/** The first page: what this is, for whoever is not signed in. */

import type { WebDeps } from '../deps.ts';
import { Notice } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { SearchBox } from '../kit/search-box.tsx';
import type { PageRequest, PageRoute } from '../page.ts';

/** The way in. */
export function homeRoutes(_deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'open',
      path: '/',
      get: async (request) =>
        request.who ? { goTo: '/overview' } : { page: <HomePage request={request} /> },
    },
  ];
}

const benefits: readonly (readonly [title: string, text: string])[] = [
  [
    'Values with their reasons',
    'What a set or a minifigure is worth sealed and used, within which range, and which sales ' +
      'stand behind it.',
  ],
  [
    'History that stays',
    'Month by month since release. A month that is final changes only with a note that everybody ' +
      'can read.',
  ],
  [
    'Two retailers, watched',
    'What they ask for the sets that you hold, when a price moved, and what a resale would leave ' +
      'you.',
  ],
  [
    'Your collection and your sales',
    'Lots with what you paid, gains as they are today, and sales with fees, profit and return.',
  ],
  [
    'An API',
    'With the Reseller plan your own programs read all of this as JSON, with keys that you make ' +
      'and revoke.',
  ],
  [
    'Errors in the open',
    'Every sale is held against the value that was published before it. The result is on a page.',
  ],
];

function HomePage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="What LEGO sets are worth" request={request} hasOwnSearch>
      {request.query.has('gone') && (
        <Notice>Your account and all that belonged to it is gone.</Notice>
      )}
      <section class="card hero">
        <p class="lead">
          Brickmark values sets and minifigures from what they were really sold for, and keeps your
          collection beside it.
        </p>
        <SearchBox id="home-find" />
        <p class="quiet">
          Or look around by <a href="/themes">theme</a>.
        </p>
      </section>
      <h2>What an account gives you</h2>
      <div class="gifts">
        {benefits.map(([title, text]) => (
          <section key={title} class="card">
            <h3>{title}</h3>
            <p class="flush">{text}</p>
          </section>
        ))}
      </div>
      <p class="row">
        <a class="button" href="/sign-up">
          Make an account
        </a>
        <a class="button plain" href="/sign-in">
          Sign in
        </a>
        <a class="button plain" href="/scorecard">
          How accurate it is
        </a>
      </p>
    </Layout>
  );
}
