import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ConnectionCap } from './connection-cap.js';

describe(ConnectionCap, () => {
  it('given more connections than there may be, then the one that has been idle longest is closed', () => {
    const cap = new ConnectionCap(2);
    const sockets = opened(cap, 'a 1', 'a 2');
    expect(open(sockets)).toEqual(['a 1', 'a 2']);

    sockets.push(...opened(cap, 'b 1'));
    expect(open(sockets)).toEqual(['a 2', 'b 1']);

    sockets[0]?.emit('close', false);
    sockets.push(...opened(cap, 'b 2'));
    expect(open(sockets)).toEqual(['b 1', 'b 2']);
  });

  it('given requests that are over, then a connection counts as idle from the end of its last one', () => {
    const cap = new ConnectionCap(2);
    const sockets = opened(cap, 'a 1', 'a 2');
    for (const socket of sockets.toReversed()) cap.begun(socket)();

    sockets.push(...opened(cap, 'b 1'));

    expect(open(sockets)).toEqual(['a 1', 'b 1']);
  });

  it('given requests that go on, then their connections stay, and the newest goes if all others have one', () => {
    const cap = new ConnectionCap(2);
    const sockets = opened(cap, 'a 1', 'a 2');
    const [first, second] = sockets.map((socket) => [cap.begun(socket), cap.begun(socket)]);
    first?.[0]?.();

    sockets.push(...opened(cap, 'b 1'));
    expect(open(sockets)).toEqual(['a 1', 'a 2']);

    first?.[1]?.();
    second?.[1]?.();
    sockets.push(...opened(cap, 'b 2'));
    expect(open(sockets)).toEqual(['a 2', 'b 2']);
  });

  it('given a connection that was closed, then it counts no more, also where its request ends after it', () => {
    const cap = new ConnectionCap(1);
    const [gone] = opened(cap, 'a 1');
    const over = gone && cap.begun(gone);
    gone?.emit('close', false);
    expect(cap.isEmpty).toBe(true);

    over?.();

    expect(cap.isEmpty).toBe(true);
    expect(gone && cap.ageMs(gone)).toBe(0);
    expect(open(opened(cap, 'b 1'))).toEqual(['b 1']);
    expect(cap.isEmpty).toBe(false);
  });

  it('given a connection that was evicted, when its client comes again from the same port, then the new one stays as the old one ends', () => {
    const cap = new ConnectionCap(1);
    const [old] = opened(cap, 'a 1');
    const over = old && cap.begun(old);
    over?.();
    const again = opened(cap, 'b 1', 'a 1');

    old?.emit('close', false);
    over?.();

    expect(old?.isDestroyed).toBe(true);
    expect(open(again)).toEqual(['a 1']);
    expect(cap.isEmpty).toBe(false);
  });

  it('given a socket that nobody opened, then its requests count for nothing', () => {
    const cap = new ConnectionCap(1);
    const stranger = new AddressedSocket('a', 1);

    expect(() => cap.begun(stranger)()).not.toThrow();
    expect(cap.isEmpty).toBe(true);
    expect(cap.ageMs(stranger)).toBe(0);
  });

  it('given a connection, then its age is the time since it was opened, also for what TLS makes of its socket', () => {
    const cap = new ConnectionCap(2);
    const beforeMs = performance.now();
    opened(cap, 'a 1');
    const afterMs = performance.now();

    const asked = performance.now();
    const ageMs = cap.ageMs(new AddressedSocket('a', 1));

    expect(ageMs).toBeGreaterThanOrEqual(asked - afterMs);
    expect(ageMs).toBeLessThanOrEqual(performance.now() - beforeMs);
  });

  it('given connections that lost their addresses, then they count as one client, which no other one is', () => {
    const cap = new ConnectionCap(2);
    const nameless = new AddressedSocket(undefined, undefined);
    cap.opened(nameless);

    opened(cap, 'undefined 0', ' 1');

    expect(nameless.isDestroyed).toBe(true);
  });

  it('given connections with and without requests, then all of them are closed', () => {
    const cap = new ConnectionCap(2);
    const sockets = opened(cap, 'a 1', 'a 2');
    for (const socket of sockets.slice(0, 1)) cap.begun(socket);

    cap.closeAll();

    expect(open(sockets)).toEqual([]);
  });
});

/** A socket that is connected to nobody, with the address of a client. It closes when a spec says so. */
class AddressedSocket extends Socket {
  override readonly remoteAddress: string | undefined;
  override readonly remotePort: number | undefined;
  isDestroyed = false;

  constructor(address: string | undefined, port: number | undefined) {
    super();
    this.remoteAddress = address;
    this.remotePort = port;
  }

  override destroy(): this {
    this.isDestroyed = true;
    return this;
  }
}

function opened(cap: ConnectionCap, ...clients: readonly string[]): AddressedSocket[] {
  return clients.map((client) => {
    const [address = '', port] = client.split(' ');
    const socket = new AddressedSocket(address, Number(port));
    cap.opened(socket);
    return socket;
  });
}

/** The clients whose connections are open. */
function open(sockets: readonly AddressedSocket[]): readonly string[] {
  return sockets
    .filter(({ isDestroyed }) => !isDestroyed)
    .map(({ remoteAddress, remotePort }) => `${String(remoteAddress)} ${String(remotePort)}`);
}
