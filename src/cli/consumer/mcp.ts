/** `mcp`: an MCP server over stdio. Standard output has only the protocol. */
import { Brickmark } from '../../../clients/typescript/src/index.ts';
import { brickmarkVersion } from '../../config.ts';
import { connect } from './call-command.ts';
import { findConnection } from './connection.ts';
import { consumerCommand } from './consumer-command.ts';

export const mcpCommand = consumerCommand({
  name: 'mcp',
  summary: 'Run an MCP server over standard input and output, for AI apps',
  run: async (_, context) => {
    const connection = findConnection(context.environment);
    // For its warning that others could read the key.
    connect(connection, context);
    // Slow to load, and no other command needs it.
    const { serveMcp } = await import('../../mcp/stdio.ts');
    const deps = {
      version: brickmarkVersion,
      // One client per call, so that its budget is that of the call.
      makeClient: (signal: AbortSignal) => ({
        brickmark: new Brickmark({ ...connection, allowHttp: true, signal }),
      }),
      onFault: (error: unknown) => context.say(`Unexpected error: ${(error as Error).message}`),
    };
    const serving = serveMcp(deps, context.stdin);
    await Promise.race([serving.ended, context.untilShutdown()]);
    await serving.close();
  },
});
