/** Applies rows of files to the accounts that they name by email. */
import { emailKey, noAccount } from '../../accounts/people/email.ts';
import { at as itemAt } from '../../kernel/at.ts';
import type {
  AccountOutcome,
  ChangeAccount,
  PrivateRow,
} from '../../portfolio/lots/private-rows.ts';

export interface FileAccounts {
  findAccount(email: string, at: number): Promise<{ readonly id: number } | null>;
  readonly change: ChangeAccount;
}

/** One outcome per row; the rows of each account are one transaction. */
export async function applyAccountRows(
  accounts: FileAccounts,
  rows: readonly PrivateRow[],
  at: number,
): Promise<AccountOutcome[]> {
  const outcomes: AccountOutcome[] = [];
  const indexes = rows.keys();
  for (const [email, own] of Map.groupBy(indexes, (index) => emailKey(itemAt(rows, index).email))) {
    const account = await accounts.findAccount(email, at);
    const given = own.map((index) => itemAt(rows, index));
    const applied = account
      ? (await accounts.change(account.id, { rows: given, isFile: true }, at)).outcomes
      : given.map(unknownAccount);
    for (const [at, index] of own.entries()) outcomes[index] = itemAt(applied, at);
  }
  return outcomes;
}

function unknownAccount({ email }: PrivateRow): AccountOutcome {
  return { kind: 'rejected', reason: `there is ${noAccount(email)}`, missing: false };
}
