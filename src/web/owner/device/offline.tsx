/**
 * The page that browsers show without a network. It is the same for everyone; its script fills it
 * with what the device keeps.
 */
import { assetPath } from '../../assets.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { Field } from '../../kit/fields.tsx';
import { Head, Mark } from '../../kit/layout.tsx';
import { Scanner } from '../scan/scan.tsx';
import { PurchaseDialog } from './purchase-dialog.tsx';

const tabs = [
  ['scan', 'Scan'],
  ['search', 'Search'],
  ['unsent', 'Unsent'],
  ['holdings', 'Holdings'],
  ['watched', 'Watchlist'],
] as const;

export function OfflinePage() {
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
