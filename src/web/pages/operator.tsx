/** What operators see: how fresh everything is, and what was imported. */
import { importsKept, type ListedImport } from '../../domain/market/journal.ts';
import type { Restatement } from '../../domain/market/market-store.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { missingPage } from './missing.tsx';
import { ImportPage, OperatorPage } from './operator-view.tsx';

/** How the market stands. */
export interface MarketState {
  readonly publishedAt: number | null;
  readonly stale: number;
  readonly due: number;
  readonly sealedAt: number | null;
  readonly restatements: readonly Restatement[];
  /** Whether a replica is read from; null where there is none. */
  readonly isReplicaUsed: boolean | null;
  /** Newest first. */
  readonly imports: readonly ListedImport[];
}

/** The pages about the market. */
export function operatorRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'operator', path: '/operator', get: (request) => showOperator(deps, request) },
    {
      access: 'operator',
      path: '/operator/imports/{id}',
      get: async (request) => {
        const id = Number(request.params.id);
        const found = Number.isSafeInteger(id) ? await deps.market.findImport(id) : null;
        return found
          ? { page: <ImportPage request={request} shown={found} /> }
          : missingPage(request);
      },
    },
  ];
}

async function showOperator(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { market } = deps;
  const [publishedAt, stale, due, history, imports] = await Promise.all([
    market.findPublishedAt(),
    market.countStale(),
    market.countDue(request.at),
    market.findHistoryState(),
    market.listImports(importsKept),
  ]);
  const isReplicaUsed = deps.isReplicaUsed();
  const state = { publishedAt, stale, due, ...history, isReplicaUsed, imports };
  return { page: <OperatorPage request={request} state={state} /> };
}
