/** Fetches a file in any import format from a URL. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nounText } from '../domain/kernel/format.ts';
import { asObject, type JsonValue } from '../domain/kernel/json.ts';
import { noValidators, type SourceClient, type SourceRequest } from './client.ts';
import type { Answer, Connector, SyncStep } from './connector.ts';
import { fetchFile, keptValidators, validatorsIn } from './responses.ts';
import type { HttpSettings } from './settings.ts';

/** Price lists may be large. */
const bytesMax = 256 * 1024 * 1024;
const timeoutMs = 5 * 60_000;

/** Formats not listed here contain sales or offers. */
const steps: Readonly<Record<string, SyncStep>> = {
  ecb: 'rates',
  rebrickable: 'catalog',
  brickset: 'catalog',
  'bricklink-catalog': 'catalog',
  'bricklink-inventories': 'catalog',
};

/** File extensions that importers depend on. */
const knownEnd = /\.(csv|tsv|txt|json|ndjson|xml)$/i;

export function httpConnector(settings: HttpSettings): Connector {
  const { name, format, url, everyMs } = settings;
  return {
    name,
    step: steps[format] ?? 'market',
    budget: null,
    check: async (client) => {
      const fetched = await fetchFile(client, requestOf(settings));
      const size = nounText(fetched?.bytes.length ?? 0, 'byte');
      return `Connected to ${url.host}. The file has ${size}.`;
    },
    plan: async ({ cursor, at }) => ({
      calls: [
        {
          subject: url.host,
          reason: cursor === null ? 'nothing has been fetched yet' : 'it may have changed',
          cost: 1,
          questions: [],
          ask: (client) => ask(client, settings, cursor),
        },
      ],
      nextAt: at + everyMs,
    }),
  };
}

async function ask(
  client: SourceClient,
  settings: HttpSettings,
  cursor: JsonValue,
): Promise<Answer> {
  const { name, format, mapping } = settings;
  const meaning = meaningOf(settings);
  const kept = asObject(cursor) ?? {};
  const unlessSame = kept.meaning === meaning ? validatorsIn(kept.validators) : noValidators;
  const fetched = await fetchFile(client, { ...requestOf(settings), unlessSame });
  if (fetched === null) return { files: [] };
  const { bytes, validators } = fetched;
  const file = { name: `${name}${endOf(settings.url, bytes)}`, bytes, format };
  return {
    files: [mapping === null ? file : { ...file, mapping }],
    cursor: { meaning, validators: keptValidators(validators) },
  };
}

function requestOf({ url, headers, hasSecret }: HttpSettings): SourceRequest {
  const sent = Object.entries(headers).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : value.reveal()];
  });
  const limits = { bytesMax, timeoutMs };
  return { url, headers: Object.fromEntries(sent), hidesErrors: hasSecret, ...limits };
}

/**
 * A hash of URL, format and mapping: if it changes, the file is imported again. Hashed because the
 * URL may contain a key.
 */
function meaningOf({ url, format, mapping }: HttpSettings): string {
  const columns = mapping === null ? '' : readFileSync(mapping, 'utf8');
  const hash = createHash('sha256').update(JSON.stringify([url.href, format, columns]));
  return hash.digest('hex').slice(0, 16);
}

/** The file extension: compression by content, the type by URL or else by content. */
function endOf({ pathname }: URL, bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return `${plainEnd(pathname, '.csv')}.gz`;
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return '.zip';
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .replace(/^\ufeff/, '')
    .trim();
  const guess = { '{': '.json', '[': '.json', '<': '.xml' }[first] ?? '.csv';
  return plainEnd(pathname, guess);
}

function plainEnd(pathname: string, guess: string): string {
  return knownEnd.exec(pathname.replace(/\.gz$/i, ''))?.[0].toLowerCase() ?? guess;
}
