/** Counts responses by status and checks each against the shape in the contract. */
import { errorTable } from '../../src/contract/errors.ts';

export interface Admitted {
  /** Number of responses by status; 0 stands for a failed connection. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Responses with status 200 or 404, which count against the quota. */
  readonly granted: number;
  readonly failed: number;
  /** Responses that violate the contract. */
  readonly misshapen: readonly string[];
}

export function countAnswers() {
  const statuses = new Map<number, number>();
  const misshapen: string[] = [];
  const of = (status: number) => statuses.get(status) ?? 0;
  return {
    async count(call: Promise<Response>): Promise<number> {
      const { status, body } = await call.then(
        async (response) => ({ status: response.status, body: await response.text() }),
        () => ({ status: 0, body: '' }),
      );
      statuses.set(status, of(status) + 1);
      if (status !== 0 && !isShaped(status, body))
        misshapen.push(`${status} ${body.slice(0, 200)}`);
      return status;
    },
    result: (): Admitted => ({
      statuses: new Map(statuses),
      granted: of(200) + of(404),
      failed: of(500) + of(0),
      misshapen: [...misshapen],
    }),
  };
}

function isShaped(status: number, text: string): boolean {
  try {
    const body = JSON.parse(text) as { data?: unknown; error?: { code?: string } };
    if (status === 200) return body.data !== undefined;
    const known = Object.entries(errorTable).find(([code]) => code === body.error?.code);
    return known?.[1].status === status;
  } catch {
    return false;
  }
}
