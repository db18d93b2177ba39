/** Parses CSV and similar formats with limits. */
import { CsvError, type Parser, parse } from 'csv-parse';
import { SourceFileError, type SourcePart } from './source-file.work.ts';
import { readText } from './text.work.ts';

/** A longer row has an unclosed quote. */
const rowBytesMax = 1024 * 1024;

const columnsMax = 1000;

/** Delimiters in an unfinished row; empty cells have no bytes to count. */
const separatorsMax = rowBytesMax;

/** Characters parsed at once; limits are checked in between. */
const pieceLength = 64 * 1024;

/** How a table is written; detected from the header if absent. */
export interface TableShape {
  readonly delimiter?: ',' | ';' | '\t';
  /** False if quotes are ordinary characters. */
  readonly hasQuotes?: boolean;
  /** True if every row ends with a newline, so that a missing one means the file is incomplete. */
  readonly endsItsLines?: boolean;
}

export interface End {
  /** Whether the last line has no newline. */
  isOpen: boolean;
  /** Whether a missing newline alone means that the file is incomplete. */
  readonly isCut: boolean;
}

export interface CsvRecord {
  readonly cells: string[];
  /** The line it starts at. */
  readonly line: number;
}

/** The header comes first. Throws with a location if the file is not a table. */
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

class RecordReader {
  private readonly parser: Parser;
  private found: CsvRecord[] = [];
  private line = 0;
  private returns = 0;
  /** Delimiters since the end of the last row. */
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
      // Rows are collected here instead of reading the parser as a stream.
      on_record: (cells, { lines }) => this.add(cells, lines),
    });
    // Errors are passed to the writer; without a listener, they would end the process.
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
    // The parser counts every carriage return in quotes as a line.
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

function occurrences(character: string, cells: readonly string[]): number {
  let found = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf(character); at >= 0; at = cell.indexOf(character, at + 1)) found++;
  }
  return found;
}

/** The most frequent delimiter in the header. */
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
