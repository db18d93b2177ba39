/** The evidence behind a value as the terminal shows it. Never a source row. */

import type { ItemKind } from '../domain/catalog/numbers.ts';
import { formatInstant } from '../domain/kernel/time.ts';
import { type Evidence, hashText } from '../domain/market/evidence.ts';
import { type EvidenceTable, reportEvidence } from '../domain/market/evidence-report.ts';
import type { ItemEvidence } from '../domain/market/market-store.ts';
import { table } from './table.ts';

/** An item that has evidence. */
export interface Explained extends ItemEvidence {
  readonly name: string;
  readonly evidence: Evidence;
}

/** Everything that is known of how the value came about. */
export function evidenceText(kind: ItemKind, item: Explained): string {
  const { evidence } = item;
  const story = reportEvidence(kind, evidence);
  return [
    `${kind === 'set' ? 'Set' : 'Minifig'} ${item.number}, ${item.name}`,
    '',
    story.noValue ?? drawn(story.values),
    '',
    ...story.tier,
    '',
    story.outcomes.rows.length === 0 ? 'It was never sold.' : drawn(story.outcomes),
    ...(story.channels.rows.length === 0 ? [] : ['', drawn(story.channels)]),
    '',
    ...story.others,
    '',
    `As of ${formatInstant(evidence.at)}. Engine ${evidence.engine}, parameters ` +
      `${evidence.parameters}, inputs ${hashText(evidence.inputHash)}.`,
  ].join('\n');
}

function drawn({ heading, rows }: EvidenceTable): string {
  return table(
    [...heading],
    rows.map((row) => [...row]),
  );
}
