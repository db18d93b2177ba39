/** Addresses as the system hands them over, read as people write them. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { addressOf, portOf } from './open-sockets.ts';

/** A `sockaddr` of a family, with a port, and with bytes from a place on. */
function sockaddr(family: number, port: number, at: number, bytes: readonly number[]): DataView {
  const view = new DataView(new ArrayBuffer(128));
  view.setUint16(0, family, true);
  view.setUint16(2, port);
  for (const [index, byte] of bytes.entries()) view.setUint8(at + index, byte);
  return view;
}

const v4 = sockaddr(2, 8080, 4, [203, 0, 113, 7]);
const v6 = (bytes: readonly number[]) => sockaddr(10, 443, 8, bytes);
const zeros = (count: number) => Array<number>(count).fill(0);

test('an IPv4 address has dots', () => {
  expect([addressOf(v4), portOf(v4)]).toEqual(['203.0.113.7', 8080]);
});

test('an IPv6 address has eight groups of hexadecimal digits', () => {
  const address = v6([0x20, 0x01, 0x0d, 0xb8, ...zeros(6), 0xfe, 0xdc, 0, 0, 0xab, 0xcd]);
  expect([addressOf(address), portOf(address)]).toEqual(['2001:db8:0:0:0:fedc:0:abcd', 443]);
});

test('an IPv4-mapped IPv6 address has dots, and a similar one has not', () => {
  expect(addressOf(v6([...zeros(10), 0xff, 0xff, 203, 0, 113, 7]))).toBe('203.0.113.7');
  expect(addressOf(v6([...zeros(10), 0xff, 0xfe, 203, 0, 113, 7]))).toBe(
    '0:0:0:0:0:fffe:cb00:7107',
  );
  expect(addressOf(v6([...zeros(9), 1, 0xff, 0xff, 1, 2, 3, 4]))).toBe('0:0:0:0:1:ffff:102:304');
});

test('other addresses have no port', () => {
  expect(portOf(sockaddr(1, 8080, 4, []))).toBeNull();
});

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux)('descriptors are listed up to the limit, which is known', () => {
  const sockets = JSON.stringify(join(import.meta.dir, 'open-sockets.ts'));
  const program = `
    import { openSync } from 'node:fs';
    import { openSockets } from ${sockets};
    const { listDescriptors, findDescriptorsMax } = openSockets();
    const found = listDescriptors();
    let failure = null;
    while (failure === null) {
      try { openSync('/dev/null'); } catch (error) { failure = error.code; }
    }
    const told = [found.includes(1), failure, listDescriptors(), findDescriptorsMax()];
    console.log(JSON.stringify(told));
  `;
  const limited = ['sh', '-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '-e', program];
  const { stdout, stderr } = Bun.spawnSync(limited);
  expect(stderr.toString()).toBe('');
  expect(JSON.parse(stdout.toString())).toEqual([true, 'EMFILE', null, 100]);
});
