import type { Server } from 'node:http';

/**
 * Answers clients that close their half of the connection when they have asked, as `nc -N` does: the connection ends after
 * the answer to their last request, RFC 9112 9.6. Node does so on request; its property is in no type and no manual, and a
 * test notices should it leave. A client that is gone answers the first bytes with a reset, one that does not read
 * meets the idle timeout.
 */
export function answerHalfClosed(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
