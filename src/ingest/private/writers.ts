/** Everything that turns what was read into rows of one account. */
import type { ReadOptions } from '../format.ts';
import { SourceFileError } from '../readers/source-file.ts';
import { findOwner } from './account.ts';
import type { ReadContext } from './brickmark-export.ts';
import { LotWriter } from './lot-writer.ts';
import { OrderWriter } from './order-writer.ts';

/** The ways in which rows are made. */
export interface Writers {
  readonly lots: LotWriter;
  readonly orders: OrderWriter;
  /** For files that name their own collections; throws when one was named besides. */
  brickmark(): ReadContext;
}

/** Finds the account and prepares what is written to it. */
export async function makeWriters(options: ReadOptions): Promise<Writers> {
  const owner = await findOwner(options);
  const lots = new LotWriter(options, owner);
  return {
    lots,
    orders: new OrderWriter(options, owner, lots),
    brickmark: () => {
      // A page does not ask for a collection where the file names them.
      if (options.settings.brickfolio !== null && !options.answers) {
        throw new SourceFileError(
          "Brickmark's own export names the collection of each lot; omit --brickfolio.",
        );
      }
      return { email: owner.email, now: options.clock() };
    },
  };
}
