/** Four tools of three calls at once, with four calls left. */
import { Brickmark } from '../../clients/typescript/src/index.ts';
import { callTool, connectHttp } from '../../test/support/mcp.ts';
import { onGround, say, tally } from './ground.ts';

export async function mcpTools(): Promise<void> {
  const email = 'a@example.com';
  await onGround({ accounts: [{ email, allowance: 4 }] }, async ({ server, keys: [key = ''] }) => {
    const client = await connectHttp(server.url, key);
    const results = await Promise.all(
      Array.from({ length: 4 }, () => callTool(client, 'my_portfolio')),
    );
    const { remaining } = await new Brickmark({ url: server.url, key }).plus.getUsage();
    say('Results', tally(results.map(({ isError }) => (isError ? 'refused' : 'answered'))));
    say('Calls left of 4', remaining);
    await client.close();
  });
}
