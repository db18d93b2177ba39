/** The requests that servers are loaded with: a line of `requests.lua` for each index. */
import type { BenchStore } from './store.ts';
import { zipf } from './wrk.ts';

export type RequestLine = (store: BenchStore, index: number) => string;

const batchSize = 100;
const pageSize = 50;
const pages = 95;

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
export const searchTerms = letters.flatMap((a) => letters.map((b) => a + b)).slice(0, 300);

export const getSet: RequestLine = ({ sets, keys }, index) =>
  `GET\t/api/v1/set/${zipf(sets, index)}\t${memberAt(keys, index)}`;

export const postBatch: RequestLine = ({ sets, keys }, index) => {
  const first = (index * batchSize) % (sets.length - batchSize);
  const body = JSON.stringify({ sets: sets.slice(first, first + batchSize) });
  return `POST\t/api/v1/catalog/batch\t${memberAt(keys, index)}\t${body}`;
};

/** Pages of a collection of 5,000 lots. */
export const getEntries: RequestLine = ({ collectorKeys }, index) => {
  const path = `/api/v1/brickfolio/entries?limit=${pageSize}&offset=${(index % pages) * pageSize}`;
  return `GET\t${path}\t${memberAt(collectorKeys, index)}`;
};

export const searchSets: RequestLine = ({ keys }, index) => {
  const path = `/api/v1/catalog/sets/search?q=${memberAt(searchTerms, index)}`;
  return `GET\t${path}\t${memberAt(keys, index)}`;
};

function memberAt(members: readonly string[], index: number): string {
  return members[index % members.length] ?? '';
}
