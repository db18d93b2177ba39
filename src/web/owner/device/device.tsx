/** Use without a network: what a device keeps, and the entries that it sends later. */

import { assetPath } from '../../assets.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Card, Facts } from '../../kit/card.tsx';
import { Field } from '../../kit/fields.tsx';
import { Head, Layout, Mark } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { Scanner } from '../scan/scan.tsx';
import { catalogSender, sendData } from './device-data.ts';
import { takeEntries } from './device-entries.ts';
import { PurchaseDialog } from './purchase-dialog.tsx';

export const deviceRoutes = () => [
  ...routes('own', {
    '/device': { get: (_, request) => <DevicePage request={request} /> },
    '/device/session': {
      get: (_, { who, formToken }) => ({
        data: { account: who.accountId, email: who.email, token: formToken },
      }),
    },
    '/device/data': { get: sendData },
    '/device/catalog': { readsFile: true, get: catalogSender() },
    '/device/entries': { post: takeEntries },
  }),
  ...routes('entrance', {
    '/offline': { isScanner: true, get: () => <OfflinePage /> },
  }),
];

/** The script fills it: only the browser knows what it keeps. */
function DevicePage({ request }: { readonly request: OwnRequest }) {
  return (
    <Layout title="This device" request={request} scripts={['device.js']} isNarrow>
      <div data-device>
        <Card title="Use without a signal">
          <p>
            Keep your holdings and watchlists on this device, and with the Reseller plan the whole
            catalog with values and max buy prices, to look things up and record purchases where
            there is no signal. Do this only on your own device: anyone who can unlock it can see
            them. Signing out removes them.
          </p>
          <noscript>
            <p>This needs JavaScript.</p>
          </noscript>
          <p data-unable hidden>
            This browser cannot keep them. It needs https, and windows that are not private.
          </p>
          <button type="button" data-keep hidden>
            Keep on this device
          </button>
          <div data-kept hidden>
            <Facts
              facts={[
                ['As of', <span data-at>Not yet</span>],
                ['Lots', <span data-holdings />],
                ['Watchlists', <span data-lists />],
                ['Catalog', <span data-catalog />],
              ]}
            />
            <p class="row">
              <button type="button" class="plain" data-refresh>
                Refresh
              </button>
              <PlainLink href="/offline">Open offline view</PlainLink>
              <button type="button" class="danger" data-remove>
                Remove from this device
              </button>
            </p>
          </div>
          <p class="flush" data-said role="status" />
        </Card>
        <Card title="Unsent entries">
          <ul class="entries" data-entries />
          <button type="button" class="plain" data-send hidden>
            Send now
          </button>
        </Card>
        <PurchaseDialog />
      </div>
    </Layout>
  );
}

const tabs = [
  ['scan', 'Scan'],
  ['search', 'Search'],
  ['unsent', 'Unsent'],
  ['holdings', 'Holdings'],
  ['watched', 'Watchlist'],
] as const;

function OfflinePage() {
  return (
    <html lang="en" data-offline>
      <Head title="Offline · Brickmark">
        <script src={assetPath('offline.js')} defer />
      </Head>
      <body>
        <header class="top">
          <div class="top-in">
            <a class="brand" href="/today" aria-label="Brickmark">
              <Mark />
              <span>Brickmark</span>
            </a>
            <PlainLink href="/today">Try again</PlainLink>
          </div>
        </header>
        <main id="main">
          <div class="title">
            <h1>Offline</h1>
          </div>
          <p data-state role="status">
            There is no signal.
          </p>
          <nav class="tabs" aria-label="Section" data-tabs>
            {tabs.map(([id, text]) => (
              <a key={id} href={`#${id}`}>
                {text}
              </a>
            ))}
          </nav>
          {/* The script of the scanner is loaded with its tab, because it starts the camera. */}
          <section id="scan" data-script={assetPath('scan.js')} hidden>
            <Scanner hasMaxBuy />
          </section>
          <section id="search" hidden>
            <Card>
              <Field name="q" label="Set number, name or barcode" type="search" maxlength={100} />
              <ul class="entries" data-found aria-live="polite" />
            </Card>
          </section>
          <section id="holdings" hidden>
            <Card>
              <ul class="entries" data-holdings />
            </Card>
          </section>
          <section id="watched" hidden>
            <Card>
              <ul class="entries" data-watched />
            </Card>
          </section>
          <section id="unsent" hidden>
            <Card>
              <p>Entries are sent when there is a signal again, by the account that made them.</p>
              <ul class="entries" data-entries />
            </Card>
          </section>
          <PurchaseDialog />
        </main>
      </body>
    </html>
  );
}
