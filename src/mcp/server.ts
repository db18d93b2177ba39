/** The MCP server: lists and calls tools. It keeps no state between calls. */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { allErrors } from '../contract/errors.ts';
import { nameHintEnd } from '../contract/nearest.ts';
import { publicSchema } from '../contract/schema.ts';
import { shortText } from '../kernel/text.ts';
import { briefInput, outline } from './brief-schema.ts';
import { compileTool, type ToolClient } from './call.ts';
import { describeTool, outputSchema, type Tool } from './tool.ts';
import { tools } from './tools.ts';

export interface McpDeps {
  readonly version: string;
  /** A client for one tool call, aborted by the signal. */
  makeClient(signal: AbortSignal): ToolClient;
  /** Runs the calls of a tool in turn; at once by default. */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  onFault(error: unknown): void;
}

/** How long clients may cache what changes only with the program. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const instructions =
  'Brickmark has data on LEGO sets and minifigures: market values with ranges, monthly history, ' +
  "retail prices, deals, max buy prices, and the user's own collection and sales. Values are " +
  'computed from sales; they are not quotes. All money is in US dollars. All tools are ' +
  'read-only. Calls count against a daily allowance: the description of each tool has its cost, ' +
  'and each result has the calls left. Find numbers with find_items, then request many items at ' +
  'once.';

const callTools = new Map(tools.map((tool) => [tool.name, compileTool(tool)]));
const toolNames = [...callTools.keys()];
const listed = tools.map(listedTool);

/** For one connection, or one request. */
export function makeMcpServer({ version, makeClient, inTurn, onFault }: McpDeps): Server {
  const run = inTurn ?? ((work) => work());
  const server = new Server(
    { name: 'brickmark', title: 'Brickmark', version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'server/discover': cacheHint },
    },
  );
  // The hint is part of the list, because the library would otherwise mark the list with a symbol,
  // and objects with symbols take five times as long to serialize.
  server.setRequestHandler('tools/list', () => ({ tools: listed, ...cacheHint }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = callTools.get(params.name);
    if (!call) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool '${shortText(params.name)}'${nameHintEnd(params.name, toolNames)}`,
      );
    }
    const { signal } = context.mcpReq;
    try {
      return await run(() => call(params.arguments, makeClient(signal)));
    } catch (error) {
      // The client has canceled the call.
      if (!signal.aborted) onFault(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, allErrors.InternalError.example);
    }
  });
  return server;
}

function listedTool(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: describeTool(tool),
    inputSchema: briefInput(publicSchema<object>(tool.input)) as { type: 'object' },
    outputSchema: outline(outputSchema(tool)) as { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  };
}
