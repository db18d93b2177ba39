/**
 * The page that browsers show without a network. It is the same for everyone; its script fills it
 * with what the device keeps.
 */
import { assetPath } from '../../assets.ts';
import { Card } from '../../kit/card.tsx';
import { Choice, Field } from '../../kit/fields.tsx';
import { Head, Mark } from '../../kit/layout.tsx';
import { conditionChoices } from '../inventory/lot-form.ts';
import { Scanner } from '../scan/scan.tsx';

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
            <a class="button plain" href="/today">
              Try again
            </a>
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
            <Scanner timeZone="" hasMaxBuy />
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
          <BuyDialog />
        </main>
      </body>
    </html>
  );
}

/** The dialog of the scanner has the other names. */
function BuyDialog() {
  return (
    <dialog class="dialog" data-buy aria-labelledby="buy-title">
      <form method="dialog" class="stack">
        <h2 id="buy-title">Add a purchase</h2>
        <p class="flush" data-name />
        <div class="form-grid">
          <Field name="bought_quantity" label="Quantity" value="1" inputmode="numeric" isRequired />
          <Field name="bought_price" label="Price per unit ($)" inputmode="decimal" isRequired />
          <Choice name="bought_condition" label="Condition" options={conditionChoices} />
          <Field name="bought_date" label="Purchase date" type="date" isRequired />
        </div>
        <p class="fault flush" data-problem role="alert" />
        <p class="row flush">
          <button type="submit" value="add">
            Add purchase
          </button>
          <button type="submit" class="plain" formnovalidate>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
