import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exampleSite, hugeExport, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import { siteServer } from './site-server.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

const ask = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;

/** A connection that records the bytes received. */
class Talk {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  get answers(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
  }

  /** Reads what has arrived, after the server has closed a connection that was paused. */
  async readRest(): Promise<void> {
    this.socket.resume();
    await this.closed;
  }
}

/**
 * Connects, and resolves with both ends of the connection. A client that does not read does not notice its end, so
 * `released` resolves when the server has closed it.
 */
async function talkTo(server: Server) {
  const accepted = once(server, 'connection');
  const talk = new Talk((server.address() as AddressInfo).port);
  const [serverEnd]: Socket[] = await accepted;
  const released = new Promise((resolve) => serverEnd?.once('close', resolve));
  return { talk, serverEnd, released };
}

/** Limits with which no time closes a connection. */
const timeless = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0, idleTimeout: 0 };

describe('times', () => {
  test('a head that never ends is a 408 and the end of the connection', async () => {
    const { server } = await siteServer(plain, { ...timeless, headersTimeout: 300 });
    const { talk } = await talkTo(server);
    talk.socket.write('GET /v1 HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => talk.socket.write('X: y\r\n'), 50);
    await talk.closed;
    clearInterval(drip);
    expect(talk.answers).toEqual(['408']);
  });

  test('so is a connection that says nothing', async () => {
    const { server } = await siteServer(plain, { ...timeless, headersTimeout: 300 });
    const { talk } = await talkTo(server);
    await talk.closed;
    expect(talk.answers).toEqual(['408']);
  });

  test('a connection is closed if no further request comes', async () => {
    const { server } = await siteServer(plain, { ...timeless, keepAliveTimeout: 200 });
    const { talk } = await talkTo(server);
    talk.socket.write(ask('/v1'));
    await talk.closed;
    expect(talk.answers).toEqual(['200']);
  });

  test('a reader that stops is given up, a slow one is not', async () => {
    const { server } = await siteServer(huge, timeless);
    const [stuck, slow] = [await talkTo(server), await talkTo(server)];
    for (const { talk, serverEnd } of [stuck, slow]) {
      talk.socket.write(ask(hugeExportPath, 'Connection: close\r\n'));
      await once(talk.socket, 'data');
      talk.socket.pause();
      // Earlier there is no traffic for as long as it takes to verify the file.
      serverEnd?.setTimeout(1500);
    }
    const { socket } = slow.talk;
    // At each turn the slow one takes enough for the system to have room again.
    let before = 0;
    const pausing = () => {
      if (slow.talk.received.length < before + 1_500_000) return;
      before = slow.talk.received.length;
      socket.pause();
    };
    socket.on('data', pausing);
    const reading = setInterval(() => socket.resume(), 250);
    await stuck.released;
    clearInterval(reading);
    socket.off('data', pausing);
    expect(slow.serverEnd?.destroyed).toBe(false);
    await Promise.all([stuck.talk.readRest(), slow.talk.readRest()]);
    expect(stuck.talk.received.length).toBeLessThan(hugeExport.length);
    expect(slow.talk.received.endsWith(hugeExport.toString('latin1'))).toBe(true);
  });

  test.each([
    ['requests', '', '', ask('/v1')],
    ['fields of the next request', '', 'GET /v1 HTTP/1.1\r\n', 'X: y\r\n'],
    ['a body', 'Content-Length: 100000000000\r\n', '', 'x'],
  ])('a reader that stops is given up although it keeps sending %s', async (_, fields, next, bytes) => {
    const { server } = await siteServer(huge, { ...timeless, headersTimeout: 1000, requestTimeout: 1000 });
    const { talk, serverEnd, released } = await talkTo(server);
    talk.socket.write(ask(hugeExportPath, fields));
    await Promise.race([once(talk.socket, 'data'), released]);
    serverEnd?.setTimeout(500);
    talk.socket.pause().write(next);
    const drip = setInterval(() => talk.socket.write(bytes), 20);
    await released;
    clearInterval(drip);
    await talk.readRest();
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });
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
    const { server } = await siteServer(plain, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask('/v1', fields) + body);
    await talk.closed;
    expect(talk.answers).toEqual(['200']);
    expect(talk.received).toMatch(closes);
  });

  test('a POST is refused without reading its body', async () => {
    const { server } = await siteServer(plain, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write('POST /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000000\r\n\r\n');
    await talk.closed;
    expect(talk.answers).toEqual(['405']);
  });

  test('without one, the connection stays open, whatever else is expected', async () => {
    const { server } = await siteServer(plain, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask('/v1', 'Content-Length: 0\r\n') + ask('/v1', 'Expect: a-miracle\r\n') + ask('/v1'));
    await eventually(() => talk.answers.length === 3);
    expect(talk.answers).toEqual(['200', '200', '200']);
  });
});

