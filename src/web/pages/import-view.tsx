/** How the pages of an import look. */
import type { PrivateRow } from '../../domain/account/account-store.ts';
import { itemKey } from '../../domain/catalog/numbers.ts';
import type { Brickfolio, StoredLot } from '../../domain/portfolio/holding-store.ts';
import type { LotFacts } from '../../domain/portfolio/lots.ts';
import { ownRowsMax } from '../../ingest/own-import.ts';
import { Choice, Fault, faultyProps, Notice, PostForm, type Typed } from '../fields.tsx';
import { Figure } from '../figure.tsx';
import { Layout } from '../layout.tsx';
import type { OwnRequest } from '../page-request.ts';
import { RejectsTable } from '../rejects-table.tsx';
import { countText, moneyText } from '../show.ts';
import { uploadBytesMax } from '../uploaded.ts';
import type { PreviewProps } from './import.tsx';

/** What can be done about lots without a price. */
const priceChoices = [
  ['msrp', 'Take the list price, marked as a guess'],
  ['zero', 'Take 0'],
  ['reject', 'Reject them'],
] as const;

/** The page where a file is chosen. */
export function ImportPage(props: {
  readonly request: OwnRequest;
  readonly brickfolios: readonly Brickfolio[];
  readonly typed: Typed;
}) {
  const { request, brickfolios, typed } = props;
  return (
    <Layout title="Import a file" request={request} isNarrow>
      <Done request={request} />
      <section class="card">
        <PostForm request={request} action="/collections/import" isUpload>
          <FileField typed={typed} />
          <Choice
            name="brickfolio"
            label="Lots go to"
            typed={typed}
            options={[
              ['', 'The default, or what the file says'],
              ...brickfolios.map((each) => [String(each.id), each.name] as const),
            ]}
          />
          <Choice
            name="missing_price"
            label="Lots without a price"
            typed={typed}
            options={priceChoices}
          />
          <button type="submit">Show what would happen</button>
        </PostForm>
      </section>
      <p class="quiet">Nothing is written before you have seen what would be.</p>
      <section class="card">
        <h2>What is read</h2>
        <dl class="facts">
          <dt>Collections</dt>
          <dd>BrickEconomy, Brickset, Rebrickable set lists (CSV)</dd>
          <dt>Orders</dt>
          <dd>
            BrickLink (XML, CSV), eBay (CSV), Amazon (settlements, transactions), Brick Owl (JSON)
          </dd>
          <dt>Brickmark</dt>
          <dd>What was exported here (CSV, JSON), and the feed</dd>
          <dt>Size</dt>
          <dd>
            {`At most ${uploadBytesMax / 1024 / 1024} MB and ${countText(ownRowsMax)} rows; `}
            .gz and .zip are unpacked
          </dd>
        </dl>
      </section>
    </Layout>
  );
}

function FileField({ typed }: { readonly typed: Typed }) {
  const fault = typed.faults.file;
  return (
    <div class="field">
      <label for="field-file">A file with what you own or sold</label>
      <input
        id="field-file"
        name="file"
        type="file"
        required
        {...faultyProps(typed, 'file')}
        aria-describedby={fault ? 'field-file-fault' : undefined}
      />
      <Fault typed={typed} name="file" />
    </div>
  );
}

/** What came of the import that was just confirmed. */
function Done({ request: { query } }: { readonly request: OwnRequest }) {
  if (!query.has('added')) return null;
  const count = (name: string) => {
    const text = query.get(name) ?? '';
    return countText(/^\d{1,9}$/.test(text) ? Number(text) : 0);
  };
  return (
    <Notice>
      Imported: {count('added')} added, {count('updated')} changed, {count('unchanged')} as they
      were, {count('rejected')} rejected. <a href="/collections">To your collections</a>
    </Notice>
  );
}

