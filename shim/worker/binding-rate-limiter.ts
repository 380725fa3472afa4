import { clientNetwork } from '../client-network.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import type { RateLimit } from './bindings.ts';

/**
 * The period of the binding in `templates/worker/wrangler.jsonc`. The binding does not tell when a client's period
 * began.
 */
const periodSeconds = 60;

/** Counts with Cloudflare's rate limiting. Every location counts on its own. */
export class BindingRateLimiter implements RateLimiter {
  readonly #binding: RateLimit;

  constructor(binding: RateLimit) {
    this.#binding = binding;
  }

  /** `client` is an address; all addresses of an IPv6 /64 count as one client. */
  async take(client: string): Promise<number | null> {
    const { success } = await this.#binding.limit({ key: clientNetwork(client) });
    return success ? null : periodSeconds;
  }

  /** The binding counts one at a time. */
  async charge(client: string, points: number): Promise<void> {
    const key = clientNetwork(client);
    for (let point = 0; point < points; point += 1) await this.#binding.limit({ key });
  }
}
