/** The rows of CSV and its relatives as they are parsed, bounded while they are. */
import { CsvError, type Parser, parse } from 'csv-parse';
import { SourceFileError, type SourcePart } from './source-file.ts';
import { readText } from './text.ts';

/** A longer row is not a record, but a quote that was never closed. */
const rowBytesMax = 1024 * 1024;

/** No table has more columns; what has is something else, or is made to fill a machine. */
const columnsMax = 1000;

/** Separators that a row may have before its end is seen: empty cells have no bytes to count. */
const separatorsMax = rowBytesMax;

/** So many characters are parsed at once: what a row has is looked at in between. */
const pieceLength = 64 * 1024;

/** How a table is written, where that is known; otherwise the header decides. */
export interface TableShape {
  readonly delimiter?: ',' | ';' | '\t';
  /** False where quotes are ordinary characters. */
  readonly hasQuotes?: boolean;
  /** True where every row ends its line: without that end, the last one was cut. */
  readonly endsItsLines?: boolean;
}

/** How a file ended. */
export interface End {
  /** Without the end of a line. */
  isOpen: boolean;
  /** Whether that alone means that it was cut. */
  readonly isCut: boolean;
}

/** A row as it is parsed. */
export interface CsvRecord {
  readonly cells: string[];
  /** Where it begins. */
  readonly line: number;
}

/** The rows of a table, its header first; what cannot be one throws, with its location. */
export async function* readCsvRecords(
  part: SourcePart,
  shape: TableShape,
  end: End,
): AsyncGenerator<CsvRecord> {
  const text = readText(part);
  try {
    const beginning = await text.next();
    if (beginning.done) return;
    const delimiter = shape.delimiter ?? delimiterOf(beginning.value);
    const reader = new RecordReader(part.name, { delimiter, hasQuotes: shape.hasQuotes !== false });
    end.isOpen = !beginning.value.endsWith('\n');
    yield* reader.take(beginning.value);
    for await (const piece of text) {
      end.isOpen = !piece.endsWith('\n');
      yield* reader.take(piece);
    }
    yield* reader.end();
  } finally {
    await text.return(undefined);
  }
}

/** Rows as they are parsed, bounded while they are. */
class RecordReader {
  private readonly parser: Parser;
  private found: CsvRecord[] = [];
  private line = 0;
  private returns = 0;
  /** Separators in what was parsed since the last row ended. */
  private separators = 0;

  constructor(
    private readonly name: string,
    private readonly shape: { readonly delimiter: string; readonly hasQuotes: boolean },
  ) {
    this.parser = parse({
      delimiter: shape.delimiter,
      quote: shape.hasQuotes ? '"' : false,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: rowBytesMax,
      // Rows are taken here, and not from the stream that the parser is as well.
      on_record: (cells, { lines }) => this.add(cells, lines),
    });
    // Whoever writes to it gets the error; without a listener it would end the process.
    this.parser.on('error', () => {});
  }

  async *take(text: string): AsyncGenerator<CsvRecord> {
    for (let at = 0; at < text.length; at += pieceLength) {
      const piece = text.slice(at, at + pieceLength);
      await this.parsed((done) => this.parser.write(piece, done));
      this.separators += occurrences(this.shape.delimiter, [piece]);
      if (this.found.length > 0) this.separators = 0;
      if (this.separators > separatorsMax) throw this.tooWide(this.line + 1);
      yield* this.release();
    }
  }

  async *end(): AsyncGenerator<CsvRecord> {
    await this.parsed((done) => this.parser.end(done));
    yield* this.release();
  }

  private async parsed(step: (done: (error?: Error | null) => void) => void): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        step((error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      throw tableError(error, `${this.name}:${this.line + 1}`);
    }
  }

  private add(cells: string[], lines: number): null {
    // The parser takes every carriage return in quotes for a line of its own.
    this.returns += occurrences('\r', cells);
    this.line = lines - this.returns;
    const line = this.line - occurrences('\n', cells);
    if (cells.length > columnsMax) throw this.tooWide(line);
    this.found.push({ cells, line });
    return null;
  }

  private release(): CsvRecord[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  private tooWide(line: number): SourceFileError {
    return new SourceFileError(
      `${this.name}:${line}: the row has more than ${columnsMax} columns; is it the right file?`,
    );
  }
}

/** How often a character occurs in a row. */
function occurrences(character: string, cells: readonly string[]): number {
  let found = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf(character); at >= 0; at = cell.indexOf(character, at + 1)) found++;
  }
  return found;
}

/** The character that separates the names of the header. */
function delimiterOf(beginning: string): string {
  const line = beginning.trimStart().split('\n', 1)[0] ?? '';
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = [',', '\t', ';'].map((mark) => ({ mark, count: bare.split(mark).length }));
  return counts.reduce((most, some) => (some.count > most.count ? some : most)).mark;
}

function tableError(error: unknown, where: string): unknown {
  if (!(error instanceof CsvError)) return error;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new SourceFileError(
        `${where}: the row that begins here has a quote that is never closed.`,
      );
    case 'CSV_MAX_RECORD_SIZE':
      return new SourceFileError(
        `${where}: the row that begins here is longer than ${rowBytesMax} bytes; ` +
          'is a closing quote missing?',
      );
    default:
      return new SourceFileError(`${where}: the table cannot be read (${error.message}).`);
  }
}
