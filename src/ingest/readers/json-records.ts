/** Records in a JSON file, one after the other, without holding the whole file. */
import { JSONParser } from '@streamparser/json';
import { SourceFileError, type SourcePart } from './source-file.ts';

/** A record that is larger is no record. */
const recordBytesMax = 64 * 1024 * 1024;

/** A record with its place: the file and the how manieth it is. */
export interface JsonRecord {
  readonly where: string;
  readonly value: unknown;
}

/**
 * The members of a list, whether the file is the list itself or an object with the list under a
 * name; or the object alone when it has no such list.
 */
export async function* readJsonRecords(
  part: SourcePart,
  listName: string,
): AsyncGenerator<JsonRecord[]> {
  const reading = new Reading(part.name, listName);
  for await (const chunk of part.stream) yield reading.take(chunk as Buffer);
  yield reading.end();
}

class Reading {
  private parser: JSONParser | null = null;
  private found: JsonRecord[] = [];
  private count = 0;
  private read = 0;
  private readAtRecord = 0;
  private fault: Error | null = null;

  constructor(
    private readonly name: string,
    private readonly listName: string,
  ) {}

  take(chunk: Buffer): JsonRecord[] {
    this.read += chunk.length;
    const rest = this.parser ? chunk : this.begin(chunk);
    if (rest.length > 0) this.parser?.write(rest);
    this.check();
    if (this.read - this.readAtRecord > recordBytesMax) {
      throw new SourceFileError(
        `${this.name}#${this.count + 1}: the record is larger than ${recordBytesMax} bytes.`,
      );
    }
    return this.release();
  }

  end(): JsonRecord[] {
    if (!this.parser) throw new SourceFileError(`${this.name} is empty, where JSON should be.`);
    const isGood = this.fault === null;
    if (!this.parser.isEnded) this.parser.end();
    // What was good until its end, and is not then, was cut: between tokens, or within one.
    if (isGood && this.fault !== null) {
      throw new SourceFileError(`${this.name} ends in the middle of its JSON; is it complete?`);
    }
    this.check();
    return this.release();
  }

  private begin(chunk: Buffer): Buffer {
    const text = chunk
      .subarray(0, 4096)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
    if (text === '') return Buffer.alloc(0);
    const isList = text.startsWith('[');
    this.parser = new JSONParser({
      paths: isList ? ['$.*'] : [`$.${this.listName}.*`, '$'],
      keepStack: false,
    });
    this.parser.onValue = ({ value, key, parent, stack }) => {
      const isWhole = stack.length === 0;
      if (!isList && isWhole && (this.count > 0 || this.hasList(value))) return;
      this.readAtRecord = this.read;
      this.found.push({ where: `${this.name}#${++this.count}`, value });
      // The parser keeps the list for the whole; a member that is handed on is let go of.
      if (!isWhole && Array.isArray(parent) && typeof key === 'number') parent[key] = null;
    };
    this.parser.onError = (error) => {
      this.fault ??= error;
    };
    const hasMark = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    return hasMark ? chunk.subarray(3) : chunk;
  }

  private hasList(value: unknown): boolean {
    return Array.isArray((value as Record<string, unknown> | null)?.[this.listName]);
  }

  private check(): void {
    if (!this.fault) return;
    const place = /absolute position "(\d+)"/.exec(this.fault.message)?.[1];
    const at = place === undefined ? '' : ` at byte ${place}`;
    throw new SourceFileError(`${this.name} is not JSON${at}; is it the right file?`);
  }

  private release(): JsonRecord[] {
    const { found } = this;
    this.found = [];
    return found;
  }
}
