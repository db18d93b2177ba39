/** Parses the records of a JSON file one by one, without holding the whole file. */
import { JSONParser, TokenType } from '@streamparser/json';
import { SourceFileError, type SourcePart } from './source-file.work.ts';
import { readText } from './text.work.ts';

const recordBytesMax = 64 * 1024 * 1024;

/** Deeper nesting could overflow the stack of consumers. */
const depthMax = 100;

/** Maximum per record, because a field takes far more memory than its bytes. */
const namesMax = 50_000;

/** Located by file and running number. */
export interface JsonRecord {
  readonly where: string;
  readonly value: unknown;
}

/**
 * Yields the members of a list: the file itself, or a field of an object with this name; or else
 * the whole object. Groups are never empty, because readers pause after each.
 */
export async function* readJsonRecords(
  part: SourcePart,
  listName: string,
): AsyncGenerator<JsonRecord[]> {
  const reader = new RecordReader(part.name, listName);
  for await (const text of readText(part)) {
    const records = reader.take(text);
    if (records.length > 0) yield records;
  }
  const last = reader.end();
  if (last.length > 0) yield last;
}

class RecordReader {
  private parser: JSONParser | null = null;
  private found: JsonRecord[] = [];
  private count = 0;
  private read = 0;
  private readAtRecord = 0;
  private error: Error | null = null;
  private isDeep = false;
  private isWide = false;
  /** Field names since the last record. */
  private names = 0;

  constructor(
    private readonly name: string,
    private readonly listName: string,
  ) {}

  take(text: string): JsonRecord[] {
    const bytes = Buffer.from(text);
    this.read += bytes.length;
    if (!this.parser) this.begin(text);
    this.parser?.write(bytes);
    this.check();
    if (this.read - this.readAtRecord > recordBytesMax) {
      throw new SourceFileError(
        `${this.name}#${this.count + 1}: the record is larger than ${recordBytesMax} bytes.`,
      );
    }
    return this.release();
  }

  end(): JsonRecord[] {
    if (!this.parser) throw new SourceFileError(`${this.name} is empty.`);
    if (!this.parser.isEnded) this.parser.end();
    // Earlier errors have been thrown, so this one means that the file is incomplete.
    if (this.error !== null) {
      throw new SourceFileError(`${this.name} ends in the middle of its JSON; is it complete?`);
    }
    return this.release();
  }

  private begin(beginning: string): void {
    const text = beginning.trimStart();
    if (text === '') return;
    const isList = text.startsWith('[');
    this.parser = new JSONParser({
      paths: isList ? ['$.*'] : [`$.${this.listName}.*`, '$'],
      keepStack: false,
    });
    this.parser.onValue = ({ value, key, parent, stack }) => {
      const isWhole = stack.length === 0;
      if (!isList && isWhole && (this.count > 0 || this.hasList(value))) return;
      this.readAtRecord = this.read;
      this.names = 0;
      this.found.push({ where: `${this.name}#${++this.count}`, value });
      // The parser holds the whole list, so members that were yielded are released.
      if (!isWhole && Array.isArray(parent) && typeof key === 'number') parent[key] = null;
    };
    this.parser.onError = (error) => {
      this.error ??= error;
    };
    this.checkShape(this.parser);
  }

  private checkShape(parser: JSONParser): void {
    let depth = 0;
    parser.onToken = ({ token }) => {
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
      else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
      else if (token === TokenType.COLON) this.names++;
      if (depth > depthMax) this.isDeep = true;
      if (this.names > namesMax) this.isWide = true;
    };
  }

  private hasList(value: unknown): boolean {
    return Array.isArray((value as Record<string, unknown> | null)?.[this.listName]);
  }

  private check(): void {
    if (this.isDeep) {
      throw new SourceFileError(
        `${this.name}#${this.count + 1}: the record is nested more than ${depthMax} deep.`,
      );
    }
    if (this.isWide) {
      throw new SourceFileError(`${this.name}: a record has more than ${namesMax} names.`);
    }
    if (!this.error) return;
    const position = /absolute position "(\d+)"/.exec(this.error.message)?.[1];
    const at = position === undefined ? '' : ` at byte ${position}`;
    throw new SourceFileError(`${this.name} is not JSON${at}; is it the right file?`);
  }

  private release(): JsonRecord[] {
    const { found } = this;
    this.found = [];
    return found;
  }
}
