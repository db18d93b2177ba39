/**
 * Reads XML in which groups contain items, and both have text fields: orders, inventories. Parsing
 * is lenient, because such files may contain a bare `&`.
 */
import type { Location } from '../runner/located-row.ts';
import { SourceFileError, type SourcePart } from './source-file.work.ts';
import { XmlReader } from './xml-reader.work.ts';

const fieldLengthMax = 20_000;

/** Limits of fields and attributes, and of nesting. */
const fieldsMax = 500;
const depthMax = 20;

/** By element name in upper case. */
export type XmlFields = Readonly<Record<string, string>>;

/** Element names are in upper case. */
export interface XmlShape {
  readonly roots: readonly string[];
  readonly group: string;
  /** Elements that cannot be inside a field; there, the closing tag of the field is missing. */
  readonly elements: RegExp;
  /** Plural and singular of the contents, for messages. */
  readonly all: string;
  readonly one: string;
  /** The end of the message about a wrong root element. */
  readonly beginnings: string;
}

/** Its fields may follow its items. */
export interface XmlGroup {
  readonly where: string;
  readonly attributes: XmlFields;
  readonly fields: XmlFields;
}

export interface XmlItem extends Location {
  readonly fields: XmlFields;
}

/** An item, or null at the end of a group. */
export interface XmlStep {
  readonly group: XmlGroup;
  readonly item: XmlItem | null;
}

/** Throws if the file is something else, or incomplete. */
export function readXmlGroups(part: SourcePart, shape: XmlShape): AsyncGenerator<XmlStep[]> {
  return new GroupReader(part.name, shape).read(part);
}

type Fields = Record<string, string>;

class GroupReader extends XmlReader<XmlStep> {
  private root: string | null = null;
  private isClosed = false;
  private group: { where: string; attributes: Fields; fields: Fields } | null = null;
  private item: { where: string; fields: Fields } | null = null;
  /** The line of the last item, and the items in it. */
  private itemLine = '';
  private inLine = 0;
  private field: { readonly name: string; text: string } | null = null;

  constructor(
    name: string,
    private readonly shape: XmlShape,
  ) {
    // Lenient mode accepts a bare `&`, but also hides errors, which are checked here.
    super(name, { isStrict: false, depthMax, attributesMax: fieldsMax });
    this.parser.ontext = (text) => this.addText(text);
    this.parser.oncdata = (text) => this.addText(text);
  }

  protected end(): void {
    if (this.isClosed) return;
    const { all } = this.shape;
    if (this.root === null) throw new SourceFileError(`${this.name} has no ${all}.`);
    throw new SourceFileError(
      `${this.location()}: the file ends before its ${all} do; is it complete?`,
    );
  }

  protected open(tag: string, attributes: Fields): void {
    const { group } = this.shape;
    if (this.root === null) this.checkRoot(tag);
    if (this.field || (tag === 'ITEM' && this.item) || (tag === group && this.group)) {
      this.nest(tag);
    } else if (tag === group) {
      this.group = { where: this.location(), attributes, fields: {} };
    } else if (tag === 'ITEM' && this.group) {
      this.item = { where: this.itemLocation(), fields: {} };
    } else if (this.group) {
      this.field = { name: tag, text: '' };
    }
  }

  /** Unique: items in the line of another are numbered, `FILE:1.2`. */
  private itemLocation(): string {
    const line = this.location();
    this.inLine = line === this.itemLine ? this.inLine + 1 : 1;
    this.itemLine = line;
    return this.inLine === 1 ? line : `${line}.${this.inLine}`;
  }

  /** Descriptions may contain markup; known elements mean that a closing tag is missing. */
  private nest(tag: string): void {
    if (!this.shape.elements.test(tag)) return;
    const outer = this.field?.name ?? tag;
    this.fail(`<${tag}> begins inside <${outer}>, whose end is missing`);
  }

  private checkRoot(tag: string): void {
    this.root = tag;
    if (this.shape.roots.includes(tag)) return;
    this.fail(`the file begins with <${tag.slice(0, 40)}>, but ${this.shape.beginnings}`);
  }

  protected close(tag: string): void {
    if (tag === this.root) this.isClosed = true;
    else if (tag === this.shape.group) this.endGroup();
    else if (tag === 'ITEM') this.endItem();
    else if (this.field?.name === tag) {
      this.addField(tag, this.field.text);
      this.field = null;
    }
  }

  private addField(name: string, text: string): void {
    const fields = (this.item ?? this.group)?.fields;
    if (!fields) return;
    fields[name] = text;
    if (Object.keys(fields).length > fieldsMax) {
      this.fail(`${this.shape.one} has more than ${fieldsMax} fields`);
    }
  }

  private endGroup(): void {
    if (this.group) this.found.push({ group: this.group, item: null });
    this.group = null;
    this.item = null;
  }

  private endItem(): void {
    if (!this.group || !this.item) return;
    const item = { ...this.item, text: JSON.stringify(this.item.fields) };
    this.found.push({ group: this.group, item });
    this.item = null;
  }

  private addText(text: string): void {
    if (!this.field) return;
    this.field.text += text;
    if (this.field.text.length > fieldLengthMax) {
      this.fail(`the text of <${this.field.name}> is longer than ${fieldLengthMax} characters`);
    }
  }
}
