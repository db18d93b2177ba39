/** The inputs of learning, and the learned parameters. */

import * as db from '../../store/sql/operation.ts';
import type { marketHistory } from '../history/history.store.ts';
import { countInputs, loadLearningInputs } from './inputs.store.ts';
import type { SoldItem } from './learning-inputs.ts';
import { loadListings } from './listings.store.ts';
import { marketParameters } from './parameters.store.ts';

export interface LearningEngines {
  readonly engine: db.Engine;
  /** Exclusive transactions: one process at a time writes to the market. */
  readonly writing: Pick<db.Engine, 'transaction'>;
  /**
   * The version of an item must not be newer than its rows. SQLite reads on one snapshot.
   * PostgreSQL reads versions first and then the rest concurrently: later changes increase the
   * version, and publishing rejects the item.
   */
  readonly readInputs: db.Engine['run'];
  /** Frees memory cached by the connection; undefined if there is nothing to free. */
  readonly releaseMemory?: () => void;
}

export function learningStore({ engine, writing, readInputs, releaseMemory }: LearningEngines) {
  return {
    ...db.methods(engine.run, { listSold }),
    ...db.methods(readInputs, { countInputs, loadLearningInputs, loadListings }),
    /** Frees memory after reading many inputs. Nothing on PostgreSQL. */
    releaseMemory: async () => releaseMemory?.(),
    ...marketParameters(engine, writing),
  };
}

/** Learning, and until when history is final. */
export interface LearningStore
  extends ReturnType<typeof learningStore>,
    Pick<ReturnType<typeof marketHistory>, 'findHistoryState'> {}

/** Items with at least one sale imported before a time; null for all sales. */
function listSold(knownBefore: number | null): db.Reading<SoldItem[]> {
  return db.query<SoldItem>(
    `SELECT v.id::float8 AS id, v.kind, v.key, min(s.first)::float8 AS "firstSoldAt",
       sum(s.sales)::float8 AS sales
     FROM (SELECT item_id, min(sold_at) AS first, count(*) AS sales FROM source.sale
       WHERE ingested_at < $1::bigint GROUP BY item_id) s
     JOIN published.item i ON i.id = s.item_id
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     JOIN published.item v ON v.id = coalesce(w.valued_as, w.id)
     GROUP BY v.id ORDER BY v.id`,
    [knownBefore ?? Number.MAX_SAFE_INTEGER],
  );
}
