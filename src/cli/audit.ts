/** `audit`: the audit log. */

import { type AuditEntry, actionText, actorText, targetText } from '../accounts/audit/audit.ts';
import { auditLines, auditRecord } from '../accounts/audit/audit-text.work.ts';
import {
  type FailedSignIns,
  failedOfText,
  failedSignInDays,
  methodTexts,
} from '../accounts/sign-in/failed-sign-ins.ts';
import { momentText } from '../kernel/format.ts';
import { formatInstant } from '../kernel/time.ts';
import { findAccount } from './accounts.ts';
import { command, type StoreContext } from './command.ts';
import { recordDone } from './command-rules.ts';
import { countFlag, UsageError } from './row.ts';
import { checkFormat, tableOf, tableOrCsv } from './table.ts';

export const auditCommand = command({
  name: 'audit',
  summary: 'Show who did what to which account, newest first',
  flags: {
    account: { help: 'Only what was done to this account; an email or an ID', value: 'ACCOUNT' },
    limit: countFlag('Number of entries; with --format csv, all are written', 10_000, 50),
    format: tableOrCsv,
    'failed-sign-ins': {
      help: `Show how many sign-ins failed by hour, of the last ${failedSignInDays} days`,
    },
  },
  needs: 'existing store',
  check: (input, context) => {
    checkFormat(input, context);
    if (input.failedSignIns && input.format === 'csv') {
      throw new UsageError('Use --failed-sign-ins without --format csv.');
    }
  },
  run: async ({ account, limit, format, failedSignIns }, context) => {
    const { accounts } = context.store;
    const accountId = account === null ? null : await findId(context, account);
    if (failedSignIns) {
      const failed = await accounts.listFailedSignIns(accountId, limit);
      context.result({ failed_sign_ins: failed.map(failedRecord) }, failedTable(failed));
      return;
    }
    if (format === 'csv') {
      await recordDone(context, { action: 'audit.exported', accountId });
      for await (const text of auditLines(accounts, accountId)) {
        if (!(await context.write(text))) return;
      }
      return;
    }
    const entries = await accounts.listAudit({ accountId, before: null, limit });
    context.result({ entries: entries.map(auditRecord) }, auditTable(entries));
  },
});

/** An erased account has only its ID. */
async function findId(context: StoreContext, text: string): Promise<number> {
  return /^\d{1,15}$/.test(text) ? Number(text) : (await findAccount(context, text)).id;
}

function auditTable(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'No entries yet.';
  return tableOf(entries, {
    TIME: ({ at }) => momentText(at),
    BY: actorText,
    ACTION: actionText,
    ACCOUNT: targetText,
    DETAIL: ({ detail, network }) => [detail, network].filter(Boolean).join(', '),
  });
}

function failedRecord({ hourAt, method, accountId, accountEmail, network, count }: FailedSignIns) {
  const at = formatInstant(hourAt);
  return { hour: at, method, account_id: accountId, email: accountEmail, network, count };
}

function failedTable(failed: readonly FailedSignIns[]): string {
  if (failed.length === 0) return 'No sign-in has failed.';
  return tableOf(failed, {
    HOUR: ({ hourAt }) => momentText(hourAt),
    METHOD: ({ method }) => methodTexts[method],
    'ACCOUNT OR NETWORK': failedOfText,
    FAILED: ({ count }) => count,
  });
}
