/** Counts answers, and looks whether each is in the contract's shape. */
import { errorTable } from '../../src/contract/errors.ts';

/** What came back. */
export interface Admitted {
  /** By status; 0 where there was no answer at all. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Answers 200 and 404: those that cost. */
  readonly granted: number;
  readonly failed: number;
  /** Answers that are not what the contract says. */
  readonly misshapen: readonly string[];
}

/** A counter for any number of answers. */
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
