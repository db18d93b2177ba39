/** The evidence for a value, in the words and dollars of the command `explain`. */
import { hashText, type ItemEvidence } from '../../market/evidence/evidence.ts';
import {
  accuracyText,
  type EvidenceTable,
  reportEvidence,
  supportText,
} from '../../market/evidence/evidence-report.ts';
import { DataTable } from '../kit/data-table.tsx';
import { inDollars, momentText } from '../kit/format.ts';
import type { Worth } from './item-worth.ts';

/** Sales and confidence in one line, which expands to all details. */
export function EvidenceDetails(props: {
  readonly worth: Worth;
  readonly found: ItemEvidence | null;
}) {
  const { worth, found } = props;
  const { kind, condition, tier, valueCents } = worth;
  const evidence = found?.evidence;
  if (!evidence || (valueCents === null && evidence.outcomes.length === 0)) return null;
  const ofCondition = evidence[condition];
  const report = reportEvidence(kind, evidence);
  const summary = valueCents === null ? 'Sales' : supportText(kind, { found: ofCondition, tier });
  return (
    <details class="evidence">
      <summary>{summary}</summary>
      <EvidenceRows label="Values and sales" table={report.values} />
      {ofCondition && <p>{accuracyText(evidence, ofCondition)}</p>}
      <EvidenceRows label="How sales are used" table={report.outcomes} />
      <EvidenceRows label="Sales by channel" table={report.channels} />
      {report.others.map((line) => (
        <p key={line}>{inDollars(line)}</p>
      ))}
      {found.isStale && <p>New sales came in. The value will update shortly.</p>}
      <p class="quiet">
        {`Updated ${momentText(evidence.at)}. Engine ${evidence.engine}, parameters ` +
          `${evidence.parameters}, inputs ${hashText(evidence.inputHash)}.`}
      </p>
    </details>
  );
}

function EvidenceRows({ label, table }: { readonly label: string; readonly table: EvidenceTable }) {
  const { heading, rows } = table;
  if (rows.length === 0) return null;
  return (
    <DataTable
      label={label}
      caption={label}
      rows={rows}
      columns={heading.map((name, index) => ({
        key: name,
        name,
        isMain: index === 0,
        isNumber: rows.every((row) => isFigure(row[index])),
        cell: (row: EvidenceTable['rows'][number]) => inDollars(String(row[index])),
      }))}
    />
  );
}

/** Counts and amounts, which never break; an amount may be missing. */
function isFigure(cell: string | number | undefined): boolean {
  return typeof cell === 'number' || /^[$—]/.test(cell ?? '');
}
