/** Records what signed-in users do. */
import { type AuditAction, byAccount } from '../domain/account/audit.ts';
import type { WebDeps } from './deps.ts';
import type { OwnRequest } from './page.ts';

/** Adds an entry to the audit log when the action is done; by default about the user's account. */
export function recordAudit(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who, at }: Pick<OwnRequest, 'who' | 'at'>,
  done: {
    readonly action: AuditAction;
    /** Null if it concerns no single account. */
    readonly accountId?: number | null;
    /** Nothing that somebody typed: entries are never deleted. */
    readonly detail?: string;
  },
): Promise<void> {
  const { accountId: id } = who;
  return accounts.recordAudit({ at, by: byAccount(id), accountId: id, ...done });
}
