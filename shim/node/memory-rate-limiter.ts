import { type Allowance, clientNetwork, type RateLimiter } from '../rate-limit.ts';

const windowSeconds = 60;

/** The most clients whose points are counted at a time. Each takes about a quarter of a kilobyte. */
const countedClients = 65_536;

/** `endsAt`: in whole milliseconds of a monotonic clock. */
type Window = { used: number; readonly endsAt: number };

/**
 * Allows each client `perMinute` points a minute, counted from its first request. A plain request costs one point. Each
 * process counts on its own.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #perMinute: number;
  readonly #maxClients: number;
  /** The windows by client. The client that asked last is at the end. */
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, maxClients = countedClients) {
    this.#perMinute = perMinute;
    this.#maxClients = maxClients;
  }

  async count(client: string, points: number): Promise<Allowance> {
    const now = Math.floor(performance.now());
    const network = clientNetwork(client);
    const known = this.#windows.get(network);
    const window = known && known.endsAt > now ? known : { used: 0, endsAt: now + windowSeconds * 1000 };
    window.used += points;
    this.#windows.delete(network);
    this.#windows.set(network, window);
    // Someone with so many addresses gains nothing by this, because each address has a full allowance anyway. Nobody is
    // locked out.
    const [oldest = ''] = this.#windows.keys();
    if (this.#windows.size > this.#maxClients) this.#windows.delete(oldest);
    const reset = Math.ceil((window.endsAt - now) / 1000);
    const remaining = Math.max(0, this.#perMinute - window.used);
    const quota = { points: this.#perMinute, window: windowSeconds, remaining, reset };
    return { retryAfter: window.used > this.#perMinute ? reset : null, quota };
  }
}
