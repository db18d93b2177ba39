/** The audit log as CSV. */

import { csvCell } from '../../kernel/csv-cell.ts';
import { pagesOf } from '../../kernel/pages.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import type { AuditEntry } from './audit.ts';

const entriesAtOnce = 1_000;

/** Entries, newest first, in parts; of one account, or all. */
export function auditEntries(
  accounts: Pick<AccountRoomStore, 'listAudit'>,
  accountId: number | null,
): AsyncGenerator<readonly AuditEntry[]> {
  return pagesOf((last) =>
    accounts.listAudit({ accountId, before: last?.id ?? null, limit: entriesAtOnce }),
  );
}

/** An entry for programs. */
export function auditRecord(entry: AuditEntry) {
  return {
    id: entry.id,
    at: formatInstant(entry.at),
    by: entry.actor,
    by_account_id: entry.actorId,
    by_email: entry.actorEmail,
    action: entry.action,
    account_id: entry.accountId,
    email: entry.accountEmail,
    detail: entry.detail,
    network: entry.network,
  };
}

const header = 'id,at,by,by_account_id,by_email,action,account_id,email,detail,network';

export async function* auditLines(
  accounts: Pick<AccountRoomStore, 'listAudit'>,
  accountId: number | null,
): AsyncGenerator<string> {
  yield `${header}\r\n`;
  for await (const part of auditEntries(accounts, accountId)) {
    yield part.map((entry) => `${cellsOf(entry)}\r\n`).join('');
  }
}

function cellsOf(entry: AuditEntry): string {
  return Object.values(auditRecord(entry))
    .map((value) => (value === '' ? '' : csvCell(value)))
    .join(',');
}
