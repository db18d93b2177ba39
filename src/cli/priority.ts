/** Long work gives way to the server that may run beside it. */
import { constants, setPriority } from 'node:os';

/** Lowers the priority of this process: what serves comes first, also on a busy machine. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where that is not allowed, the work is done all the same.
  }
}
