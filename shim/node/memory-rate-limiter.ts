import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Allowance, clientNetwork, type RateLimiter } from '../rate-limit.ts';

const windowSeconds = 60;

/** Clients whose points are counted at the same time. Each takes about half a kilobyte. */
const countedClients = 65_536;

/**
 * Allows each client `perMinute` points a minute, counted from its first request. A plain request takes one point. The
 * counts belong to this process alone.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;
  /** The clients that are counted, the one that asked last at the end. */
  readonly #clients = new Set<string>();
  readonly #maxClients: number;

  constructor(perMinute: number, maxClients = countedClients) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds, keyPrefix: '' });
    this.#maxClients = maxClients;
  }

  /** `client` is an address; all addresses of an IPv6 /64 count as one client. */
  async take(client: string): Promise<Allowance> {
    const network = clientNetwork(client);
    await this.#remember(network);
    try {
      return this.#allowance(await this.#limiter.consume(network));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const allowance = this.#allowance(refusal);
      return { ...allowance, retryAfter: allowance.quota.reset };
    }
  }

  async charge(client: string, points: number): Promise<Allowance> {
    return this.#allowance(await this.#limiter.penalty(clientNetwork(client), points));
  }

  #allowance({ remainingPoints, msBeforeNext }: RateLimiterRes) {
    const { points } = this.#limiter;
    // The limiter computes this time from the wall clock, which may be set back, but forgets counts by a monotonic one.
    const reset = Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
    return {
      retryAfter: null,
      quota: { points, window: windowSeconds, remaining: Math.max(0, remainingPoints), reset },
    };
  }

  /**
   * Bounds the memory: beyond the limit, forgets the client that has not asked for longest. Somebody with that many
   * addresses gains nothing by this, because each address has a full allowance anyway, and no other client is locked
   * out.
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
