/** A request over HTTP is answered in this process, and a fault of ours is told to nobody else. */
import { expect, test } from 'bun:test';
import { answerMcp } from './http.ts';

const message = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** Calls a tool; the API answers with this body. */
async function call(name: string, body: string) {
  const asked: string[] = [];
  const faults: unknown[] = [];
  const answer = await answerMcp({
    request: new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message(name)),
    }),
    message: message(name),
    key: 'bm_key',
    version: '1.2.3',
    fetch: async (url) => {
      asked.push(url);
      return new Response(body, { headers: { 'Content-Type': 'application/json' } });
    },
    onFault: (error) => faults.push(error),
  });
  return { asked, faults, status: answer.status, text: await answer.text() };
}

test('a fault of ours is reported, and the model reads nothing of it', async () => {
  const sales = '{"sales":[],"pagination":{"total":0,"limit":20,"offset":0,"has_more":false}}';
  const page = `{"success":true,"data":${sales}}`;
  const { asked, faults, text } = await call('my_sales', page);
  expect(asked.map((url) => new URL(url).origin)).toEqual(['http://localhost']);
  expect(faults).toEqual([new Error('my_sales made no call.')]);
  expect(text).toContain('-32603');
  expect(text).not.toContain('made no call');
});

test('a tool that does not exist is refused with the nearest name', async () => {
  const { asked, faults, text } = await call('my_sale', '{}');
  expect([asked, faults]).toEqual([[], []]);
  expect(text).toContain("There is no tool 'my_sale'");
  expect(text).toContain('my_sales');
});
