/** Requests over HTTP are answered in this process, without details of faults. */
import { expect, test } from 'bun:test';
import { answerMcp } from './http.ts';
import { tools } from './tools.ts';

const message = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** Calls a tool; the API answers with this body. */
const call = (name: string, body: string) => send(message(name), body);

/** Sends a message; the API answers with this body. */
async function send(message: object, body: string) {
  const asked: string[] = [];
  const faults: unknown[] = [];
  const answer = await answerMcp({
    request: new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    }),
    message,
    key: 'bm_key',
    version: '1.2.3',
    openBill: () => ({
      fetch: async (url) => {
        asked.push(url);
        return new Response(body, { headers: { 'Content-Type': 'application/json' } });
      },
      pay: async () => null,
    }),
    onFault: (error) => faults.push(error),
  });
  const { status, body: sent } = answer;
  return { asked, faults, status, hasBody: sent !== null, text: await answer.text() };
}

test('a fault is reported, and the model sees no details', async () => {
  const sales = '{"sales":[],"pagination":{"total":0,"limit":20,"offset":0,"has_more":false}}';
  const page = `{"success":true,"data":${sales}}`;
  const { asked, faults, text } = await call('my_sales', page);
  expect(asked.map((url) => new URL(url).origin)).toEqual(['http://localhost']);
  expect(faults).toEqual([new Error('my_sales made no call.')]);
  expect(text).toContain('-32603');
  expect(text).not.toContain('made no call');
});

test('an unknown tool is refused with a suggestion', async () => {
  const { asked, faults, text } = await call('my_sale', '{}');
  expect([asked, faults]).toEqual([[], []]);
  expect(text).toContain("There is no tool 'my_sale'");
  expect(text).toContain('my_sales');
});

test('Every tool only reads, and reads nothing but what Brickmark has', async () => {
  const { text } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, '{}');
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '');
  expect(result.tools).toHaveLength(tools.length);
  for (const { annotations } of result.tools) {
    expect(annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
  }
});

test('A notification is answered without a body', async () => {
  const sent = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(await send(sent, '{}')).toMatchObject({ status: 202, hasBody: false });
  expect(await call('my_sale', '{}')).toMatchObject({ status: 200, hasBody: true });
});
