/** The preview of an import, with its options. Nothing is written yet. */

import type { ComponentChildren } from 'preact';
import { type ItemRef, itemKey } from '../../../catalog/items/numbers.ts';
import type {
  FileChange,
  OwnOutcome,
  QuestionedRow,
} from '../../../ingest/runner/own-import.work.ts';
import type { Reject } from '../../../ingest/runner/report.ts';
import { sentence } from '../../../kernel/text.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import type { StoredLot } from '../../../portfolio/lots/lots.ts';
import type { RecordedRow } from '../../../portfolio/lots/private-rows.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Badge, Card, Figures } from '../../kit/card.tsx';
import {
  column,
  dayColumn,
  Lines,
  mainColumn,
  numberColumn,
  wideColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { PostForm, type Typed } from '../../kit/fields.tsx';
import { countText, dayText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Money } from '../../kit/money.tsx';
import { WaitingToast } from '../../kit/toast.tsx';
import type { OwnRequest } from '../../page.ts';
import { lotChangeText, newLotText } from '../inventory/lot-fields.tsx';
import { saleWords } from '../sales/sale-form.tsx';
import { answersQuery } from './answers.ts';
import { ColumnQuestions, hasQuestions, Questions } from './import-questions.tsx';
import { placeText, RejectList } from './reject-list.tsx';
import { RowTable } from './row-table.tsx';
import type { Uploaded } from './uploaded.ts';

interface PreviewProps {
  readonly request: OwnRequest;
  readonly file: Uploaded;
  readonly outcome: OwnOutcome;
  readonly brickfolios: readonly Brickfolio[];
  readonly typed: Typed;
  /** The options that the numbers depend on. */
  readonly shown: string;
  /** The existing lots that change, by source ID. */
  readonly stored: ReadonlyMap<string, StoredLot>;
  /** The names of items; null if unknown. */
  readonly titleOf: (item: ItemRef) => { readonly title: string } | null;
}

export function PreviewPage(props: PreviewProps) {
  const { request, file, outcome, typed } = props;
  const { report, recognized, rejectGroups } = outcome;
  const changing = report.added + report.updated;
  return (
    <Layout title="Import a file" request={request} done={previewDone}>
      <p>
        <strong>{recognized.name || 'Empty file'}</strong>
        {/* A row may have several records, such as new and used copies. */}
        {`, ${nounText(report.read, 'row')} `}
        <span class="quiet">{file.name}</span>
      </p>
      <Figures
        figures={[
          ['New', countText(report.added)],
          ['Changed', countText(report.updated)],
          ['Unchanged', countText(report.unchanged)],
          ['Not imported', countText(report.rejected)],
        ]}
      />
      <ImportForm {...props} />
      <RejectList
        groups={rejectGroups}
        count={report.rejected}
        download={`${request.path}/rejected.csv${answersQuery(typed)}`}
      />
      <RowTable
        rows={outcome.correctable}
        rejected={report.rejected}
        form={formId}
        titleOf={props.titleOf}
      />
      <DatesToCheck report={report} />
      <RowsToCheck {...props} title="Names to check" rows={outcome.otherNames} of="otherNames" />
      <RowsToCheck {...props} title="Prices to check" rows={outcome.farPrices} of="farPrices" />
      {changing > 0 && <Changes {...props} />}
    </Layout>
  );
}

/** Warnings of rows that are imported all the same. */
function DatesToCheck({ report: { warnings, warned } }: Pick<OwnOutcome, 'report'>) {
  if (warned === 0) return null;
  return (
    <FirstRows title="Dates to check" rows={warnings} all={warned} columns={warningColumns}>
      <p class="quiet">These rows are imported as they are.</p>
    </FirstRows>
  );
}

function FirstRows<Row>(props: {
  readonly title: string;
  readonly label?: string;
  readonly rows: readonly Row[];
  /** The number of all rows. */
  readonly all: number;
  readonly columns: readonly Column<Row>[];
  readonly children?: ComponentChildren;
}) {
  const { title, label = title, rows, all, columns, children } = props;
  const caption = rows.length < all && `The first ${countText(rows.length)} of ${countText(all)}`;
  return (
    <Card title={title}>
      {children}
      <DataTable label={label} rows={rows} columns={columns} caption={caption} />
    </Card>
  );
}

const warningColumns: readonly Column<Reject>[] = [
  mainColumn('Row', ({ where }) => placeText(where)),
  wideColumn('Warning', ({ reason }) => sentence(reason)),
];

export const waitingText = 'Reading your file. A long one takes up to a minute.';

const formId = 'import-form';

const previewDone = {
  updated: 'Not imported yet: your answers changed the preview. Check it, then import.',
};

function ImportForm({ request, outcome, brickfolios, typed, shown }: PreviewProps) {
  const { recognized } = outcome;
  const isAsked = hasQuestions({ ...outcome, brickfolios });
  const changing = outcome.report.added + outcome.report.updated;
  return (
    <PostForm
      action={request.path}
      typed={typed}
      id={formId}
      class={isAsked || changing === 0 ? 'card import' : 'import'}
    >
      <input type="hidden" name="shown" value={shown} />
      {recognized.columns && <h2>Columns</h2>}
      <ColumnQuestions recognized={recognized} />
      {isAsked && <Questions {...outcome} brickfolios={brickfolios} />}
      {changing === 0 && <p class="flush">{nothingText(outcome)}</p>}
      <WaitingToast>{waitingText}</WaitingToast>
      <div class="row">
        {/* Enter in a field presses the first button, which only updates the preview. */}
        {isAsked && <button type="submit" name="do" value="preview" hidden />}
        {changing > 0 && (
          <button type="submit" name="do" value="import">
            {`Import ${changedText(outcome)}`}
          </button>
        )}
        {isAsked && (
          <button type="submit" name="do" value="preview" class="plain">
            Update preview
          </button>
        )}
        <PlainLink href="/inventory/import">Choose another file</PlainLink>
      </div>
    </PostForm>
  );
}

/** Counts the rows that are added or changed; collections only if there is nothing else. */
function changedText({ counts: { holding, ledger_sale, brickfolio } }: OwnOutcome): string {
  const texts = [
    holding > 0 && nounText(holding, 'lot'),
    ledger_sale > 0 && nounText(ledger_sale, 'sale'),
  ].filter(Boolean);
  return texts.length > 0 ? texts.join(' and ') : nounText(brickfolio, 'collection');
}

function nothingText({ report, recognized }: OwnOutcome): string {
  if (recognized.columns && recognized.columns.mapping.number === undefined) {
    return 'Choose the column that has the set numbers, then update the preview.';
  }
  if (report.unchanged > 0) return 'Nothing to import: everything in this file is there already.';
  return 'Nothing to import.';
}

export function itemOf({ facts }: Exclude<RecordedRow, { kind: 'brickfolio' }>): ItemRef {
  return { kind: facts.kind, key: itemKey(facts.kind, facts.number) };
}

function RowsToCheck(
  props: PreviewProps & {
    readonly title: string;
    readonly rows: readonly QuestionedRow[];
    readonly of: 'farPrices' | 'otherNames';
  },
) {
  const { outcome, titleOf, title, rows, of } = props;
  if (rows.length === 0) return null;
  const columns: readonly Column<QuestionedRow>[] = [
    mainColumn('Item', ({ row }) => <RowItem row={row} titleOf={titleOf} />),
    wideColumn('Question', ({ question }) => sentence(question)),
  ];
  return <FirstRows title={title} rows={rows} all={outcome.gaps[of]} columns={columns} />;
}

function RowItem({ row, titleOf }: Pick<QuestionedRow, 'row'> & Pick<PreviewProps, 'titleOf'>) {
  if (row.kind === 'brickfolio') return <>{row.facts.name}</>;
  const { kind, number } = row.facts;
  return <ItemCell kind={kind} number={number} name={titleOf(itemOf(row))?.title ?? ''} />;
}

function Changes({ outcome: { changes, counts }, stored, titleOf }: PreviewProps) {
  // New collections are shown with their lots.
  const lots = changes.filter(({ row }) => row.kind !== 'brickfolio');
  const shown = lots.length > 0 ? lots : changes;
  const total = counts.holding + counts.ledger_sale || counts.brickfolio;
  const columns: readonly Column<FileChange>[] = [
    mainColumn('Item', ({ row }) => <RowItem row={row} titleOf={titleOf} />),
    column('Change', ({ kind, row }) => changeNames[kind][row.kind]),
    numberColumn('Quantity', ({ row }) =>
      row.kind === 'brickfolio' ? '' : countText(row.facts.quantity),
    ),
    numberColumn('Price', ({ row }) => row.kind !== 'brickfolio' && <Amount row={row} />),
    dayColumn('Date', ({ row }) => <Day row={row} />),
    wideColumn('Details', (change) => aboutText(change, stored)),
  ];
  const label = 'What would be imported';
  return <FirstRows title="Preview" label={label} rows={shown} all={total} columns={columns} />;
}

const changeNames = {
  added: { brickfolio: 'New collection', holding: 'New lot', ledger_sale: 'New sale' },
  updated: {
    brickfolio: 'Changed collection',
    holding: 'Changed lot',
    ledger_sale: 'Changed sale',
  },
} as const;

type ImportedRow = FileChange['row'];

function Amount({ row }: { readonly row: Exclude<ImportedRow, { kind: 'brickfolio' }> }) {
  if (row.kind === 'ledger_sale') return <Money cents={row.facts.grossCents} />;
  return (
    <Lines
      first={<Money cents={row.facts.priceCents} />}
      second={[row.facts.quantity > 1 && 'each', row.facts.isEstimated && 'estimated']
        .filter(Boolean)
        .join(', ')}
    />
  );
}

function Day({ row }: { readonly row: ImportedRow }) {
  if (row.kind === 'brickfolio') return null;
  if (row.kind === 'ledger_sale') return <>{dayText(row.facts.saleDate)}</>;
  const { purchaseDate, dateBasis } = row.facts;
  if (dateBasis === 'unknown') return <span class="quiet">Unknown</span>;
  return (
    <>
      {dayText(purchaseDate)} {dateBasis === 'assumed' && <Badge>Assumed</Badge>}
    </>
  );
}

function aboutText({ kind, row }: FileChange, stored: PreviewProps['stored']): string {
  if (row.kind === 'brickfolio') return row.facts.description ?? '';
  if (row.kind === 'ledger_sale') return saleWords(row.facts);
  const old = kind === 'updated' ? stored.get(row.facts.sourceId) : undefined;
  return old ? lotChangeText(old, row.facts) : newLotText(row.facts);
}
