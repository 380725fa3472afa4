import { copyAnswer, isMetadata, KeptDocuments, revisionField } from './kept-documents.ts';
import { type RequestEvent, scope } from './worker-scope.ts';

/**
 * A document whose host does not name its publication, held until the explorer has verified it. `begun`: the
 * publications known before the request. If the host still has one of these after the document was read, the document
 * belongs to it.
 */
type Unproven = {
  readonly begun: readonly string[];
  readonly url: string;
  readonly answer: Response;
  readonly bytes: Promise<ArrayBuffer>;
};

/** The most documents per client that wait for verification. */
const mostUnproven = 100;

/**
 * Answers requests for documents from the host or, without a connection, from copies. A client has one publication and
 * only gets copies from it. Each copy names its publication, which the client compares with its own.
 */
export class Documents {
  readonly #root: URL;
  readonly #kept: KeptDocuments;
  /** The publication that each client opened, as far as this worker has seen. */
  readonly #opened = new Map<string, string>();
  readonly #unproven = new Map<string, Unproven[]>();
  /** How many answers each client has read without knowing their publication. */
  readonly #unsure = new Map<string, number>();
  /** Whether each client was last told that there is no connection. */
  readonly #lastNotice = new Map<string, boolean>();

  constructor(root: URL) {
    this.#root = root;
    this.#kept = new KeptDocuments(root);
  }

  /** Stops keeping documents. */
  end(): void {
    this.#kept.end();
  }

