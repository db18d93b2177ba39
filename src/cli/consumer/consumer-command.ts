/** Commands for whoever has a key: they ask a server, and need neither a store nor its settings. */
import type { Clock } from '../../domain/kernel/time.ts';
import type { Arguments, Flag, Terminal } from '../command.ts';

/** What such a command works with. */
export interface ConsumerContext extends Omit<Terminal, 'print' | 'lowerPriority'> {
  readonly clock: Clock;
}

/** A command that a key holder types. */
export interface ConsumerCommand {
  readonly audience: 'consumer';
  /** The words that name it, such as `get set`. */
  readonly name: string;
  /** The words that follow, such as `NUMBER…`. */
  readonly operands: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
  run(args: Arguments, context: ConsumerContext): Promise<void>;
}

/** Flags that go with every such command. */
export const consumerFlags: Readonly<Record<string, Flag>> = {
  help: { help: 'Show help for this command' },
};
