/** What an import would change, shown before anything is written. */
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { countText, moneyText } from '../../../domain/kernel/format.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { StoredLot } from '../../../domain/portfolio/lot-store.ts';
import type { LotFacts } from '../../../domain/portfolio/lots.ts';
import type { PrivateRow } from '../../../domain/portfolio/private-rows.ts';
import type { MissingPrice } from '../../../ingest/format.ts';
import type { OwnOutcome } from '../../../ingest/own-import.ts';
import { PostForm } from '../../kit/fields.tsx';
import { Figure } from '../../kit/figures.tsx';
import { Layout } from '../../kit/layout.tsx';
import { RejectsTable } from '../../kit/rejects-table.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest } from '../../page.ts';
import type { Uploaded } from './uploaded.ts';

/** What was said about a file. */
export interface ImportDraft {
  readonly file: Uploaded;
  /** Null: the default, which is made if there is none. */
  readonly brickfolio: Brickfolio | null;
  readonly missingPrice: MissingPrice;
}

/** What a preview shows. */
interface PreviewProps {
  readonly request: OwnRequest;
  readonly draft: ImportDraft;
  /** The file, for the form that confirms it. */
  readonly content: string;
  readonly outcome: OwnOutcome;
  /** Lots as they are now, by source id. */
  readonly stored: ReadonlyMap<string, StoredLot>;
  /** The sets of what would be written, by lookup key. */
  readonly sets: ReadonlyMap<string, { readonly title: string }>;
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
        <TableHead columns={['What', 'Set', 'How']} />
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
