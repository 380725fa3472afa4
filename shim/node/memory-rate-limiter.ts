import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientNetwork } from '../client-network.ts';
import type { RateLimiter } from '../rate-limiter.ts';

const windowSeconds = 60;

/** Clients that are counted at once. Each takes about half a kilobyte. */
const countedClients = 65_536;

/** Allows each client so many points a minute, one for a plain request, counted from its first one. Counts are of this process alone. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;
  /** The clients counted, the one that asked last at the end. */
  readonly #clients = new Set<string>();
  readonly #maxClients: number;

  constructor(perMinute: number, maxClients = countedClients) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds, keyPrefix: '' });
    this.#maxClients = maxClients;
  }

  /** The client is an address; all of an IPv6 /64 are one client. */
  async take(client: string): Promise<number | null> {
    const network = clientNetwork(client);
    await this.#remember(network);
    try {
      await this.#limiter.consume(network);
      return null;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // The limiter counts by the clock of the day, and forgets by one that nobody sets back.
      return Math.min(windowSeconds, Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
    }
  }

  async charge(client: string, points: number): Promise<void> {
    await this.#limiter.penalty(clientNetwork(client), points);
  }

  /**
   * Keeps the memory bounded: past the limit the client that has not asked for longest begins anew. Whoever commands so
   * many addresses gains nothing by that, as every one of them has a full allowance anyway; and nobody else is locked out.
   */
  async #remember(network: string): Promise<void> {
    this.#clients.delete(network);
    this.#clients.add(network);
    if (this.#clients.size <= this.#maxClients) return;
    const [oldest = ''] = this.#clients;
    this.#clients.delete(oldest);
    await this.#limiter.delete(oldest);
  }
}
