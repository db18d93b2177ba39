/** The value of an item with its range, confidence and evidence. */
import type { ComponentChildren } from 'preact';
import { hashText, type ItemEvidence } from '../../market/evidence/evidence.ts';
import {
  accuracyText,
  type EvidenceTable,
  noValueText,
  reportEvidence,
  supportText,
} from '../../market/evidence/evidence-report.ts';
import { conditions, usualCondition } from '../../market/source-rows/source-rows.ts';
import { changedAddress } from '../kit/address.ts';
import { Badge, Figures } from '../kit/card.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { conditionNames, inDollars, momentText } from '../kit/format.ts';
import { ConfidenceDot, Money } from '../kit/money.tsx';
import { RangeBar, type RangeMark } from '../kit/range-bar.tsx';
import { Segments } from '../kit/segments.tsx';
import type { PageRequest } from '../page.ts';
import { liquidityFigures } from './item-liquidity.ts';
import type { Worth } from './item-worth.ts';

export function ValueBlock(props: {
  readonly request: PageRequest;
  readonly worth: Worth;
  readonly found: ItemEvidence | null;
  /** Prices to compare the value with. */
  readonly marks?: readonly RangeMark[];
  /** Besides how fast it sells. */
  readonly figures: Parameters<typeof Figures>[0]['figures'];
  readonly children?: ComponentChildren;
}) {
  const { request, worth, found, marks = [], figures, children } = props;
  const { kind, condition, valueCents, range, tier } = worth;
  return (
    <section class="value">
      <div class="heading">
        <h2>Market value</h2>
        <Segments
          label="Condition"
          choices={conditions.map((each) => ({
            href: changedAddress(request, {
              condition: each === usualCondition(worth.kind) ? null : each,
            }),
            text: conditionNames[each],
            isCurrent: each === worth.condition,
          }))}
        />
      </div>
      {valueCents === null ? (
        <>
          <p class="hero-value">No value yet</p>
          <p class="quiet">{noValueText(kind, found?.evidence ?? null, condition)}</p>
        </>
      ) : (
        <>
          <p class="hero-value">
            <Money cents={valueCents} />
            <ConfidenceDot tier={tier} />
            {tier === 'modeled' && <Badge>Estimated</Badge>}
          </p>
          {range && <RangeBar {...range} valueCents={valueCents} marks={marks} />}
        </>
      )}
      <EvidenceDetails worth={worth} found={found} />
      <Figures figures={[...figures, ...liquidityFigures(found, condition, request.at)]} />
      {children}
    </section>
  );
}

/** Sales and confidence in one line, which expands to all details. */
function EvidenceDetails(props: { readonly worth: Worth; readonly found: ItemEvidence | null }) {
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