  async answer(event: RequestEvent): Promise<Response> {
    const { request, clientId } = event;
    const { url } = request;
    const isOpening = isMetadata(url) && !isFresh(request);
    const begun = await this.#kept.revisions();
    const answer = await this.#ask(event, isOpening);
    if (answer === null) {
      const copy = await (isOpening ? this.#open(url, clientId) : this.#copy(url, clientId));
      return copy ?? Response.error();
    }
    if (isFresh(request) && answer.headers.get(revisionField) === null)
      this.#unsure.set(clientId, (this.#unsure.get(clientId) ?? 0) + 1);
    if (!isDocument(answer)) return answer;
    const copy = answer.clone();
    if (isOpening) await this.#begin(event, copy).catch(() => {});
    else if (mayKeep(url)) this.#keep(event, copy, begun);
    return answer;
  }

  /**
   * Answers a request for the pointer, or an uncached one for the metadata. A client uses it to verify that earlier
   * answers belong to its publication, so a copy must not answer it. If they do, the documents read before are kept.
   */
  async proof(event: RequestEvent): Promise<Response> {
    const { request, clientId } = event;
    const read = this.#unproven.get(clientId) ?? [];
    const unsure = this.#unsure.get(clientId);
    this.#unproven.delete(clientId);
    const answer = await this.#ask(event, false);
    if (answer === null) {
      const copy = this.#unsure.has(clientId) ? undefined : await this.#copy(request.url, clientId);
      return copy ?? Response.error();
    }
    if (!isDocument(answer)) {
      // Without a pointer, a request for the metadata follows.
      if (answer.status === 404 || answer.status === 403)
        this.#unproven.set(clientId, [...read, ...(this.#unproven.get(clientId) ?? [])]);
      return answer;
    }
    // Answers that arrived in the meantime are not verified yet.
    if (this.#unsure.get(clientId) === unsure) this.#unsure.delete(clientId);
    const copy = answer.clone();
    const keep = async () => {
      const revision = revisionIn(await copy.json());
      for (const { begun, url, answer, bytes } of read) {
        if (revision !== null && begun.includes(revision)) await this.#kept.keep(revision, url, answer, await bytes);
      }
    };
    event.waitUntil(keep().catch(() => {}));
    return answer;
  }

  /** The host's answer, or null for none. Tells the client which. */
  async #ask(event: RequestEvent, isOpening: boolean): Promise<Response | null> {
    const { request } = event;
    try {
      // A cache on the device would hide that there is no connection.
      const answer = await (isOpening ? fetch(request, { cache: 'no-cache' }) : fetch(request));
      // Other answers may come from a cache on the device.
      if (isOpening || isFresh(request)) this.#tell(event, false);
      else if (this.#lastNotice.get(event.clientId)) event.waitUntil(this.#tellIfBack(event).catch(() => {}));
      return answer;
    } catch (error) {
      // The client aborted the request.
      if (request.signal.aborted) throw error;
      this.#tell(event, true);
      return null;
    }
  }

  #tell(event: RequestEvent, isAway: boolean): void {
    const { clientId } = event;
    if (this.#lastNotice.get(clientId) === isAway) return;
    this.#lastNotice.set(clientId, isAway);
    const tell = async () => {
      // A client that is just starting may not be listed yet.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const client = await scope.clients.get(clientId);
        if (client !== undefined) return client.postMessage({ isAway });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    event.waitUntil(tell().catch(() => {}));
  }

  async #tellIfBack(event: RequestEvent): Promise<void> {
    await fetch(this.#root, { method: 'HEAD', cache: 'no-cache' });
    this.#tell(event, false);
  }

  /** Starts keeping the publication whose metadata a client reads to open the site. */
  async #begin({ clientId, request: { url } }: RequestEvent, answer: Response): Promise<void> {
    const bytes = await answer.arrayBuffer();
    const revision = revisionIn(JSON.parse(new TextDecoder().decode(bytes)));
    if (revision === null) return;
    this.#opened.set(clientId, revision);
    // The client uses this answer to learn whether its host names publications, so the copy must not add a name.
    await this.#kept.keep(revision, url, answer, bytes, false);
  }

  /** Stores a document in the cache of its publication. `begun`: the publications known before the request. */
  #keep(event: RequestEvent, answer: Response, begun: readonly string[]): void {
    const { request, clientId } = event;
    const { url } = request;
    const bytes = answer.arrayBuffer();
    bytes.catch(() => {});
    const keep = async (revision: string | undefined, isLabelled: boolean) => {
      if (revision === undefined || !begun.includes(revision)) return;
      await this.#kept.keep(revision, url, answer, await bytes, isLabelled);
    };
    const named = answer.headers.get(revisionField);
    if (named !== null) event.waitUntil(keep(named, true).catch(() => {}));
    else if (isSealed(url)) event.waitUntil(keep(this.#opened.get(clientId) ?? begun.at(-1), false).catch(() => {}));
    // A cache on the way may have had a document from an earlier publication.
    else if (isFresh(request)) {
      const read = [...(this.#unproven.get(clientId) ?? []), { begun, url, answer, bytes }];
      this.#unproven.set(clientId, read.slice(-mostUnproven));
    }
  }

  /** Opens the publication that was complete last: the explorer removes older ones once its own is complete. */
  async #open(url: string, clientId: string): Promise<Response | undefined> {
    for (const revision of await this.#kept.revisions()) {
      const copy = await this.#kept.find(revision, url);
      if (copy !== undefined) {
        this.#opened.set(clientId, revision);
        return copy;
      }
      // On a host that only knows files, this address does not exist, and the client requests the file next.
      if (await this.#kept.find(revision, `${url}.json`)) return new Response(null, { status: 404 });
    }
    return undefined;
  }

  async #copy(url: string, clientId: string): Promise<Response | undefined> {
    // A restarted worker has forgotten it. The client compares what it gets with its publication.
    const revision = this.#opened.get(clientId) ?? (await this.#kept.revisions()).at(-1);
    const copy = revision === undefined ? undefined : await this.#kept.find(revision, url);
    if (copy === undefined || revision === undefined || !isMetadata(url)) return copy;
    return copyAnswer(copy, await copy.arrayBuffer(), { [revisionField]: revision });
  }
}

/** Whether the answer must come from the host. */
export function isFresh({ cache }: Request): boolean {
  return cache === 'no-cache' || cache === 'no-store' || cache === 'reload';
}

function isDocument({ status, type, redirected, headers }: Response): boolean {
  const isJson = headers.get('Content-Type')?.startsWith('application/json') ?? false;
  return status === 200 && type === 'basic' && !redirected && isJson;
}

/** Queries are computed. A cursor alone leads to the next page of a list. */
function mayKeep(url: string): boolean {
  const { search } = new URL(url);
  return search === '' || /^\?cursor=[^&]*$/.test(search);
}

/** Whether an address always has the same bytes. */
function isSealed(url: string): boolean {
  return /\/(pages|segments)\/[0-9a-f]+\.json$/.test(url);
}

/** The publication that a pointer or metadata document names. */
function revisionIn(document: unknown): string | null {
  const { revision, data } = document as { revision?: unknown; data?: { publication?: { revision?: unknown } } };
  const named = revision ?? data?.publication?.revision;
  return typeof named === 'string' ? named : null;
}
