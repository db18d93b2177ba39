/** The audit log as CSV. */
import type { AuditEntry } from '../domain/account/audit.ts';
import { csvCell } from '../domain/kernel/csv-cell.ts';
import { formatInstant } from '../domain/kernel/time.ts';
import type { AccountStore } from '../store/store.ts';

const entriesAtOnce = 1_000;

/** Entries, newest first, in parts; of one account, or all. */
export async function* auditEntries(
  accounts: Pick<AccountStore, 'listAudit'>,
  accountId: number | null,
): AsyncGenerator<readonly AuditEntry[]> {
  let before: number | null = null;
  for (;;) {
    const part: AuditEntry[] = await accounts.listAudit({
      accountId,
      before,
      limit: entriesAtOnce,
    });
    const last = part.at(-1);
    if (!last) return;
    yield part;
    before = last.id;
  }
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
  accounts: Pick<AccountStore, 'listAudit'>,
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
