/** Records what signed-in users do. */

import { type AuditAction, byAccount } from '../accounts/audit/audit.ts';
import { attemptKey } from '../accounts/sign-in/attempt-limits.work.ts';
import { dayMs } from '../kernel/time.ts';
import { faultAnswer } from './kit/fault.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from './page.ts';

interface Done {
  readonly action: AuditAction;
  /** Null if it concerns no single account. */
  readonly accountId?: number | null;
  /** Nothing that somebody typed: entries are never deleted. */
  readonly detail?: string;
}

/** Adds an entry to the audit log when the action is done; by default about the user's account. */
export function recordAudit(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who, at }: Pick<OwnRequest, 'who' | 'at'>,
  done: Done,
): Promise<void> {
  const { accountId: id } = who;
  return accounts.recordAudit({ at, by: byAccount(id), accountId: id, ...done });
}

/** Limited, because entries are never deleted. */
const exportsPerDay = 200;

/** Records an export, and sends it, unless the account has exported too often today. */
export async function sendRecorded(
  deps: WebDeps,
  request: OwnRequest,
  { done, send }: { readonly done: Done; readonly send: () => PageAnswer },
): Promise<PageAnswer> {
  const { who, at } = request;
  const throttle = { key: attemptKey('exports', String(who.accountId)), max: exportsPerDay };
  if (!(await deps.accounts.countTry([throttle], { at, ms: dayMs }))) {
    return faultAnswer(request, 429, 'You have exported too often today. Try again tomorrow.');
  }
  await recordAudit(deps, request, done);
  return send();
}
