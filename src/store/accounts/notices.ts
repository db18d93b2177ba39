/** Notices of operators on the status page. */
import { type NewNotice, noticeLimits, type StatusNotice } from '../../domain/account/notice.ts';
import {
  deleteRows,
  type Engine,
  first,
  lock,
  methods,
  type Operation,
  query,
} from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';

export function noticeStore(engine: Engine) {
  return {
    ...methods(engine.run, { listNotices, removeNotice }),
    ...methods(engine.transaction, { addNotice }),
  };
}

/** Returns its ID. */
function* addNotice(notice: NewNotice): Operation<number | 'too many'> {
  yield* lock('notices');
  const all = yield* listNotices();
  if (all.length >= noticeLimits.count) return 'too many';
  const { severity, title, text, fromAt, untilAt } = notice;
  const added = yield* first<{ readonly id: number }>(
    `INSERT INTO private.notice (severity, title, text, from_at, until_at)
     VALUES ($1::text, $2::text, $3::text, $4::bigint, $5::bigint) RETURNING id`,
    [severity, title, text, fromAt, untilAt],
  );
  if (!added) throw new Error('The notice was not stored.');
  return added.id;
}

/** The latest start first. */
function listNotices(): Operation<StatusNotice[]> {
  return query<StatusNotice>(
    `SELECT ${columnsOf(tables.notice, 'notice')} FROM private.notice
     ORDER BY from_at DESC, notice.id DESC`,
    [],
  );
}

function* removeNotice(id: number): Operation<boolean> {
  return (yield* deleteRows(tables.notice, { id })) > 0;
}
