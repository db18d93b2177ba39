/** The formats `collection` and `sales`. Both accept the same files, and detect their contents. */

import { readJsonRecords } from '../readers/json-records.work.ts';
import { peek, skipToHeader } from '../readers/peek.work.ts';
import { openSources, type SourcePart } from '../readers/source-file.work.ts';
import { openTable } from '../readers/table.work.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import { rejectedRow, type SourceItem } from '../runner/located-row.ts';
import { rangeHeader } from './amazon.work.ts';
import { readBrickLinkXml } from './bricklink-downloads.work.ts';
import { toOrder } from './bricklink-order.work.ts';
import { brickmarkJsonStart, readBrickmarkRecord } from './brickmark-export.work.ts';
import { brickStoreStart, readBrickStore } from './brickstore.work.ts';
import { OrderAnswers } from './order-answers.work.ts';
import { readTable } from './tables.work.ts';
import { makeWriters, type Writers } from './writers.work.ts';

export const collection: Format = {
  settings: {
    account: 'required',
    brickfolio: 'optional',
    missingPrice: 'optional',
    missingDate: 'optional',
  },
  isReadFirst: true,
  async *read(paths, options) {
    const writers = await makeWriters(options);
    const answers = new OrderAnswers(options.corrector);
    for await (const part of openSources(paths, options))
      yield* readPart(part, { writers, answers, options });
    const { orders, strays } = answers.end();
    yield strays.map((stray) => rejectedRow(stray, stray.reason));
    yield writers.orders.toRows(orders);
  },
};

interface PartReading {
  readonly writers: Writers;
  readonly answers: OrderAnswers;
  readonly options: ReadOptions;
}

/** XML and JSON are recognized by their beginning; anything else is a table. */
async function* readPart(
  source: SourcePart,
  { writers, answers, options }: PartReading,
): AsyncGenerator<SourceItem[]> {
  const { beginning, part } = await peek(source);
  const { corrector } = options;
  const recognize = (name: string) => options.onRecognized?.({ name });
  if (brickStoreStart.test(beginning)) {
    recognize('BrickStore inventory');
    for await (const drafts of readBrickStore(part, corrector)) {
      yield writers.lots.toRows(drafts);
    }
  } else if (beginning.startsWith('<')) {
    recognize('BrickLink orders');
    for await (const raw of readBrickLinkXml(part)) {
      yield writers.orders.toRows(raw.map((order) => toOrder(order, corrector)));
    }
  } else if (brickmarkJsonStart.test(beginning)) {
    recognize('Brickmark export');
    const own = writers.brickmark();
    for await (const records of readJsonRecords(part, 'rows')) {
      yield records.map((record) => readBrickmarkRecord(record, own, corrector));
    }
  } else if (/^[[{]/.test(beginning)) {
    recognize('Orders');
    for await (const records of readJsonRecords(part, 'orders')) {
      yield writers.orders.toRows(answers.take(records));
    }
  } else {
    const table = await openTable(await skipToHeader(part, rangeHeader));
    yield* readTable(table, writers, options);
  }
}
