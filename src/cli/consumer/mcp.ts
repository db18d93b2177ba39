/** `mcp`: tools for AI apps that start a program. Standard output has nothing but the protocol. */
import { Brickmark } from '../../client/index.ts';
import { brickmarkVersion } from '../../config.ts';
import { takeWords } from '../command.ts';
import { connect } from './asking.ts';
import { findConnection } from './connection.ts';
import type { ConsumerCommand } from './consumer-command.ts';

/** The mcp command. */
export const mcpCommand: ConsumerCommand = {
  audience: 'consumer',
  name: 'mcp',
  operands: '',
  summary: 'Run an MCP server over standard input and output, for AI apps',
  flags: {},
  run: async (args, context) => {
    takeWords(args, []);
    const connection = findConnection(context.environment);
    // Says so where others could read the key.
    connect(connection, context);
    // What speaks the protocol takes a while to load, and no other command needs it.
    const { serveMcp } = await import('../../mcp/stdio.ts');
    const deps = {
      version: brickmarkVersion,
      // One for each call: its budget is that of the call.
      makeClient: (signal: AbortSignal) =>
        new Brickmark({ ...connection, allowHttp: true, signal }),
      onFault: (error: unknown) => context.say(`Unexpected error: ${(error as Error).message}`),
    };
    const serving = serveMcp(deps, context.stdin);
    await Promise.race([serving.ended, context.untilShutdown()]);
    await serving.close();
  },
};
