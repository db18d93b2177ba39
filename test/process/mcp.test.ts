/** `brickmark mcp` in a child process, started by the official client as AI apps do. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '../../src/mcp/tools.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallMarket } from '../support/market.ts';
import { callTool, makeClient, protocolVersions } from '../support/mcp.ts';
import { untilGone } from '../support/processes.ts';
import { programCommand } from '../support/program.ts';
import { startWorld, type World } from '../support/world.ts';

const email = 'agent@example.com';
let world: World;
let program: readonly string[];

beforeAll(async () => {
  [world, program] = await Promise.all([startWorld(), programCommand()]);
  await world.load(smallMarket);
  await world.addAccount(email);
});

afterAll(() => world.close());

/** Starts the command with only these settings in its environment. */
function start(settings: Readonly<Record<string, string>>): StdioClientTransport {
  const [command = '', ...args] = program;
  const env = { BRICKMARK_CONFIG: '/nowhere', ...settings };
  return new StdioClientTransport({ command, args: [...args, 'mcp'], env, stderr: 'pipe' });
}

describe.each([protocolVersions[0], protocolVersions[2]])('an app of %s', (version) => {
  let client: Client;
  let transport: StdioClientTransport;

  beforeAll(async () => {
    const key = await world.addKey(email, { allowance: 3 });
    client = makeClient(version);
    transport = start({ BRICKMARK_URL: world.url, BRICKMARK_KEY: key });
    await client.connect(transport);
  });

  test('lists the tools, and calls them concurrently at the same cost', async () => {
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const results = await Promise.all([
      callTool(client, 'get_values', { sets: ['75192'] }),
      callTool(client, 'retail_prices', { set: '75192' }),
      callTool(client, 'value_history', { set: '75192' }),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(results.map(({ data }) => data.budget.remaining).toSorted()).toEqual([0, 1, 2]);
    expect(results[0]?.text).toContain(
      '- 75192 Grand Castle (Castle, retired, MSRP $149.99): new $',
    );
  });

  test('gets an error when the key is exhausted, at no cost', async () => {
    const { isError, text } = await callTool(client, 'my_sales');
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining('No tool works until then (2026-11-16T00:00:00.000Z).'),
    });
  });

  test('gets an error when the key was revoked', async () => {
    const keys = (await world.store.accounts.listKeys(email, world.now)) ?? [];
    for (const { id } of keys) await keysById(world.store.accounts).revokeKey(id, world.now);
    const { isError, text } = await callTool(client, 'my_sales');
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining('This API key is not valid. It may be mistyped, expired or'),
    });
  });

  test('ends the program by closing its input', async () => {
    const pid = transport.pid ?? 0;
    await client.close();
    await untilGone([pid]);
  });
});

test('requests sent before the input is closed are answered', async () => {
  const [command = '', ...args] = program;
  const key = await world.addKey(email);
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'get_values', arguments: { sets: ['75192'] } },
  });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const messages = [{ jsonrpc: '2.0', id: 0, method: 'initialize', params }, call(1), call(2)];
  const child = Bun.spawn([command, ...args, 'mcp'], {
    env: { BRICKMARK_CONFIG: '/nowhere', BRICKMARK_URL: world.url, BRICKMARK_KEY: key },
    stdin: Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    stdout: 'pipe',
  });
  const answers = await new Response(child.stdout).text();
  expect(answers.match(/"structuredContent":/g)).toHaveLength(2);
  expect(await child.exited).toBe(0);
});

test('without a server and a key it prints one sentence and ends with status 1', () => {
  const [command = '', ...args] = program;
  const { exitCode, stdout, stderr } = Bun.spawnSync([command, ...args, 'mcp'], {
    env: { BRICKMARK_CONFIG: '/nowhere' },
    stdin: 'ignore',
  });
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr.toString()).toBe(
    "Not logged in. Run 'brickmark login URL', or set BRICKMARK_URL and BRICKMARK_KEY.\n",
  );
});
