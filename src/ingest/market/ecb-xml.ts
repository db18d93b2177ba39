/** Reference rates as the European Central Bank writes them in XML, day by day. */
import sax from 'sax';
import { shortText } from '../../domain/kernel/text.ts';
import type { Location } from '../located-row.ts';
import { SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { readText } from '../readers/text.ts';

/** What a euro was worth on a day. */
export interface EcbDay extends Location {
  readonly date: string;
  /** Units per euro as they are written, by currency. */
  readonly rates: ReadonlyMap<string, string>;
}

/** More than there are in a day, in each other, or in one element. */
const ratesMax = 500;
const depthMax = 10;
const attributesMax = 20;

/** Reads the days as they come; throws when the file is something else, or cut. */
export async function* readEcbXml(part: SourcePart): AsyncGenerator<EcbDay[]> {
  const reader = new DayReader(part.name);
  for await (const text of readText(part)) yield reader.take(text);
  reader.end();
}

class DayReader {
  private readonly parser = sax.parser(true);
  private found: EcbDay[] = [];
  private day: { date: string; where: string; rates: Map<string, string> } | null = null;
  private depth = 0;
  private days = 0;
  private attributes = 0;
  private isBegun = false;
  private isClosed = false;
  private problem: string | null = null;

  constructor(private readonly name: string) {
    this.parser.onopentag = ({ name: tag, attributes }) =>
      this.open(tag, attributes as Record<string, string>);
    this.parser.onclosetag = () => this.close();
    this.parser.onattribute = () => {
      if (++this.attributes > attributesMax) this.fail('an element has too many attributes');
    };
    this.parser.onerror = (error) => {
      this.fail(`it cannot be read as XML (${error.message.split('\n', 1)[0]})`);
    };
  }

  take(text: string): EcbDay[] {
    if (this.problem === null) this.parser.write(text);
    if (this.problem !== null) throw new SourceFileError(this.problem);
    const { found } = this;
    this.found = [];
    return found;
  }

  end(): void {
    if (!this.isClosed) {
      throw new SourceFileError(
        `${this.location()}: the file ends before its rates do; is it complete?`,
      );
    }
    if (this.days === 0) throw new SourceFileError(`${this.name} has no rates in it.`);
  }

  private open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.attributes = 0;
    if (!this.isBegun) this.checkRoot(tag);
    if (++this.depth > depthMax) this.fail('elements are nested too deeply');
    if (tag !== 'Cube') return;
    const { time, currency, rate } = attributes;
    if (time !== undefined) this.day = { date: time, where: this.location(), rates: new Map() };
    else if (currency !== undefined && rate !== undefined) this.add(currency, rate);
  }

  private add(currency: string, rate: string): void {
    if (this.day === null) this.fail('a rate stands outside a day');
    else if (this.day.rates.size >= ratesMax) this.fail(`a day has more than ${ratesMax} rates`);
    else this.day.rates.set(currency, rate);
  }

  private checkRoot(tag: string): void {
    this.isBegun = true;
    if (tag === 'gesmes:Envelope') return;
    const shown = `<${shortText(tag)}>`;
    this.fail(`the file begins with ${shown}, where the central bank has <gesmes:Envelope>`);
  }

  /** A day is the third level: the envelope, the cube of all days, the cube of the day. */
  private close(): void {
    this.depth--;
    if (this.depth === 0) this.isClosed = true;
    if (this.depth !== 2 || this.day === null) return;
    const { date, where, rates } = this.day;
    this.day = null;
    this.days++;
    this.found.push({
      date,
      where,
      rates,
      get text() {
        return [date, ...rates].join(' ');
      },
    });
  }

  private fail(reason: string): void {
    this.problem ??= `${this.location()}: ${reason}.`;
  }

  private location(): string {
    return `${this.name}:${this.parser.line + 1}`;
  }
}
