/** Parses XML as it is read, with limits, and locates errors. */
import sax from 'sax';
import { SourceFileError, type SourcePart } from './source-file.work.ts';
import { readText } from './text.work.ts';

interface XmlLimits {
  readonly depthMax: number;
  readonly attributesMax: number;
}

/** Base class of readers, which handle elements and collect results in `found`. */
export abstract class XmlReader<Found> {
  protected readonly parser: sax.SAXParser;
  protected depth = 0;
  /** Results since the last chunk. */
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

  /** Throws if the file is something else, or incomplete. */
  async *read(part: SourcePart): AsyncGenerator<Found[]> {
    for await (const text of readText(part)) yield this.take(text);
    this.end();
  }

  protected abstract open(tag: string, attributes: Readonly<Record<string, string>>): void;
  protected abstract close(tag: string): void;
  /** Throws if the file is incomplete. */
  protected abstract end(): void;

  /** Remembers the first problem, which ends reading. */
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
