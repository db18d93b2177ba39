/** The value of an item with its range, confidence and evidence. */
import type { ComponentChildren } from 'preact';
import type { ItemEvidence } from '../../market/evidence/evidence.ts';
import { noValueText } from '../../market/evidence/evidence-report.ts';
import { conditions, usualCondition } from '../../market/source-rows/source-rows.ts';
import { changedAddress } from '../kit/address.ts';
import { Badge } from '../kit/card.tsx';
import { conditionNames } from '../kit/format.ts';
import { ConfidenceDot, Money } from '../kit/money.tsx';
import { RangeBar, type RangeMark } from '../kit/range-bar.tsx';
import { Segments } from '../kit/segments.tsx';
import type { PageRequest } from '../page.ts';
import { EvidenceDetails } from './item-evidence.tsx';
import type { Worth } from './item-worth.ts';

/** The value, with a switch for the condition. */
export function ValueBlock(props: {
  readonly request: PageRequest;
  readonly worth: Worth;
  readonly found: ItemEvidence | null;
  /** Prices to compare the value with. */
  readonly marks?: readonly RangeMark[];
  readonly children?: ComponentChildren;
}) {
  const { request, worth, found, marks = [], children } = props;
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
      {children}
    </section>
  );
}
