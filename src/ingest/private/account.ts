/** Whose files are read: the account, and the collection that its lots go to. */
import { noAccount } from '../../domain/account/email.ts';
import { type Brickfolio, firstBrickfolio } from '../../domain/portfolio/brickfolio-store.ts';
import { feedBrickfolio } from '../feed/feed-private.ts';
import { Fields, RowError } from '../fields.ts';
import type { ReadOptions } from '../format.ts';
import { SourceFileError } from '../readers/source-file.ts';

/** An account that files are read for. */
export interface Owner {
  readonly id: number;
  readonly email: string;
  /** The collection that lots go to, which may have to be made. */
  readonly brickfolio: string;
  /** The collections that there are, by name. */
  readonly brickfolios: readonly string[];
}

/** Finds the account; throws one sentence when there is none. */
export async function findOwner({ store, settings, clock }: ReadOptions): Promise<Owner> {
  const email = settings.account ?? '';
  const account = await store.accounts.findAccount(email, clock());
  if (!account) {
    throw new SourceFileError(
      `There is ${noAccount(email)}. Create it with 'brickmark account add'.`,
    );
  }
  const { brickfolios } = await store.accounts.findHoldings(account.id);
  const name = settings.brickfolio?.trim() ?? defaultName(brickfolios) ?? firstBrickfolio;
  checkName(name, clock());
  const names = brickfolios.map((each) => each.name);
  return { id: account.id, email: account.email, brickfolio: name, brickfolios: names };
}

function checkName(name: string, now: number): void {
  try {
    feedBrickfolio.read(new Fields({ account: '-', name }, now));
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const problem = error.message.replace(/^'name'/, 'The collection name');
    throw new SourceFileError(`${problem}.`);
  }
}

function defaultName(brickfolios: readonly Brickfolio[]): string | null {
  return brickfolios.find((brickfolio) => brickfolio.isDefault)?.name ?? null;
}
