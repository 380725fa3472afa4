import type { Server } from 'node:http';

const lookEveryMs = 100;

/**
 * Takes no new connection, lets running answers finish, and closes connections as they fall idle; those that are still
 * busy after `patienceMs` are cut.
 */
export async function stopGracefully(server: Server, patienceMs: number): Promise<void> {
  // Without this header a client could keep its connection busy with one request after another.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
