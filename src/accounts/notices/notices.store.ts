/** Notices of operators on the status page. */

import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { type NewNotice, noticeLimits, type StatusNotice } from './notice.ts';

export function noticeStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listNotices }),
    ...db.methods(engine.transaction, { addNotice, removeNotice }),
  };
}

/** Returns its ID. */
function* addNotice(notice: NewNotice): db.Operation<number | 'too many'> {
  yield* db.lock('notices');
  const all = yield* listNotices();
  if (all.length >= noticeLimits.count) return 'too many';
  const { severity, title, text, fromAt, untilAt } = notice;
  return yield* db.insertRow(tables.notice, { severity, title, text, fromAt, untilAt });
}

/** The latest start first. */
function listNotices(): db.Reading<StatusNotice[]> {
  return db.query<StatusNotice>(
    `SELECT ${columnsOf(tables.notice, 'notice')} FROM private.notice
     ORDER BY from_at DESC, notice.id DESC`,
    [],
  );
}

function* removeNotice(id: number): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.notice, { id })) > 0;
}
