/** MCP over standard input and output, for apps that start a program. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type McpDeps, makeMcpServer } from './server.ts';

/** Answers over standard input and output, in the generation that the app begins with. */
export function serveMcp(deps: McpDeps): { close(): Promise<void> } {
  return serveStdio(() => makeMcpServer(deps), { onerror: deps.onFault });
}