/** The page that shows what would happen. */
export function PreviewPage(props: PreviewProps) {
  const { request, draft, content, outcome } = props;
  const { report, changes } = outcome;
  const changing = report.added + report.updated;
  return (
    <Layout title={`What ${draft.file.name} would change`} request={request}>
      <div class="grid figures">
        <Figure name="To be added" value={countText(report.added)} />
        <Figure name="To be changed" value={countText(report.updated)} />
        <Figure name="Unchanged" value={countText(report.unchanged)} />
        <Figure name="Rejected" value={countText(report.rejected)} />
      </div>
      <p>Nothing is written yet.</p>
      {changing > 0 ? (
        <PostForm
          request={request}
          action="/collections/import/confirm"
          class="row actions"
          isUpload
        >
          <input type="hidden" name="content" value={content} />
          <input type="hidden" name="file_name" value={draft.file.name} />
          <input type="hidden" name="brickfolio" value={String(draft.brickfolio?.id ?? '')} />
          <input type="hidden" name="missing_price" value={draft.missingPrice} />
          <button type="submit">Import it</button>
          <a class="button plain" href="/collections/import">
            Choose another file
          </a>
        </PostForm>
      ) : (
        <p>
          There is nothing to import. <a href="/collections/import">Choose another file</a>
        </p>
      )}
      {changes.length > 0 && <Changes {...props} />}
      {report.rejects.length > 0 && <Rejects {...props} />}
    </Layout>
  );
}

function Changes({ outcome: { changes, report }, stored, sets }: PreviewProps) {
  return (
    <section class="card scroll">
      <h2>What would be written</h2>
      <table class="cards">
        {changes.length < report.added + report.updated && (
          <caption>The first {countText(changes.length)} of them.</caption>
        )}
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Set</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ kind, row }, index) => (
            <tr key={String(index)}>
              <td data-name="What">
                {kind === 'added' ? 'New' : 'Changed'} {nouns[row.kind]}
              </td>
              <td data-name="Set">
                {row.kind === 'brickfolio' ? row.facts.name : setName(row.facts.setNumber, sets)}
              </td>
              <td data-name="How">{describe(row, stored)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function setName(number: string, sets: PreviewProps['sets']): string {
  return [number, sets.get(itemKey('set', number))?.title ?? ''].join(' ').trim();
}

const nouns = { brickfolio: 'collection', holding: 'lot', ledger_sale: 'sale' } as const;

function describe(row: PrivateRow, stored: PreviewProps['stored']): string {
  if (row.kind === 'brickfolio') return row.facts.description ?? '';
  if (row.kind === 'ledger_sale') {
    const { quantity, platform, saleDate, grossCents } = row.facts;
    return `${quantity} for ${moneyText(grossCents)} on ${platform}, ${saleDate}`;
  }
  const old = stored.get(row.facts.sourceId);
  return old ? differences(old, row.facts) : lotWords(row.facts).join(', ');
}

function lotWords(lot: LotFacts): string[] {
  return [
    `${lot.quantity} ${lot.condition}`,
    `at ${moneyText(lot.priceCents)}${lot.isEstimated ? ' (a guess)' : ''}`,
    `bought ${lot.purchaseDate}`,
    `in ${lot.brickfolio}`,
    lot.status,
  ];
}

/** Only what differs, as it was and as it would be. */
function differences(old: StoredLot, lot: LotFacts): string {
  const before = lotWords(old);
  return lotWords(lot)
    .flatMap((words, index) =>
      words === before[index] ? [] : [`${before[index]} becomes ${words}`],
    )
    .join('; ');
}

function Rejects({ outcome: { report } }: PreviewProps) {
  return (
    <section class="card scroll">
      <h2>What is rejected, and why</h2>
      <RejectsTable
        rejects={report.rejects}
        {...(report.rejects.length < report.rejected && {
          caption: `The first ${countText(report.rejects.length)} of them.`,
        })}
      />
    </section>
  );
}
