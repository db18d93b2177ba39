/** The state of helper processes, for metrics. */
import { secondMs } from '../domain/kernel/time.ts';
import type { Metric } from './metrics-text.ts';

interface Helper {
  replaced: number;
  /** Null while there is no such process. */
  findSilentMs: (() => number) | null;
}

export class HelperHealth {
  private readonly helpers: Map<string, Helper>;

  constructor(names: readonly string[]) {
    this.helpers = new Map(names.map((name) => [name, { replaced: 0, findSilentMs: null }]));
  }

  /** Called when a process has started, or with null when it has ended. */
  watch(name: string, findSilentMs: (() => number) | null): void {
    const helper = this.helpers.get(name);
    if (helper) helper.findSilentMs = findSilentMs;
  }

  /** Called when a process is replaced because it stood still or died. */
  noteReplaced(name: string): void {
    const helper = this.helpers.get(name);
    if (helper) helper.replaced++;
  }

  /** 0 if there is no such process. */
  silentMsOf(name: string): number {
    return this.helpers.get(name)?.findSilentMs?.() ?? 0;
  }

  list(): Metric[] {
    const helpers = [...this.helpers];
    return [
      {
        name: 'brickmark_helper_replaced_total',
        type: 'counter',
        help: 'Helper processes replaced because they stood still or died.',
        samples: helpers.map(([helper, { replaced }]) => ({ labels: { helper }, value: replaced })),
      },
      {
        name: 'brickmark_helper_silent_seconds',
        type: 'gauge',
        help: 'Time since the last heartbeat of a helper process; 0 if there is none.',
        samples: helpers.map(([helper]) => ({
          labels: { helper },
          value: this.silentMsOf(helper) / secondMs,
        })),
      },
    ];
  }
}
