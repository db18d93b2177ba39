/** A raw TCP request, for what no HTTP client would send. */
import { connect } from 'node:net';

/** Sends text to a server and reads until it closes, or for a while. */
export function sendRaw(url: string, text: string, waitMs = 500): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on('end', finish);
    socket.on('error', reject);
    setTimeout(finish, waitMs);
  });
}
