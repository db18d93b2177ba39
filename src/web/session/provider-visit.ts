/** The cookie of a visit to the identity provider: its seed, and the page to open afterwards. */

/** Random bytes in base64url. */
const seedLength = 43;

const nextLengthMax = 300;

/** The seed and the page, which is longer in base64url. */
export const visitLengthMax = seedLength + Math.ceil((nextLengthMax * 4) / 3);

/** A page that is too long is left out. */
export function packVisit(seed: string, next: string): string {
  const kept = next.length <= nextLengthMax ? next : '';
  return seed + Buffer.from(kept).toString('base64url');
}

export function unpackVisit(visit: string) {
  const next = Buffer.from(visit.slice(seedLength), 'base64url').toString();
  return { seed: visit.slice(0, seedLength), next };
}
