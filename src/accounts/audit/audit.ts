/**
 * The audit log: who did what to which account, and when. Entries are never changed or deleted, so
 * they contain account IDs, but no email addresses, names or other text that somebody typed. Only
 * the network of a sign-in is removed, after some time or when the account is erased.
 */
import { dayMs } from '../../kernel/time.ts';

/** Everything that is recorded, in words for people. */
export const auditActions = {
  'account.added': 'Account created',
  'account.closed': 'Account deleted',
  'account.restored': 'Account restored',
  'account.erased': 'Account erased',
  'account.exported': 'Account data exported',
  'invitation.added': 'Invitation created',
  'invitation.revoked': 'Invitation revoked',
  'plan.changed': 'Plan changed',
  'role.changed': 'Role changed',
  'key.added': 'API key created',
  'key.allowance': 'Daily limit of an API key changed',
  'key.access': 'Access of an API key changed',
  'key.renamed': 'API key renamed',
  'key.rolled': 'API key rolled',
  'key.revoked': 'API key revoked',
  'password.changed': 'Password changed',
  'password.link': 'Password link created',
  'sign-in': 'Signed in',
  'factor.added': 'Sign-in method added',
  'factor.removed': 'Sign-in method removed',
  'factor.reset': 'Two-step sign-in reset',
  'session.ended': 'Session ended',
  'share.added': 'Share created',
  'share.accepted': 'Share accepted',
  'share.revoked': 'Share revoked',
  'share.left': 'Share left',
  'sheet-link.added': 'Spreadsheet link created',
  'sheet-link.revoked': 'Spreadsheet link revoked',
  'webhook.added': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.removed': 'Webhook deleted',
  'channel.added': 'Alert channel created',
  'channel.changed': 'Alert channel changed',
  'channel.removed': 'Alert channel deleted',
  'settings.changed': 'Settings changed',
  import: 'File imported',
  'import.undone': 'Import undone',
  'edit.undone': 'Changes undone',
  'data.exported': 'Data exported',
  'delivery.resent': 'Message sent again',
  'mail.resent': 'Email sent again',
  'notice.added': 'Status notice published',
  'notice.removed': 'Status notice removed',
  'audit.exported': 'Audit log exported',
  'store.backed-up': 'Store backed up',
  'store.restored': 'Store restored from a backup',
  'store.moved': 'Store moved to PostgreSQL',
  'store.migrated': 'Schema updated',
  'store.changed': 'Store changed',
  'server.reloaded': 'Sources and fees reloaded',
} as const;

export type AuditAction = keyof typeof auditActions;

/** An account; a command on the server's machine, by an account if one is named; or the service. */
export type AuditActor =
  | { readonly kind: 'account'; readonly accountId: number }
  | { readonly kind: 'machine'; readonly accountId: number | null }
  | { readonly kind: 'service'; readonly accountId: null };

export function byAccount(accountId: number): AuditActor {
  return { kind: 'account', accountId };
}

export const onMachine: AuditActor = { kind: 'machine', accountId: null };

export const byService: AuditActor = { kind: 'service', accountId: null };

export interface NewAuditEntry {
  readonly at: number;
  readonly by: AuditActor;
  readonly action: AuditAction;
  /** The account that it was done to; null or absent if it concerns no single account. */
  readonly accountId?: number | null;
  /** A few words, such as `reseller` or `key 7`; nothing that somebody typed. */
  readonly detail?: string;
  /** The network that it came from, if that matters, as for a sign-in. */
  readonly network?: string | null;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly actor: AuditActor['kind'];
  readonly actorId: number | null;
  /** Null if the account does not exist any more. */
  readonly actorEmail: string | null;
  readonly action: string;
  readonly accountId: number | null;
  /** Null if the account does not exist any more. */
  readonly accountEmail: string | null;
  readonly detail: string;
  readonly network: string | null;
}

/** A part of the log, newest first. */
export interface AuditQuery {
  /** Only what was done to this account; null for everything. */
  readonly accountId: number | null;
  /** Only entries before this ID; null to start with the latest. */
  readonly before: number | null;
  readonly limit: number;
}

/** How long the networks of sign-ins are kept. */
export const auditNetworkDays = 90;
export const auditNetworkMs: number = auditNetworkDays * dayMs;

export function actionText({ action }: Pick<AuditEntry, 'action'>): string {
  return (auditActions as Readonly<Record<string, string>>)[action] ?? action;
}

/** Whether a reader of something shared did it, and not an operator. */
export function isByMember({ action, actor, actorId, accountId }: AuditEntry): boolean {
  return action.startsWith('share.') && actor === 'account' && actorId !== accountId;
}

/** Who did it, for operators. */
export function actorText({ actor, actorId, actorEmail }: AuditEntry): string {
  if (actor === 'service') return 'Brickmark';
  if (actor === 'account') return accountText(actorId, actorEmail);
  const named = actorId === null ? '' : ` (${accountText(actorId, actorEmail)})`;
  return `Operator on this machine${named}`;
}

/** The account that it was done to, for operators; empty if there is none. */
export function targetText({ accountId, accountEmail }: AuditEntry): string {
  return accountId === null ? '' : accountText(accountId, accountEmail);
}

function accountText(id: number | null, email: string | null): string {
  return email ?? `Account ${id} (erased)`;
}
