/** Turns the answers of pages into responses, with security headers. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { SiteAccess } from '../../accounts/people/site-access.ts';
import { pageFormats, withFormats } from '../kit/format.ts';
import type { PageRows, SentAnswer } from '../page.ts';

/** Pages may load files from this site only, and run no inline scripts. */
function policyWith(scripts: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const headersOfAll = {
  'Content-Security-Policy': policyWith("'self'"),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  // Pages are personal and must not be cached.
  'Cache-Control': 'no-store',
};

/** A page that scans barcodes uses the camera, and may need WebAssembly. */
const scannerHeaders = {
  'Content-Security-Policy': policyWith("'self' 'wasm-unsafe-eval'"),
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
};

export const htmlType = 'text/html; charset=utf-8';

interface PageKind extends Pick<SiteAccess, 'hasPublicPages'> {
  /** Whether its address is a secret, which must not be sent as the referrer. */
  readonly hasSecretPath?: boolean;
  readonly isScanner?: boolean;
}

export function respondPage(
  answer: SentAnswer,
  { hasPublicPages, hasSecretPath = false, isScanner = false }: PageKind,
): Response {
  const headers = new Headers({ ...headersOfAll, ...(isScanner && scannerHeaders) });
  if (hasSecretPath) {
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('X-Robots-Tag', 'noindex');
  }
  if ('cookies' in answer) for (const c of answer.cookies ?? []) headers.append('Set-Cookie', c);
  if ('goTo' in answer) {
    headers.set('Location', answer.goTo);
    return new Response(null, { status: 303, headers });
  }
  if ('file' in answer) {
    headers.set('Content-Type', answer.type);
    headers.set('Content-Disposition', `attachment; filename="${answer.name}"`);
    const { file } = answer;
    return new Response(file, { headers });
  }
  if ('data' in answer) {
    return Response.json(answer.data, { status: answer.status ?? 200, headers });
  }
  if ('shared' in answer) {
    const caching = `${hasPublicPages ? 'public' : 'private'}, max-age=${answer.seconds}`;
    return new Response(answer.shared, { headers: plainHeaders(answer.type, caching) });
  }
  if ('picture' in answer) {
    const caching = answer.seconds === 0 ? 'no-store' : `private, max-age=${answer.seconds}`;
    return new Response(answer.picture, { headers: plainHeaders(answer.type, caching) });
  }
  if (answer.allow) headers.set('Allow', answer.allow);
  headers.set('Content-Type', htmlType);
  const { page, status = 200 } = answer;
  const body = page instanceof ReadableStream ? page : renderPage(page);
  return new Response(body, { status, headers });
}

export function renderPage(page: VNode): string {
  return `<!doctype html>${render(page)}`;
}

function render(part: VNode): string {
  return renderToString(part).replaceAll(optionalTags, '');
}

/** Renders a page whose rows are made while it is sent. */
export function pagePieces(page: VNode, rows: PageRows): AsyncIterable<string> {
  const formats = pageFormats();
  const renderRows = (batch: VNode) => withFormats(formats, () => render(batch));
  return fillRows(renderPage(page), rows, renderRows);
}

async function* fillRows(html: string, rows: PageRows, renderRows: (batch: VNode) => string) {
  let rest = html;
  for (const [name, batches] of rows) {
    const [before = '', after = ''] = rest.split(`<tr data-rows="${name}">`);
    yield before;
    for await (const batch of batches) yield renderRows(batch);
    rest = after;
  }
  yield rest;
}

/**
 * Closing tags that HTML allows to omit, which are a tenth of a long table. Text cannot match,
 * because its `<` is escaped.
 */
const optionalTags = /<\/(?:td|th|tr|option)>/g;

/** The response for a fault. It uses no code that may have caused the fault. */
export function respondFailure(): Response {
  const html = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Something went wrong · Brickmark</title><h1>Something went wrong</h1>',
    '<p>The problem is on our side. Try again in a moment.</p>',
    '<p><a href="/">Go to the home page</a></p></html>',
  ].join('\n');
  const headers = plainHeaders(htmlType, 'no-store');
  // The address may be a secret.
  headers.set('Referrer-Policy', 'no-referrer');
  return new Response(html, { status: 500, headers });
}

export function plainHeaders(type: string, caching: string): Headers {
  const headers = new Headers(headersOfAll);
  headers.set('Content-Type', type);
  headers.set('Cache-Control', caching);
  return headers;
}
