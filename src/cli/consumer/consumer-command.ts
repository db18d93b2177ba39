/** Commands for key holders: they call a server, and use neither a store nor its settings. */
import type { Clock } from '../../kernel/time.ts';
import type { Terminal } from '../command.ts';
import {
  type Arguments,
  type CommandSummary,
  type Flags,
  type Input,
  type Nothing,
  type Operands,
  readInput,
} from '../row.ts';

export interface ConsumerContext extends Omit<Terminal, 'print' | 'lowerPriority'> {
  readonly clock: Clock;
}

/** A command with its types erased, for parsing, help and completion. */
export interface ConsumerCommand extends CommandSummary {
  readonly audience: 'consumer';
  run(typed: Arguments, context: ConsumerContext): Promise<void>;
}

/** A command whose `run` gets values of the types that its operands and flags declare. */
export interface ConsumerRow<O extends Operands, F extends Flags>
  extends Omit<CommandSummary, 'operands' | 'flags'> {
  readonly operands?: O;
  readonly flags?: F;
  run(input: Input<O, F>, context: ConsumerContext): Promise<void>;
}

export function consumerCommand<
  const O extends Operands = Nothing,
  const F extends Flags = Nothing,
>(row: ConsumerRow<O, F>): ConsumerCommand {
  const { operands = {} as O, flags = {} as F, run, ...rest } = row;
  return {
    ...rest,
    audience: 'consumer',
    operands,
    flags,
    run: (typed, context) => run(readInput({ operands, flags }, typed, context.clock()), context),
  };
}

/** Flags of every command for key holders. */
export const consumerFlags: Flags = { help: { help: 'Show help for this command' } };
