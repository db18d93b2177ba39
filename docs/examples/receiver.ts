/**
 * Receives webhooks from Brickmark: verifies each message, stores it once, and responds.
 * Needs Node and no packages: `node receiver.ts` with Node 22.18 or later, else
 * `npx tsx receiver.ts`.
 *
 *     BRICKMARK_WEBHOOK_SECRET=whsec_... node receiver.ts 8787 inbox.ndjson
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const [port = '8787', inboxPath = 'inbox.ndjson'] = process.argv.slice(2);
const secret = Buffer.from(
  (process.env.BRICKMARK_WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''),
  'base64',
);
if (secret.length < 24) throw new Error('Set BRICKMARK_WEBHOOK_SECRET to your whsec_ secret.');

const toleranceSeconds = 5 * 60;
const bodyBytesMax = 1_000_000;

/** Whether the message was recently signed with our secret (Standard Webhooks 1.0). */
function isSigned(headers: IncomingMessage['headers'], body: Buffer): boolean {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  );
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (id === '' || !(ageSeconds <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  // For 24 hours after a rotation there are two signatures; one match is enough.
  return signatures.split(' ').some((each) => {
    const [version, given = ''] = each.split(',');
    const bytes = Buffer.from(given, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** The IDs of all messages in the inbox, a file with one message per line. */
function readIds(): Set<string> {
  if (!existsSync(inboxPath)) return new Set();
  const bytes = readFileSync(inboxPath);
  // A line cut off by a crash was never acknowledged, so its message will be sent again.
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(inboxPath, end);
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  return new Set(lines.map((line) => JSON.parse(line).id));
}

const ids = readIds();
const inbox = openSync(inboxPath, 'a');

/** Stores a message that is not in the inbox yet. If that fails, the process exits: no response. */
function keep(id: string, body: Buffer): void {
  if (ids.has(id)) return;
  appendFileSync(inbox, `${JSON.stringify({ id, message: JSON.parse(body.toString()) })}\n`);
  fsyncSync(inbox);
  ids.add(id);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyBytesMax) return void response.writeHead(413).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) return void response.writeHead(401).end();
  keep(String(request.headers['webhook-id']), body);
  // Respond first: do slow work in another process that reads the inbox.
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    // If the connection is lost, the message will be sent again.
    if (request.readableAborted) return;
    throw error;
  });
});
server.listen(Number(port), () => {
  const address = server.address();
  console.log(`Receiving on port ${typeof address === 'object' ? address?.port : port}.`);
});
