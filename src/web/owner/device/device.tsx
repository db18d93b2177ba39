/** Use without a network: what a device keeps, and the entries that it sends later. */
import { PlainLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { Facts } from '../../kit/facts.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { catalogSender, sendData } from './device-data.ts';
import { takeEntries } from './device-entries.ts';
import { OfflinePage } from './offline.tsx';
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
