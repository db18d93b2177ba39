/** The evidence behind a value on a page, in the words of `explain`. */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { momentText } from '../../domain/kernel/format.ts';
import { hashText } from '../../domain/market/evidence.ts';
import { type EvidenceTable, reportEvidence } from '../../domain/market/evidence-report.ts';
import type { ItemEvidence } from '../../domain/market/evidence-store.ts';

/** What stands behind the value of an item. */
export function EvidenceCard(props: {
  readonly kind: ItemKind;
  readonly found: ItemEvidence | null;
}) {
  const { kind, found } = props;
  const evidence = found?.evidence;
  if (!evidence) return null;
  const story = reportEvidence(kind, evidence);
  return (
    <section class="card">
      <h2>What stands behind it</h2>
      {found.isStale && <p>Rows have come in since; the value takes them in shortly.</p>}
      {story.noValue && <p>{story.noValue}</p>}
      {story.tier.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <EvidenceRows table={story.values} caption="Sales behind the value" />
      {story.outcomes.rows.length === 0 ? (
        <p>It was never sold.</p>
      ) : (
        <details>
          <summary>What became of each sale</summary>
          <EvidenceRows
            table={story.outcomes}
            caption="Sales that count, count less, or not at all"
          />
        </details>
      )}
      {story.channels.rows.length > 0 && (
        <details>
          <summary>Where it was sold</summary>
          <EvidenceRows table={story.channels} caption="Sales that count, by channel" />
        </details>
      )}
      {story.others.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p class="quiet">
        {`As of ${momentText(evidence.at)}. Engine ${evidence.engine}, parameters ` +
          `${evidence.parameters}, inputs ${hashText(evidence.inputHash)}.`}
      </p>
    </section>
  );
}

function EvidenceRows({
  table,
  caption,
}: {
  readonly table: EvidenceTable;
  readonly caption: string;
}) {
  const { heading, rows } = table;
  if (rows.length === 0) return null;
  const isNumber = heading.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return (
    <div class="scroll">
      <table class="cards">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heading.map((name, column) => (
              <th key={name} scope="col" class={isNumber[column] ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, column) => (
                <td
                  key={heading[column]}
                  data-name={heading[column]}
                  class={isNumber[column] ? 'number' : undefined}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
