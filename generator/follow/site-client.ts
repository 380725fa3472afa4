import { Failure } from '../failure.ts';

/** A document as a host sent it. `revision`: what X-Publication-Revision says; null on a host that does not send it. */
export type Received<Value> = { readonly value: Value; readonly revision: string | null };

const patienceMs = 30_000;

/** Gets documents of a site from any host. Whatever keeps it from doing so is a Failure that names the address. */
export class SiteClient {
  readonly root: string;

  /** `root`: the public root of the site, without a slash at its end. */
  constructor(root: string) {
    this.root = root;
  }

  /** A bare file server knows `/v1/changes` by the name of its file only: that is asked for where the address is not known. */
  async get(path: string): Promise<Received<unknown>> {
    const response = await this.#ask(`${this.root}${path}`);
    if (response.status !== 404 || path.endsWith('.json')) return this.#read(response);
    await response.body?.cancel();
    return this.#read(await this.#ask(`${this.root}${path}.json`));
  }

  async #ask(url: string): Promise<Response> {
    try {
      return await fetch(url, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(patienceMs) });
    } catch (error) {
      throw new Failure(`GET ${url}: ${reasonOf(error)}`);
    }
  }

  async #read(response: Response): Promise<Received<unknown>> {
    const { url, status } = response;
    if (status !== 200) {
      await response.body?.cancel();
      throw new Failure(`GET ${url}: expected status 200, got ${status}`);
    }
    try {
      return { value: await response.json(), revision: response.headers.get('x-publication-revision') };
    } catch (error) {
      throw new Failure(`GET ${url}: expected JSON, got ${reasonOf(error)}`);
    }
  }
}

/** What fetch throws says little; its cause says what the system said. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? inner ?? message;
}
