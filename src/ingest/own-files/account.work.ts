/** The account that a file is imported for. */

import { firstBrickfolio } from '../../accounts/people/account.ts';
import { noAccount } from '../../accounts/people/email.ts';
import { feedBrickfolio } from '../feed/feed-private.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { Fields, readOr } from '../runner/fields.ts';
import type { ReadOptions } from '../runner/format.work.ts';

export interface Owner {
  readonly id: number;
  readonly email: string;
  /** The collection that lots are added to; it may not exist yet. */
  readonly brickfolio: string;
  /** Names of existing collections. */
  readonly brickfolios: readonly string[];
}

/** Throws a `SourceFileError` if there is no such account. */
export async function findOwner({ store, settings, clock }: ReadOptions): Promise<Owner> {
  const email = settings.account ?? '';
  const account = await store.accounts.findAccount(email, clock());
  if (!account) {
    throw new SourceFileError(
      `There is ${noAccount(email)}. Create it with 'brickmark account add'.`,
    );
  }
  const brickfolios = await store.accounts.listBrickfolios(account.id);
  const usual = brickfolios.find(({ isDefault }) => isDefault);
  const name = settings.brickfolio?.trim() ?? usual?.name ?? firstBrickfolio;
  checkName(name, clock());
  const names = brickfolios.map((each) => each.name);
  return { id: account.id, email: account.email, brickfolio: name, brickfolios: names };
}

function checkName(name: string, now: number): void {
  readOr(
    () => feedBrickfolio.read(new Fields({ account: '-', name }, now)),
    (reason) => {
      throw new SourceFileError(`${reason.replace(/^'name'/, 'The collection name')}.`);
    },
  );
}
