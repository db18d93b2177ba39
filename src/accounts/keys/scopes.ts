/**
 * Scopes: what a key may be used for. A key has some of them, as bits of one number in the order of
 * the list: only ever append to it.
 */

export const scopes = ['market', 'portfolio', 'sales', 'events'] as const;
export type Scope = (typeof scopes)[number];

export const scopeTexts: Readonly<Record<Scope, string>> = {
  market: 'Sets, minifigures, values, history, retail prices, deals and bulk files',
  portfolio:
    'Your collections, holdings, purchase prices and buying settings; reads and changes your ' +
    'watchlists',
  sales: 'Your recorded sales',
  events:
    'Market events, as pages and as a stream; reads your webhooks, and changes them if the key ' +
    'also has portfolio',
};

/** The bits of scopes, in the order of the list. */
export function scopeBits(names: readonly Scope[]): number {
  return names.reduce((bits, name) => bits | (1 << scopes.indexOf(name)), 0);
}

export const allScopes: number = scopeBits(scopes);

export function scopeNames(bits: number): Scope[] {
  return scopes.filter((name) => hasScope(bits, name));
}

export function hasScope(bits: number, name: Scope): boolean {
  return (bits & scopeBits([name])) !== 0;
}

export function parseScope(text: string): Scope | null {
  return scopes.find((name) => name === text) ?? null;
}

/** Why a call is refused: names all scopes that the key lacks. */
export function missingScopesText(bits: number): string {
  const names = scopeNames(bits).map((name) => `'${name}'`);
  const [noun, it] = names.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  return `This key does not have the ${noun} ${names.join(' and ')}. Create a key that has ${it}.`;
}
