/** Notices of operators on the status page. */

import {
  deleteRows,
  type Engine,
  insertRow,
  lock,
  methods,
  type Operation,
  query,
  type Reading,
} from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { type NewNotice, noticeLimits, type StatusNotice } from './notice.ts';

export function noticeStore(engine: Engine) {
  return {
    ...methods(engine.run, { listNotices }),
    ...methods(engine.transaction, { addNotice, removeNotice }),
  };
}

/** Returns its ID. */
function* addNotice(notice: NewNotice): Operation<number | 'too many'> {
  yield* lock('notices');
  const all = yield* listNotices();
  if (all.length >= noticeLimits.count) return 'too many';
  const { severity, title, text, fromAt, untilAt } = notice;
  return yield* insertRow(tables.notice, { severity, title, text, fromAt, untilAt });
}

/** The latest start first. */
function listNotices(): Reading<StatusNotice[]> {
  return query<StatusNotice>(
    `SELECT ${columnsOf(tables.notice, 'notice')} FROM private.notice
     ORDER BY from_at DESC, notice.id DESC`,
    [],
  );
}

function* removeNotice(id: number): Operation<boolean> {
  return (yield* deleteRows(tables.notice, { id })) > 0;
}