describe('requests sent ahead', () => {
  test('are answered in order up to the limit, and beyond it the connection is cut', async () => {
    const { server } = await siteServer(huge, { ...timeless, maxWaitingRequests: 4 });
    const [patient, flood] = [await talkTo(server), await talkTo(server)];
    patient.talk.socket.write(ask('/v1/none') + ask('/v1').repeat(3) + ask('/v1/no', 'Connection: close\r\n'));
    flood.talk.socket.write(ask(hugeExportPath) + ask('/v1').repeat(20_000));
    await Promise.all([patient.talk.closed, flood.talk.closed]);
    expect(patient.talk.answers).toEqual(['404', '200', '200', '200', '404']);
    expect(flood.talk.answers.length).toBeLessThanOrEqual(1);
    expect(flood.talk.received.length).toBeLessThan(hugeExport.length);
  });

  test.each([
    ['bytes that are not a request', 'NONSENSE\r\n\r\n'],
    ['a request that never ends', 'GET /v1 HTTP/1.1\r\nHost:'],
    ['a request for a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ])('and followed by %s are cut, and nothing is mixed into their answers', async (_, bytes) => {
    const { server } = await siteServer(huge, { ...timeless, headersTimeout: 300 });
    const { talk, released } = await talkTo(server);
    talk.socket.pause().write(`${ask(hugeExportPath)}${ask('/v1')}${bytes}`);
    await released;
    await talk.readRest();
    expect(['', '200']).toContain(talk.answers.join());
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });
});

describe('a client that closes its half of the connection', () => {
  test.each([
    ['before it asks', ''],
    ['before it has its answer', ask(hugeExportPath)],
    ['before its requests are answered', ask(hugeExportPath).repeat(3)],
  ])('%s has the connection closed', async (_, bytes) => {
    const { server } = await siteServer(huge, timeless);
    const { talk } = await talkTo(server);
    talk.socket.end(bytes);
    await talk.closed;
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });

  test('after its answer has the connection closed', async () => {
    const { server } = await siteServer(plain, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask('/v1'));
    await eventually(() => talk.answers.length === 1);
    talk.socket.end();
    await talk.closed;
    expect(talk.answers).toEqual(['200']);
  });

  test('and stops reading in the middle of its answer is given up like any other', async () => {
    const { server } = await siteServer(huge, { ...timeless, idleTimeout: 500 });
    const { talk, released } = await talkTo(server);
    talk.socket.write(ask(hugeExportPath));
    await Promise.race([once(talk.socket, 'data'), released]);
    talk.socket.pause().end();
    await released;
    await talk.readRest();
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });

  test('leaves no file open, whether it stays or vanishes', async () => {
    await using server = await RunningServer.start([huge.folder]);
    await server.get(hugeExportPath, {}, 'HEAD');
    const quiet = server.openFiles();
    for (let i = 0; i < 20; i++) {
      const { socket } = new Talk(server.port);
      socket.pause().end(ask(hugeExportPath) + ask('/v1'));
      await once(socket, 'finish');
      if (i % 2 === 0) socket.resetAndDestroy();
      else socket.resume();
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
    await third.closed;
    expect(third.received).toBe('');
    kept[0]?.socket.destroy();
    expect(
      await eventually(async () => (await server.raw(ask('/v1', 'Connection: close\r\n'))).includes(' 200 ')),
    ).toBe(true);
    kept[1]?.socket.destroy();
  });

  test('a client that resets its connection does no harm', async () => {
    await using server = await RunningServer.start([huge.folder]);
    const beginnings = [ask(hugeExportPath), 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'NONSENSE', ask('/v1')];
    for (const beginning of beginnings.flatMap((one) => [one, one, one])) {
      const { socket } = new Talk(server.port);
      await new Promise((resolve) => socket.write(beginning, resolve));
      socket.resetAndDestroy();
    }
    expect((await server.get('/v1')).status).toBe(200);
    expect(server.complaints).toEqual([]);
  });
});

describe('a server that stops', () => {
  /** The longest time of a timer. */
  const forever = 2 ** 31 - 1;

  test('closes connections without a request', async () => {
    const { server, stop } = await siteServer(plain, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask('/v1'));
    await eventually(() => talk.answers.length === 1);
    await stop(forever);
    await talk.closed;
    expect(talk.answers).toEqual(['200']);
  });

  test('finishes an answer, and then closes its connection', async () => {
    const { server, stop } = await siteServer(huge, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask(hugeExportPath));
    await once(talk.socket, 'data');
    talk.socket.pause();
    const stopped = stop(forever);
    await talk.readRest();
    await stopped;
    expect(talk.received).toContain('Connection: keep-alive');
    expect(talk.received.endsWith(hugeExport.toString('latin1'))).toBe(true);
  });

  test('cuts a connection that is still busy when its time is over', async () => {
    const { server, stop } = await siteServer(huge, timeless);
    const { talk } = await talkTo(server);
    talk.socket.write(ask(hugeExportPath));
    await once(talk.socket, 'data');
    talk.socket.pause();
    await stop(100);
    await talk.readRest();
    expect(talk.received.length).toBeLessThan(hugeExport.length);
  });
});
