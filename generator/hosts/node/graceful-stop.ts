import type { Server } from 'node:http';

const lookEveryMs = 100;

/**
 * Takes no new connection, lets running answers finish, and closes connections as they fall idle; those that are still
 * busy after `patienceMs` are cut. Whoever answers says `Connection: close` from now on, or a client could keep its
 * connection busy with one request after another.
 */
export async function stopGracefully(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
