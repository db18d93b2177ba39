/** Evidence behind the values of a set or minifig: counts and reasons, never a sale. */
import type { MinifigRecord } from '../../contract/minifig.ts';
import type { ItemEvidence } from '../../contract/plus/evidence.ts';
import type { SetRecord } from '../../contract/set.ts';
import { type ItemKind, itemKey } from '../../domain/catalog/numbers.ts';
import { toUsd } from '../../domain/kernel/money.ts';
import { shortText } from '../../domain/kernel/text.ts';
import { formatInstant } from '../../domain/kernel/time.ts';
import { type Evidence, hashText, rowOutcomes } from '../../domain/market/evidence.ts';
import { reportEvidence } from '../../domain/market/evidence-report.ts';
import type { ResaleRecord } from '../../domain/market/published-records.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { batchElements, batchItems, missingItem, summaryJson } from '../batch-items.ts';
import type { Handler, Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function evidenceHandlers(deps: HandlerDeps) {
  return {
    getSetEvidence: ({ params }) => evidenceWork(deps, 'set', params.number),
    getMinifigEvidence: ({ params }) => evidenceWork(deps, 'minifig', params.number),
    getEvidenceBatch: getEvidenceBatch(deps),
  } satisfies Partial<Handlers>;
}

function evidenceWork({ market: { store } }: HandlerDeps, kind: ItemKind, number: string): Work {
  return {
    read: async () => {
      const key = itemKey(kind, number);
      const record = (await store.findResaleRecords(kind, [key])).get(key);
      if (!record) return { missing: `There is no ${kind} '${shortText(number)}'.` };
      return JSON.stringify(presentEvidence(kind, record));
    },
  };
}

/** `POST /evidence/batch` */
function getEvidenceBatch({ market: { store } }: HandlerDeps): Handler<'getEvidenceBatch'> {
  return ({ body }) => {
    const items = batchItems(body);
    const elementsOf = async (kind: ItemKind) => {
      const keys = items[kind].map(({ key }) => key);
      const records = keys.length === 0 ? new Map() : await store.findResaleRecords(kind, keys);
      const make = ({ key }: { readonly key: string }) => {
        const record = records.get(key);
        return record ? presentEvidence(kind, record) : null;
      };
      return batchElements(items[kind], make, missingItem(kind));
    };
    return {
      isExpensive: true,
      items: items.requested,
      read: async () => {
        const [sets, minifigs] = [await elementsOf('set'), await elementsOf('minifig')];
        const summary = summaryJson(items.requested, sets.found + minifigs.found);
        return `{"sets":[${sets.elements}],"minifigs":[${minifigs.elements}],${summary}}`;
      },
    };
  };
}

function presentEvidence(kind: ItemKind, { number, body, evidence }: ResaleRecord): ItemEvidence {
  const described: SetRecord | MinifigRecord = JSON.parse(body);
  return {
    item_type: kind,
    number,
    title: 'title' in described ? described.title : described.name,
    data_tier: evidence?.tier ?? 'modeled',
    tier_reasons: evidence ? [...reportEvidence(kind, evidence).tier] : [],
    sealed: presentCondition(evidence, 'sealed'),
    used: presentCondition(evidence, 'used'),
    channels: (evidence?.channels ?? []).map(({ channel, sales, offset }) => ({
      channel,
      sales,
      offset_pct: percentAbove(offset),
    })),
    engine: evidence?.engine ?? null,
    parameters: evidence?.parameters ?? null,
    input_hash: evidence && hashText(evidence.inputHash),
    calculated_at: evidence && formatInstant(evidence.at),
  };
}

/** A difference of logarithms as a percentage with two decimals. */
function percentAbove(offset: number): number {
  return Math.round(Math.expm1(offset) * 10_000) / 100;
}

function presentCondition(evidence: Evidence | null, condition: Condition): ItemEvidence['sealed'] {
  const found = evidence?.[condition] ?? null;
  const counts = (evidence?.outcomes ?? []).filter((row) => row.condition === condition);
  const reasons = rowOutcomes.flatMap((outcome) =>
    counts
      .filter((row) => row.outcome === outcome)
      .map(({ reason, count }) => ({ outcome, reason, count })),
  );
  const total = (outcome: (typeof rowOutcomes)[number]) =>
    reasons.filter((row) => row.outcome === outcome).reduce((sum, { count }) => sum + count, 0);
  return {
    value_usd: found && toUsd(found.valueCents),
    range: found && { low: toUsd(found.lowCents), high: toUsd(found.highCents) },
    sales: found && {
      days_30: found.sales.days30,
      days_90: found.sales.days90,
      days_180: found.sales.days180,
      days_365: found.sales.days365,
      ever: found.sales.ever,
    },
    rows: {
      accepted: total('accepted'),
      down_weighted: total('down_weighted'),
      quarantined: total('quarantined'),
      rejected: total('rejected'),
    },
    reasons,
  };
}
