/** Forms that were sent: bounded, and read by the names of their fields. */
import { BodyError, readBounded } from '../../http/bounded-body.ts';

/** A form may be so large, without files. */
export const formBytesMax = 64 * 1024;

/** What a mail program sends is so small. */
const smallFormBytesMax = 4 * 1024;

/** A form with a file may be so large: the largest file, and what is typed beside it. */
export const uploadFormBytesMax = 6 * 1024 * 1024;

/** A field takes far more memory than it is long: so many, typed or with a file among them. */
const fieldsMax = 500;
const uploadPartsMax = 50;

/** How long a form may be on its way. */
const arrival = { msMax: 60_000, trickleMs: 10_000, trickleBytesMin: 160 * 1024 };

/** Why a form cannot be read. */
export class FormError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 413 = 400,
  ) {
    super(message);
  }
}

/** The fields of a form. What is wrong with them is said beside each. */
export class Form {
  constructor(private readonly data: FormData) {}

  /** What was typed, without blanks around it; empty when it was not sent. */
  text(name: string): string {
    const value = this.data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** What was typed, blanks and all. */
  secret(name: string): string {
    const value = this.data.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** All that was sent under one name, such as boxes that were ticked. */
  texts(name: string): string[] {
    return this.data.getAll(name).flatMap((value) => (typeof value === 'string' ? [value] : []));
  }

  /** Whether a box was ticked. */
  isTicked(name: string): boolean {
    return this.text(name) !== '';
  }

  /** A file that was chosen; null when none was. */
  file(name: string): File | null {
    const value = this.data.get(name);
    return value instanceof File && value.size > 0 ? value : null;
  }

  /** Everything that was typed, to be shown again. */
  get typed(): Readonly<Record<string, string>> {
    const texts = [...this.data.entries()].filter(([name]) => !/password|token/.test(name));
    return Object.fromEntries(texts.flatMap(([k, v]) => (typeof v === 'string' ? [[k, v]] : [])));
  }
}

/** Reads the body of a form. Files come only where they are asked for, from known people. */
export async function readForm(request: Request, takesFile: boolean): Promise<Form> {
  const kind = kindOf(request.headers.get('Content-Type') ?? '');
  if (kind === null || (kind.isUpload && !takesFile)) throw new FormError('This is not a form.');
  return parseBody(request, kind, kind.isUpload ? uploadFormBytesMax : formBytesMax);
}

/** Reads a small form as mail programs send it, in either way of writing one. */
export async function readSmallForm(request: Request): Promise<Form> {
  const kind = kindOf(request.headers.get('Content-Type') ?? '');
  if (kind === null) throw new FormError('This is not a form.');
  return parseBody(request, kind, smallFormBytesMax);
}

async function parseBody(request: Request, kind: FormKind, bytesMax: number): Promise<Form> {
  const body = await readFormBody(request, bytesMax);
  checkFields(body, kind);
  const data = await parseForm(body, kind.type);
  // PostgreSQL does not store the character, and nobody types it.
  const hasNul = ([, value]: [string, unknown]) =>
    typeof value === 'string' && value.includes('\0');
  if ([...data.entries()].some(hasNul)) throw new FormError('The form could not be read.');
  return new Form(data);
}

/** How a form is written. */
interface FormKind {
  readonly isUpload: boolean;
  /** What stands between any two fields, and maybe elsewhere. */
  readonly separator: string;
  /** The header that the form is parsed with. It is our own: no two readers of it can differ. */
  readonly type: string;
}

/** A boundary as browsers and libraries write it. What has to be escaped is not taken. */
const multipart = /^multipart\/form-data;\s*boundary=("?)([\w'.+-]{1,70})\1$/i;
const urlEncoded = /^application\/x-www-form-urlencoded(\s*;\s*charset="?utf-8"?)?$/i;

/** Tells how a form is written by its header; null for what is no form. */
function kindOf(header: string): FormKind | null {
  const text = header.trim();
  if (urlEncoded.test(text)) {
    return { isUpload: false, separator: '&', type: 'application/x-www-form-urlencoded' };
  }
  const boundary = multipart.exec(text)?.[2];
  if (boundary === undefined) return null;
  const type = `multipart/form-data; boundary=${boundary}`;
  return { isUpload: true, separator: boundary, type };
}

async function parseForm(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw new FormError('The form could not be read.');
  }
}

/** Looked at before anything is made of the fields. */
function checkFields(body: Uint8Array<ArrayBuffer>, { isUpload, separator }: FormKind): void {
  // Parts have a boundary before and after each; fields have a sign between any two.
  const most = isUpload ? uploadPartsMax + 1 : fieldsMax - 1;
  const bytes = Buffer.from(body.buffer);
  let count = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + 1)) {
    if (++count <= most) continue;
    const shown = isUpload ? `${uploadPartsMax} parts` : `${fieldsMax} fields`;
    throw new FormError(`The form has more than ${shown}.`, 413);
  }
}

/** The body of a form, if it is not too large and does not take too long. */
export async function readFormBody(
  request: Request,
  max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBounded(request, { bytesMax: max, arrival });
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') {
      throw new FormError(`The form is larger than ${max / 1024} KB.`, 413);
    }
    const isSlow = error.reason === 'too slow';
    throw new FormError(isSlow ? 'The form took too long to arrive.' : 'The form was cut short.');
  }
}
