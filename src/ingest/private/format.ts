/** Collections and sales as formats. Both read the same files: each file says what it is. */

import type { Format } from '../format.ts';
import type { SourceItem } from '../located-row.ts';
import { readJsonRecords } from '../readers/json-records.ts';
import { peek, skipToHeader } from '../readers/peek.ts';
import { openSources, SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { openTable } from '../readers/table.ts';
import { rangeHeader } from './amazon.ts';
import { isBrickOwlOrder, readBrickOwl } from './brick-owl.ts';
import { toOrder } from './bricklink-order.ts';
import { readBrickLinkXml } from './bricklink-xml.ts';
import { brickmarkJsonStart, readBrickmarkRecord } from './brickmark-export.ts';
import { readTable } from './tables.ts';
import { makeWriters, type Writers } from './writers.ts';

/** What a person owns, or sold. */
export const collection: Format = {
  settings: { account: 'required', brickfolio: 'optional', missingPrice: 'optional' },
  isReadFirst: true,
  async *read(paths, options) {
    const writers = await makeWriters(options);
    for await (const part of openSources(paths, options)) yield* readPart(part, writers);
  },
};

/** XML and JSON show by their first character; the rest are tables. */
async function* readPart(source: SourcePart, writers: Writers): AsyncGenerator<SourceItem[]> {
  const { beginning, part } = await peek(source);
  if (beginning.startsWith('<')) {
    for await (const raw of readBrickLinkXml(part))
      yield await writers.orders.toRows(raw.map(toOrder));
  } else if (brickmarkJsonStart.test(beginning)) {
    const own = writers.brickmark();
    for await (const records of readJsonRecords(part, 'rows')) {
      yield records.map((record) => readBrickmarkRecord(record, own));
    }
  } else if (/^[[{]/.test(beginning)) {
    yield* readOrders(part, writers);
  } else {
    const table = await openTable(await skipToHeader(part, rangeHeader));
    yield* readTable(table, writers);
  }
}

async function* readOrders(part: SourcePart, { orders }: Writers): AsyncGenerator<SourceItem[]> {
  for await (const records of readJsonRecords(part, 'orders')) {
    const other = records.find(({ value }) => !isBrickOwlOrder(value));
    if (other) {
      throw new SourceFileError(
        `${other.where}: the record has no 'order_id'; JSON is Brickmark's own export, or orders ` +
          'of Brick Owl.',
      );
    }
    yield await orders.toRows(records.map(readBrickOwl));
  }
}
