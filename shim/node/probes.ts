import { commonHeaders } from '../../generator/contract/headers.ts';
import type { CurrentPublication } from '../site/current-publication.ts';

export type ProbeAnswer = {
  readonly kind: 'probe';
  readonly resource: 'probe';
  readonly status: 200 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Answers the requests of a supervisor, outside the contract's addresses. `/healthz` says whether the process answers
 * at all. `/readyz` says whether it should get requests: it has a publication to serve and is not stopping.
 */
export class Probes {
  readonly #publication: CurrentPublication;
  readonly #isStopping: () => boolean;

  constructor(publication: CurrentPublication, isStopping: () => boolean) {
    this.#publication = publication;
    this.#isStopping = isStopping;
  }

  /** Null for a request that is not a probe. Never rejects. */
  answer(method: string, target: string): Promise<ProbeAnswer> | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    if (target === '/healthz') return Promise.resolve(probeAnswer(200, 'alive'));
    return target === '/readyz' ? this.#readiness() : null;
  }

  async #readiness(): Promise<ProbeAnswer> {
    if (this.#isStopping()) return probeAnswer(503, 'stopping');
    return (await this.#publication.view()) === null ? probeAnswer(503, 'no publication') : probeAnswer(200, 'ready');
  }
}

function probeAnswer(status: 200 | 503, word: string): ProbeAnswer {
  const body = `${word}\n`;
  const own = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length), 'Cache-Control': 'no-store' };
  return { kind: 'probe', resource: 'probe', status, headers: { ...commonHeaders, ...own }, body };
}
