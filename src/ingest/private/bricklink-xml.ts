/** BrickLink's order download as XML, which is not always good XML: `&` may stand for itself. */
import sax from 'sax';
import { SourceFileError, type SourcePart } from '../readers/source-file.ts';
import { readText } from '../readers/text.ts';
import type { RawItem, RawOrder } from './bricklink-order.ts';
import { orderItemsMax } from './order.ts';

/** A longer text is no field of an order. */
const fieldLengthMax = 20_000;

/** More than an order has of anything: fields, elements in each other, attributes of one. */
const fieldsMax = 500;
const depthMax = 20;

/** What orders are made of. */
const orderElements = /^(ORDER|ITEM|BASE|PAY|QTY|PRICE|LOTID|CONDITION|MYCOST|BUYER|SELLER)/;

type Fields = Record<string, string>;

/** Reads orders as they come; throws when the file is something else, or cut. */
export async function* readBrickLinkXml(part: SourcePart): AsyncGenerator<RawOrder[]> {
  const reader = new OrderReader(part.name);
  for await (const text of readText(part)) yield reader.take(text);
  reader.end();
}

class OrderReader {
  /** Lenient, so that a bare `&` is text; what that hides is checked here. */
  private readonly parser = sax.parser(false, { trim: true });
  private found: RawOrder[] = [];
  private root: string | null = null;
  private isClosed = false;
  private order: { where: string; fields: Fields; items: RawItem[] } | null = null;
  private item: { where: string; fields: Fields } | null = null;
  private field: { readonly name: string; text: string } | null = null;
  private problem: string | null = null;
  private depth = 0;
  private attributes = 0;

  constructor(private readonly name: string) {
    this.parser.onopentag = ({ name: tag }) => this.open(tag);
    this.parser.onclosetag = (tag) => this.close(tag);
    this.parser.onattribute = () => {
      if (++this.attributes > fieldsMax) this.fail('it cannot be read as XML');
    };
    this.parser.ontext = (text) => this.addText(text);
    this.parser.oncdata = (text) => this.addText(text);
    this.parser.onerror = (error) => {
      this.fail(`it cannot be read as XML (${error.message.split('\n', 1)[0]})`);
    };
  }

  take(text: string): RawOrder[] {
    if (this.problem === null) this.parser.write(text);
    if (this.problem !== null) throw new SourceFileError(this.problem);
    const { found } = this;
    this.found = [];
    return found;
  }

  end(): void {
    if (this.isClosed) return;
    if (this.root === null) throw new SourceFileError(`${this.name} has no orders in it.`);
    throw new SourceFileError(
      `${this.location()}: the file ends before its orders do; is it complete?`,
    );
  }

  private open(tag: string): void {
    this.attributes = 0;
    if (this.root === null) this.checkRoot(tag);
    if (++this.depth > depthMax) this.fail('elements are nested too deeply for orders');
    if (this.field || (tag === 'ITEM' && this.item) || (tag === 'ORDER' && this.order)) {
      this.nest(tag);
    } else if (tag === 'ORDER') {
      this.order = { where: this.location(), fields: {}, items: [] };
    } else if (tag === 'ITEM' && this.order) {
      this.item = { where: this.location(), fields: {} };
    } else if (this.order) {
      this.field = { name: tag, text: '' };
    }
  }

  /** A description may have markup in it; what orders are made of means that an end is missing. */
  private nest(tag: string): void {
    if (!orderElements.test(tag)) return;
    const outer = this.field?.name ?? tag;
    this.fail(`<${tag}> begins inside <${outer}>, whose end is missing`);
  }

  private checkRoot(tag: string): void {
    this.root = tag;
    if (tag === 'ORDERS') return;
    const shown = `<${tag.slice(0, 40)}>`;
    this.fail(`the file begins with ${shown}, where BrickLink's orders have <ORDERS>`);
  }

  private close(tag: string): void {
    this.depth--;
    if (tag === 'ORDERS') this.isClosed = true;
    else if (tag === 'ORDER') this.endOrder();
    else if (tag === 'ITEM') this.endItem();
    else if (this.field?.name === tag) {
      this.addField(tag, this.field.text);
      this.field = null;
    }
  }

  private addField(name: string, text: string): void {
    const fields = (this.item ?? this.order)?.fields;
    if (!fields) return;
    fields[name] = text;
    if (Object.keys(fields).length > fieldsMax) {
      this.fail(`an order or item has more than ${fieldsMax} fields`);
    }
  }

  private endOrder(): void {
    if (this.order) this.found.push(this.order);
    this.order = null;
    this.item = null;
  }

  private endItem(): void {
    if (!this.order || !this.item) return;
    this.order.items.push({ ...this.item, text: JSON.stringify(this.item.fields) });
    this.item = null;
    if (this.order.items.length > orderItemsMax) {
      this.fail(`the order has more than ${orderItemsMax} items`);
    }
  }

  private addText(text: string): void {
    if (!this.field) return;
    this.field.text += text;
    if (this.field.text.length > fieldLengthMax) {
      this.fail(`the text of <${this.field.name}> is longer than ${fieldLengthMax} characters`);
    }
  }

  private fail(reason: string): void {
    this.problem ??= `${this.location()}: ${reason}.`;
  }

  private location(): string {
    return `${this.name}:${this.parser.line + 1}`;
  }
}
