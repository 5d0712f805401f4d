import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A door before a real server: shut, it resets whoever is inside and whoever knocks. */
export async function startTcpProxy(t: Test, target: string) {
  const { hostname, port } = new URL(target);
  const inside = new Set<Socket>();
  let isShut = false;
  let refused = 0;

  const door = createServer((guest) => {
    guest.on('error', () => undefined);
    if (isShut) {
      refused += 1;
      return guest.resetAndDestroy();
    }
    const host = connect(Number(port), hostname);
    host.on('error', () => guest.destroy());
    inside.add(guest);
    guest.on('close', () => {
      inside.delete(guest);
      host.destroy();
    });
    host.on('close', () => guest.destroy());
    guest.pipe(host).pipe(guest);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const shut = () => {
    isShut = true;
    for (const guest of inside) guest.resetAndDestroy();
  };
  t.teardown(() => {
    shut();
    door.close();
  });
  const address = door.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const url = new URL(target);
  url.port = String(address.port);
  return {
    url: url.href,
    shut,
    open: () => {
      isShut = false;
    },
    refused: () => refused,
  };
}
