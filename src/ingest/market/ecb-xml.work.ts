/** Reads the reference rates of the European Central Bank as XML. */
import { shortText } from '../../kernel/text.ts';
import { SourceFileError, type SourcePart } from '../readers/source-file.work.ts';
import { XmlReader } from '../readers/xml-reader.work.ts';
import type { Location } from '../runner/located-row.ts';

export interface EcbDay extends Location {
  readonly date: string;
  /** Units per euro, as written. */
  readonly rates: ReadonlyMap<string, string>;
}

/** Limits of rates per day, nesting and attributes. */
const ratesMax = 500;
const depthMax = 10;
const attributesMax = 20;

/** Throws if the file is something else, or incomplete. */
export function readEcbXml(part: SourcePart): AsyncGenerator<EcbDay[]> {
  return new DayReader(part.name).read(part);
}

class DayReader extends XmlReader<EcbDay> {
  private day: { date: string; where: string; rates: Map<string, string> } | null = null;
  private days = 0;
  private isBegun = false;
  private isClosed = false;

  constructor(name: string) {
    super(name, { isStrict: true, depthMax, attributesMax });
  }

  protected end(): void {
    if (!this.isClosed) {
      throw new SourceFileError(
        `${this.location()}: the file ends before its rates do; is it complete?`,
      );
    }
    if (this.days === 0) throw new SourceFileError(`${this.name} has no rates.`);
  }

  protected open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (!this.isBegun) this.checkRoot(tag);
    if (tag !== 'Cube') return;
    const { time, currency, rate } = attributes;
    if (time !== undefined) this.day = { date: time, where: this.location(), rates: new Map() };
    else if (currency !== undefined && rate !== undefined) this.add(currency, rate);
  }

  private add(currency: string, rate: string): void {
    if (this.day === null) this.fail('a rate has no date');
    else if (this.day.rates.size >= ratesMax) this.fail(`a day has more than ${ratesMax} rates`);
    else this.day.rates.set(currency, rate);
  }

  private checkRoot(tag: string): void {
    this.isBegun = true;
    if (tag === 'gesmes:Envelope') return;
    const shown = `<${shortText(tag)}>`;
    this.fail(`the file begins with ${shown}, but ECB rates begin with <gesmes:Envelope>`);
  }

  /** Days are the third level: the envelope, the cube of all days, the cube of a day. */
  protected close(): void {
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
}
