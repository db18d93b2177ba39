/** Reads submitted forms, within limits. */
import { BodyError, type BodyLimits, readBounded } from '../../http/bounded-body.ts';
import { pools } from '../../http/pools.ts';

const mib = 1024 * 1024;

/** The maximum size of a form without a file. */
export const formBytesMax = 64 * 1024;

/** The maximum size of a form from a mail program. */
const smallFormBytesMax = 4 * 1024;

/** The maximum size of a form with a file, including its other fields. */
export const uploadFormBytesMax = 6 * mib;

export const photoFormBytesMax = 24 * mib;

/** The forms with photos, which the `serve` process recognizes without the routes. */
export const photoFormPath = /^\/lots\/\d+\/photos$/;

/** The maximum number of fields, without and with a file: each takes far more memory than bytes. */
const fieldsMax = 500;
const uploadPartsMax = 50;

/** How long a form may take to arrive. */
const arrival = {
  msMax: pools.uploads.least.msMax,
  trickleMs: 10_000,
  trickleBytesMin: 160 * 1024,
};

export class FormError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 413 = 400,
  ) {
    super(message);
  }
}

export class Form {
  constructor(private readonly data: FormData) {}

  /** A trimmed text, with one form for each accented letter; empty if it was not sent. */
  text(name: string): string {
    const value = this.data.get(name);
    return typeof value === 'string' ? value.trim().normalize() : '';
  }

  /** A text as typed, for passwords. */
  secret(name: string): string {
    const value = this.data.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** All texts with one name, such as checked boxes. */
  texts(name: string): string[] {
    return this.data.getAll(name).flatMap((value) => (typeof value === 'string' ? [value] : []));
  }

  isTicked(name: string): boolean {
    return this.text(name) !== '';
  }

  file(name: string): File | null {
    const value = this.data.get(name);
    return value instanceof File && value.size > 0 ? value : null;
  }

  /** All chosen files, without empty ones. */
  files(name: string): File[] {
    const values: readonly unknown[] = this.data.getAll(name);
    return values.filter((value): value is File => value instanceof File && value.size > 0);
  }

  /** The entered values in page order, without the token, which changes with the session. */
  get entered(): readonly (readonly [name: string, text: string])[] {
    return [...this.data.entries()].flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'token' ? [[name, value] as const] : [],
    );
  }

  /** All texts, to show them again. */
  get typed(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.entered.filter(([name]) => !/password|token/.test(name)));
  }
}

/** Reads a form. Files are accepted only if `takesFile` is set. */
export async function readForm(request: Request, takesFile: boolean | 'photos'): Promise<Form> {
  const kind = kindOf(request.headers.get('Content-Type') ?? '');
  if (kind === null || (kind.isUpload && !takesFile)) throw new FormError('This is not a form.');
  const uploadMax = takesFile === 'photos' ? photoFormBytesMax : uploadFormBytesMax;
  return parseBody(request, kind, kind.isUpload ? uploadMax : formBytesMax);
}

/** Reads a small form from a mail program, in either encoding. */
export async function readSmallForm(request: Request): Promise<Form> {
  const kind = kindOf(request.headers.get('Content-Type') ?? '');
  if (kind === null) throw new FormError('This is not a form.');
  return parseBody(request, kind, smallFormBytesMax);
}

async function parseBody(request: Request, kind: FormKind, bytesMax: number): Promise<Form> {
  const body = await readFormBody(request, bytesMax);
  checkFields(body, kind);
  const data = await parseForm(body, kind.type);
  // PostgreSQL cannot store this character, and keyboards do not have it.
  const hasNul = ([, value]: [string, unknown]) =>
    typeof value === 'string' && value.includes('\0');
  if ([...data.entries()].some(hasNul)) throw new FormError('The form could not be read.');
  return new Form(data);
}

interface FormKind {
  readonly isUpload: boolean;
  /** The separator of fields; it may occur elsewhere too. */
  readonly separator: string;
  /** The header to parse the form with: our own, so that it has one meaning. */
  readonly type: string;
}

/** A boundary as browsers and libraries write it, without characters that need escaping. */
const multipart = /^multipart\/form-data;\s*boundary=("?)([\w'.+-]{1,70})\1$/i;
const urlEncoded = /^application\/x-www-form-urlencoded(\s*;\s*charset="?utf-8"?)?$/i;

/** The encoding by the header; null if it is not a form. */
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

/** Counts fields before they are parsed. */
function checkFields(body: Uint8Array<ArrayBuffer>, { isUpload, separator }: FormKind): void {
  // Parts have a boundary before and after each, fields have a separator between two.
  const most = isUpload ? uploadPartsMax + 1 : fieldsMax - 1;
  const bytes = Buffer.from(body.buffer);
  let count = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + 1)) {
    if (++count <= most) continue;
    const shown = isUpload ? `${uploadPartsMax} parts` : `${fieldsMax} fields`;
    throw new FormError(`The form has more than ${shown}.`, 413);
  }
}

/** The body of a form, within the limits of size and time, and the pace of its slot. */
export async function readFormBody(
  request: Request,
  max: number,
  arriving?: BodyLimits['arriving'],
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBounded(request, { bytesMax: max, arrival, arriving });
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') {
      const size = max < mib ? `${max / 1024} KB` : `${max / mib} MB`;
      throw new FormError(`The form is larger than ${size}.`, 413);
    }
    const isSlow = error.reason === 'too slow';
    throw new FormError(isSlow ? 'The form took too long to arrive.' : 'The form was cut short.');
  }
}
