/** Creates the writers that turn lots and orders into rows of an account. */

import { SourceFileError } from '../readers/source-file.work.ts';
import type { ReadOptions } from '../runner/format.work.ts';
import { findOwner } from './account.work.ts';
import { exportContext, type ReadContext } from './brickmark-export.work.ts';
import { LotWriter } from './lot-writer.work.ts';
import { OrderWriter } from './order-writer.work.ts';

export interface Writers {
  readonly lots: LotWriter;
  readonly orders: OrderWriter;
  /** For files that name their collections; throws if one was given as well. */
  brickmark(): ReadContext;
}

export async function makeWriters(options: ReadOptions): Promise<Writers> {
  const owner = await findOwner(options);
  const lots = new LotWriter(options, owner);
  return {
    lots,
    orders: new OrderWriter(options, owner, lots),
    brickmark: () => {
      // On the import page, a collection is ignored if the file names them.
      if (options.settings.brickfolio !== null && !options.answers) {
        throw new SourceFileError(
          "Brickmark's own export names the collection of each lot; omit --brickfolio.",
        );
      }
      return exportContext(owner.email, options.clock());
    },
  };
}
