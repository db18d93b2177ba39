/** Sends raw bytes over TCP, for requests that HTTP clients refuse to send. */
import { connect } from 'node:net';

/** How long to wait for more data on an open connection. */
const moreMs = 500;

/** Reads until the server closes the connection or pauses; '' if nothing arrives in `waitMs`. */
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
