/** The feed, version 1: one JSON object per line, with a `kind`. */

import { nameHint } from '../../contract/nearest.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { findJsonFault, locationIn } from '../../kernel/json-fault.ts';
import { shortText, shortValue } from '../../kernel/text.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { correctedRecord } from '../own-files/brickmark-export.work.ts';
import { readLines } from '../readers/lines.ts';
import { openSource } from '../readers/source-file.work.ts';
import { Fields, RowError, readOr } from '../runner/fields.ts';
import type { Format } from '../runner/format.work.ts';
import type { RowResult } from '../runner/located-row.ts';
import { checkBeginnings, checkedBytes, onePerLine } from './feed-beginning.work.ts';
import { feedMinifig, feedSet } from './feed-catalog.ts';
import {
  feedFx,
  feedListings,
  feedOffer,
  feedPartOut,
  feedRetract,
  feedSale,
} from './feed-market.ts';
import { feedBrickfolio, feedHolding, feedLedgerSale } from './feed-private.ts';

interface Kind {
  /** All allowed fields besides `kind`. */
  readonly fields: readonly string[];
  read(fields: Fields): MarketRow | PrivateRow;
}

const kinds: Readonly<Record<string, Kind>> = {
  set: feedSet,
  minifig: feedMinifig,
  sale: feedSale,
  retract: feedRetract,
  offer: feedOffer,
  listings: feedListings,
  part_out: feedPartOut,
  fx: feedFx,
  brickfolio: feedBrickfolio,
  holding: feedHolding,
  ledger_sale: feedLedgerSale,
};

const privateKinds: ReadonlySet<unknown> = new Set(['brickfolio', 'holding', 'ledger_sale']);

export const feed: Format = {
  isReadFirst: false,
  async *read(paths, options) {
    await checkBeginnings(paths, options);
    for (const path of paths) {
      for await (const part of openSource(path, options)) {
        for await (const lines of readLines(checkedBytes(part.name, part.stream))) {
          const now = options.clock();
          yield lines.map((line) => ({
            where: `${part.name}:${line.number}`,
            text: line.text,
            result: line.problem
              ? { reason: line.problem }
              : readFeedLine(line.text, now, (record) =>
                  correctedRecord(`${part.name}:${line.number}`, record, options.corrector),
                ),
          }));
        }
      }
    }
  },
};

export function readFeedLine(
  line: string,
  now: number,
  correct: (record: JsonObject) => JsonObject = (record) => record,
): RowResult {
  return readOr<RowResult>(
    () => readFeedRecord(correct(parseLine(line)), now),
    (reason) => ({ reason }),
  );
}

export function readFeedRecord(record: JsonObject, now: number): RowResult {
  return readOr<RowResult>(
    () => ({ row: readRecord(record, now), mayWait: true }),
    (reason) => (privateKinds.has(record.kind) ? { reason, isPrivate: true } : { reason }),
  );
}

function parseLine(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RowError(syntaxProblem(line));
  }
  if (isObject(value)) return value;
  throw new RowError(`the line is ${shortValue(value)}; ${onePerLine}`);
}

/** Locates the syntax error; lines that continue or end early get an explanation. */
function syntaxProblem(line: string): string {
  const { index = 0, problem = '' } = findJsonFault(line) ?? {};
  const { column } = locationIn(line, index);
  const isOther = !line.trimStart().startsWith('{');
  const isCut = index === line.length || problem.startsWith('expected the end');
  const more = isOther || isCut ? `; ${onePerLine}` : '';
  return `the line is not valid JSON at column ${column}: ${problem}${more}`;
}

function readRecord(record: JsonObject, now: number): MarketRow | PrivateRow {
  const name = record.kind ?? null;
  if (name === null) throw new RowError("'kind' is missing");
  const kind = typeof name === 'string' && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) {
    const names = Object.keys(kinds);
    const hint =
      typeof name === 'string' ? nameHint(name, names) : `use one of ${names.join(', ')}`;
    throw new RowError(`unknown kind ${shortValue(name)}; ${hint}`);
  }
  for (const field of Object.keys(record)) {
    if (field === 'kind' || kind.fields.includes(field)) continue;
    const hint = nameHint(field, kind.fields);
    throw new RowError(`unknown field '${shortText(field)}'; ${hint}`);
  }
  return kind.read(new Fields(record, now));
}
