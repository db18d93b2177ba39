/**
 * The status of the service for everyone: how fresh its data is, and what operators say. Sources
 * are named by what they provide, because it is the operator's business which ones a site has.
 */

import { phaseOf, type StatusNotice } from '../accounts/notices/notice.ts';
import { type DataKind, dataKinds, dataOfFormat } from '../ingest/runner/import-formats.ts';
import { type ImportEntry, isPublishingLate } from '../ingest/runner/journal.ts';
import { isDelayed } from './freshness.ts';
import type { SourceState } from './source-state.ts';

/** `disrupted`: a critical notice is current. */
export type ServiceState = 'operational' | 'delayed' | 'disrupted';

export interface DataStatus {
  /** The kind of data its sources provide. */
  readonly data: DataKind;
  readonly isDelayed: boolean;
  /** Of several sources, the one that was updated least recently; null: never. */
  readonly updatedAt: number | null;
}

export interface ServiceStatus {
  readonly state: ServiceState;
  readonly at: number;
  /** Null: never. */
  readonly publishedAt: number | null;
  readonly isPublishingLate: boolean;
  readonly data: readonly DataStatus[];
  /** Current and planned ones. */
  readonly notices: readonly StatusNotice[];
}

export interface StatusFacts extends Pick<ServiceStatus, 'at' | 'publishedAt' | 'notices'> {
  /** Items that wait to be published. */
  readonly waiting: number;
  readonly sources: readonly { readonly data: DataKind; readonly state: SourceState }[];
  /** Newest first. */
  readonly imports: readonly ImportFacts[];
}

type ImportFacts = Pick<ImportEntry, 'format' | 'endedAt' | 'error'>;

export function serviceStatusOf(facts: StatusFacts): ServiceStatus {
  const { at, publishedAt, waiting } = facts;
  const notices = facts.notices.filter((notice) => phaseOf(notice, at) !== 'past');
  const isLate = isPublishingLate({ publishedAt, waiting, at });
  const data = dataKinds.flatMap((kind) => dataStatusOf(kind, facts) ?? []);
  const isDisrupted = notices.some(
    (notice) => notice.severity === 'critical' && phaseOf(notice, at) === 'current',
  );
  const isAnyDelayed = isLate || data.some((each) => each.isDelayed);
  return {
    state: isDisrupted ? 'disrupted' : isAnyDelayed ? 'delayed' : 'operational',
    at,
    publishedAt,
    isPublishingLate: isLate,
    data,
    notices,
  };
}

/** Null if there is no such data. */
function dataStatusOf(data: DataKind, { sources, imports, at }: StatusFacts): DataStatus | null {
  const states = sources.flatMap((each) => (each.data === data ? [each.state] : []));
  if (states.length > 0) {
    const updates = states.map(({ lastSuccessAt }) => lastSuccessAt ?? 0);
    return {
      data,
      isDelayed: states.some((state) => isDelayed(state, at)),
      updatedAt: Math.min(...updates) || null,
    };
  }
  // Files that somebody imports are never late.
  const latest = imports.find(
    ({ format, error }) => error === null && dataOfFormat(format) === data,
  );
  return latest ? { data, isDelayed: false, updatedAt: latest.endedAt } : null;
}
