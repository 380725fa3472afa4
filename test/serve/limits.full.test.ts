import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { clientAddress } from '../../shim/node/client-address.ts';
import { createLog } from '../../shim/node/log.ts';
import type { Limits } from '../../shim/node/options.ts';
import { createSiteServer } from '../../shim/node/server.ts';
import { exampleSite, hugeExport, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import type { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

const ask = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;

/** A connection that records the bytes received and how it ended. */
class Talk {
  readonly socket: Socket;
  readonly closed: Promise<number>;
  received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    const started = performance.now();
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve(performance.now() - started)));
  }

  get answers(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
  }
}

/** The server of serve.ts in this process, because serve.ts has no options for its timeouts. */
async function serveWith(disk: SiteOnDisk, limits: Partial<Limits>) {
  const { log, close } = createLog('silent', 'json');
  const { server, stop } = createSiteServer({
    dist: disk.folder,
    baseUrl: null,
    log,
    clientAddress: clientAddress([]),
    limiter: null,
    cursorSecrets: ['a secret of the tests'],
    withMetrics: false,
    limits: { connectionsCheckingInterval: 50, ...limits },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    await stop(0);
    await close();
  });
  return (server.address() as AddressInfo).port;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('times', () => {
  test('a head that never ends is a 408 and the end of the connection', async () => {
    const talk = new Talk(await serveWith(plain, { headersTimeout: 300 }));
    talk.socket.write('GET /v1 HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => talk.socket.write('X: y\r\n'), 50);
    const took = await talk.closed;
    clearInterval(drip);
    expect(talk.answers).toEqual(['408']);
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(3000);
  });

  test('so is a connection that says nothing', async () => {
    const talk = new Talk(await serveWith(plain, { headersTimeout: 300 }));
    expect(await talk.closed).toBeLessThan(3000);
  });

  test('a connection is closed if no further request comes', async () => {
    const talk = new Talk(await serveWith(plain, { keepAliveTimeout: 200 }));
    talk.socket.write(ask('/v1'));
    expect(await talk.closed).toBeLessThan(5000);
    expect(talk.answers).toEqual(['200']);
  });

  test.each([{ idleTimeout: 1500 }, { stallTimeout: 1500 }])(
    'a reader that stops is given up, a slow one is not: %j',
    async (limits) => {
      const port = await serveWith(huge, limits);
      const [stuck, slow] = [new Talk(port), new Talk(port)];
      for (const talk of [stuck, slow]) talk.socket.pause().write(ask(hugeExportPath, 'Connection: close\r\n'));
      let pausing: NodeJS.Timeout | undefined;
      const step = setInterval(() => {
        slow.socket.resume();
        pausing = setTimeout(() => slow.socket.pause(), 5);
      }, 100);
      await new Promise((resolve) => setTimeout(resolve, 4500));
      clearInterval(step);
      clearTimeout(pausing);
      for (const talk of [stuck, slow]) talk.socket.resume();
      await Promise.all([stuck.closed, slow.closed]);
      expect(stuck.received.length).toBeLessThan(hugeExport.length);
      expect(slow.received.length).toBeGreaterThan(hugeExport.length);
    },
  );
});

describe('a client that takes nothing of an answer', () => {
  test('is given up although it keeps sending', async () => {
    const talk = new Talk(await serveWith(huge, { stallTimeout: 600 }));
    talk.socket.pause().write(ask(hugeExportPath));
    const drip = setInterval(() => talk.socket.write(ask('/v1')), 20);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    clearInterval(drip);
    talk.socket.resume();
    await talk.closed;
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });

  test.runIf(process.platform === 'linux')(
    'is kept if it takes a little, before the system has room again',
    async () => {
      const port = await serveWith(huge, { stallTimeout: 2500 });
      const [stuck, slow] = [new Talk(port), new Talk(port)];
      for (const { socket } of [stuck, slow]) socket.pause().write(ask(hugeExportPath, 'Connection: close\r\n'));
      const read = setInterval(() => slow.socket.read(Math.min(slow.socket.readableLength, 16_384)), 50);
      await new Promise((resolve) => setTimeout(resolve, 7000));
      clearInterval(read);
      for (const { socket } of [stuck, slow]) socket.resume();
      await Promise.all([stuck.closed, slow.closed]);
      expect(stuck.received.length).toBeLessThan(hugeExport.length);
      expect(slow.received.length).toBeGreaterThan(hugeExport.length);
    },
  );
});

describe('bodies', () => {
  const closes = /\r\nConnection: close\r\n/;

  test.each([
    ['of a length', 'Content-Length: 5\r\n', `hello${ask('/v1/metadata')}`],
    ['that is huge', 'Content-Length: 100000000000\r\n', 'x'.repeat(100_000)],
    ['that never comes', 'Content-Length: 5\r\n', ''],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', `5\r\nhello\r\n0\r\n\r\n${ask('/v1/metadata')}`],
    ['that waits for permission', 'Content-Length: 5\r\nExpect: 100-continue\r\n', ''],
  ])('one %s is not waited for, and ends the connection', async (_, fields, body) => {
    const talk = new Talk(await serveWith(plain, {}));
    talk.socket.write(ask('/v1', fields) + body);
    expect(await talk.closed).toBeLessThan(5000);
    expect(talk.answers).toEqual(['200']);
    expect(talk.received).toMatch(closes);
  });

  test('a POST is refused without reading its body', async () => {
    const talk = new Talk(await serveWith(plain, {}));
    talk.socket.write('POST /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000000\r\n\r\n');
    await talk.closed;
    expect(talk.answers).toEqual(['405']);
  });

  test('without one, the connection stays open, whatever else is expected', async () => {
    const talk = new Talk(await serveWith(plain, {}));
    talk.socket.write(ask('/v1', 'Content-Length: 0\r\n') + ask('/v1', 'Expect: a-miracle\r\n') + ask('/v1'));
    expect(await eventually(() => talk.answers.length === 3)).toBe(true);
    expect(talk.answers).toEqual(['200', '200', '200']);
    talk.socket.destroy();
  });
});

describe('requests sent ahead', () => {
  test('beyond the limit are not accepted, and the others are answered before the connection ends', async () => {
    const port = await serveWith(huge, { maxWaitingRequests: 4 });
    const [patient, flood, quick] = [new Talk(port), new Talk(port), new Talk(port)];
    patient.socket.write(ask('/v1').repeat(4) + ask('/v1', 'Connection: close\r\n'));
    flood.socket.write(ask(hugeExportPath) + ask('/v1').repeat(20_000));
    quick.socket.write(ask('/v1').repeat(6));
    await Promise.all([patient.closed, flood.closed, quick.closed]);
    expect(patient.answers).toHaveLength(5);
    expect(flood.answers).toHaveLength(5);
    expect(flood.received).toContain(hugeExport.toString('latin1'));
    expect(flood.received.match(/\r\nConnection: close\r\n/gi)).toHaveLength(1);
    expect(quick.answers).toHaveLength(5);
  });

  test.each([
    ['bytes that are not a request', 'NONSENSE\r\n\r\n'],
    ['a request that never ends', 'GET /v1 HTTP/1.1\r\nHost:'],
  ])('followed by %s are all answered, and nothing is mixed into their answers', async (_, bytes) => {
    const talk = new Talk(await serveWith(huge, { headersTimeout: 300 }));
    talk.socket.pause().write(`${ask(hugeExportPath)}${ask('/v1')}${bytes}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    talk.socket.resume();
    await talk.closed;
    expect(talk.answers).toEqual(['200', '200']);
    expect(talk.received).toContain(hugeExport.toString('latin1'));
  });

  test('followed by a request for a tunnel are treated the same', async () => {
    const talk = new Talk(await serveWith(huge, {}));
    talk.socket.write(`${ask(hugeExportPath)}CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n`);
    await talk.closed;
    expect(talk.received).not.toContain('405');
  });
});

describe('a client that closes its half of the connection after asking', () => {
  test('gets a large answer whole, and then the end of the connection', async () => {
    const talk = new Talk(await serveWith(huge, {}));
    talk.socket.end(ask(hugeExportPath));
    await talk.closed;
    expect(talk.answers).toEqual(['200']);
    expect(talk.received.endsWith(hugeExport.toString('latin1'))).toBe(true);
  });

  test('gets the answer to a HEAD', async () => {
    const talk = new Talk(await serveWith(huge, {}));
    talk.socket.end(ask(hugeExportPath).replace('GET', 'HEAD'));
    await talk.closed;
    expect(talk.received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nContent-Length: 32000000\r\n[\s\S]*\r\n\r\n$/);
  });

  test('has its connection closed at once if no answer is on its way', async () => {
    const port = await serveWith(plain, {});
    const [silent, answered] = [new Talk(port), new Talk(port)];
    silent.socket.end();
    answered.socket.write(ask('/v1'));
    expect(await eventually(() => answered.answers.length === 1)).toBe(true);
    answered.socket.end();
    for (const talk of [silent, answered]) expect(await talk.closed).toBeLessThan(5000);
  });

  test('and does not read is given up like any other', async () => {
    const talk = new Talk(await serveWith(huge, { idleTimeout: 300 }));
    talk.socket.pause().end(ask(hugeExportPath));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    talk.socket.resume();
    await talk.closed;
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });

  test('and vanishes leaves no file open', async () => {
    await using server = await RunningServer.start([huge.folder]);
    await server.get(hugeExportPath, {}, 'HEAD');
    const quiet = server.openFiles();
    for (let i = 0; i < 10; i++) {
      const { socket } = new Talk(server.port);
      socket.pause().end(ask(hugeExportPath) + ask('/v1'));
      await once(socket, 'finish');
      await new Promise((resolve) => setTimeout(resolve, i * 3));
      socket.resetAndDestroy();
    }
    expect(await eventually(() => server.openFiles() <= quiet)).toBe(true);
    expect(server.complaints).toEqual([]);
  });
});

describe('connections', () => {
  test('over --max-connections are closed silently, and there is room again when one ends', async () => {
    await using server = await RunningServer.start([plain.folder, '--max-connections', '2']);
    const kept = [new Talk(server.port), new Talk(server.port)];
    for (const { socket } of kept) socket.write(ask('/v1'));
    expect(await eventually(() => kept.every(({ answers }) => answers.length === 1))).toBe(true);
    const third = new Talk(server.port);
    third.socket.write(ask('/v1'));
    expect(await third.closed).toBeLessThan(5000);
    expect(third.received).toBe('');
    kept[0]?.socket.destroy();
    expect(
      await eventually(async () => (await server.raw(ask('/v1', 'Connection: close\r\n'))).includes(' 200 ')),
    ).toBe(true);
    kept[1]?.socket.destroy();
  });

  test('a client that resets its connection does no harm', async () => {
    await using server = await RunningServer.start([huge.folder]);
    const beginnings = [ask(hugeExportPath), 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'NONSENSE', ask('/v1'), ''];
    for (const beginning of beginnings.flatMap((one) => [one, one, one])) {
      const { socket } = new Talk(server.port);
      await once(socket, 'connect');
      socket.write(beginning);
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resetAndDestroy();
    }
    expect((await server.get('/v1')).status).toBe(200);
    expect(server.complaints).toEqual([]);
  });
});
