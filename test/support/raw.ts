/** A raw TCP request, for what no HTTP client would send. */
import { connect } from 'node:net';

/** How long more of an answer is waited for on a connection that stays open. */
const moreMs = 500;

/** Sends text to a server and reads until it closes or says no more; nothing for a while is ''. */
export function sendRaw(url: string, text: string, waitMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    let timer = setTimeout(finish, waitMs);
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk));
      clearTimeout(timer);
      timer = setTimeout(finish, moreMs);
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });
}
