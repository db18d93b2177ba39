/** One account stalls two uploads in each of four networks, while another account uploads. */
import { connect } from 'node:net';
import { hiddenFields } from '../../test/support/owner-pages.ts';
import { network, onGround, say, seconds, tally } from './ground.ts';

const path = '/inventory/import';

export async function stalledUploads(): Promise<void> {
  const accounts = [{ email: 'slow@example.com' }, { email: 'new@example.com' }];
  await onGround({ accounts }, async ({ server, signIn }) => {
    const slow = await signIn('slow@example.com');
    const newcomer = await signIn('new@example.com');
    const headers = { Cookie: newcomer, 'X-Forwarded-For': network(9) };
    const page = await fetch(server.url + path, { headers });
    const fields = hiddenFields(await page.text());
    const sockets = [1, 2, 3, 4].flatMap((from) =>
      [1, 2].map(() => stall(server.url, slow, network(from))),
    );
    await Bun.sleep(1_000);
    const statuses: number[] = [];
    const times: number[] = [];
    for (let tries = 0; tries < 10; tries++) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('file', new File(['set_number\n1000\n'], 'lots.csv'));
      const asked = performance.now();
      const response = await fetch(server.url + path, {
        method: 'POST',
        body,
        headers: { ...headers, Origin: server.url },
        redirect: 'manual',
      });
      await response.text();
      statuses.push(response.status);
      times.push(performance.now() - asked);
    }
    say('Uploads of another account meanwhile', tally(statuses));
    say('Slowest of them', seconds(Math.max(...times)));
    for (const socket of sockets) socket.destroy();
  });
}

/** Sends the start of an upload, and nothing more. */
function stall(url: string, cookie: string, from: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Origin: ${url}`,
      `Cookie: ${cookie}`,
      `X-Forwarded-For: ${from}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 4000000',
      '',
      '--x',
    ].join('\r\n'),
  );
  return socket;
}
