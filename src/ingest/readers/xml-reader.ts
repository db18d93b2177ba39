/** Reads XML piece by piece, within limits, and tells the place of whatever is wrong with it. */
import sax from 'sax';
import { SourceFileError, type SourcePart } from './source-file.ts';
import { readText } from './text.ts';

/** What a reader takes. */
interface XmlLimits {
  /** Elements in each other, and attributes of one. */
  readonly depthMax: number;
  readonly attributesMax: number;
}

/** A file that is being read; what it is made of is for whoever extends this. */
export abstract class XmlReader<Found> {
  protected readonly parser: sax.SAXParser;
  protected depth = 0;
  /** What was read since it was last taken. */
  protected found: Found[] = [];
  private attributes = 0;
  private problem: string | null = null;

  constructor(
    protected readonly name: string,
    options: XmlLimits & { readonly isStrict: boolean },
  ) {
    const { isStrict, depthMax, attributesMax } = options;
    this.parser = sax.parser(isStrict, isStrict ? {} : { trim: true });
    this.parser.onopentag = ({ name: tag, attributes }) => {
      this.attributes = 0;
      if (++this.depth > depthMax) this.fail('elements are nested too deeply');
      this.open(tag, attributes as Record<string, string>);
    };
    this.parser.onclosetag = (tag) => {
      this.depth--;
      this.close(tag);
    };
    this.parser.onattribute = () => {
      if (++this.attributes > attributesMax) this.fail('an element has too many attributes');
    };
    this.parser.onerror = (error) => {
      this.fail(`it cannot be read as XML (${error.message.split('\n', 1)[0]})`);
    };
  }

  /** Reads a file to its end; throws when it is something else, or cut. */
  async *read(part: SourcePart): AsyncGenerator<Found[]> {
    for await (const text of readText(part)) yield this.take(text);
    this.end();
  }

  protected abstract open(tag: string, attributes: Readonly<Record<string, string>>): void;
  protected abstract close(tag: string): void;
  /** Throws when the file is not complete. */
  protected abstract end(): void;

  /** The first thing that is wrong ends the reading. */
  protected fail(reason: string): void {
    this.problem ??= `${this.location()}: ${reason}.`;
  }

  protected location(): string {
    return `${this.name}:${this.parser.line + 1}`;
  }

  private take(text: string): Found[] {
    if (this.problem === null) this.parser.write(text);
    if (this.problem !== null) throw new SourceFileError(this.problem);
    const { found } = this;
    this.found = [];
    return found;
  }
}
