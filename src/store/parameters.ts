/** What every engine asks of parameters before they are replaced. */
import type { ParameterVersions } from '../domain/market/market-store.ts';

/** Names the parameters of one month. */
export type ParameterVersion = ParameterVersions['versions'][number];

/** Whether parameters are the old ones, perhaps with later months after them. */
export function goesOn(
  old: readonly ParameterVersion[],
  parameters: readonly ParameterVersion[],
): boolean {
  if (old.length === 0) return parameters.length === 0;
  return old.every(({ month, version }, index) => {
    const now = parameters[index];
    return now?.month === month && now.version === version;
  });
}
