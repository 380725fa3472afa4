import { copyAnswer, isMetadata, KeptDocuments, revisionField } from './kept-documents.ts';
import { type RequestEvent, scope } from './worker-scope.ts';

/**
 * A document of which its host does not say the publication, until the page has made sure of it. `begun`: the publications that were
 * seen before it was asked for. If the host has one of these after it was read too, it is of that one.
 */
type Unproven = {
  readonly begun: readonly string[];
  readonly url: string;
  readonly answer: Response;
  readonly bytes: Promise<ArrayBuffer>;
};

/** Documents of a page that wait at most. */
const mostUnproven = 100;

/**
 * Answers requests for documents from the host, and where no answer comes, from copies. A page has one publication, so it
 * gets copies of that alone. Each copy says its publication, which the page compares with its own.
 */
export class Documents {
  readonly #root: URL;
  readonly #kept: KeptDocuments;
  /** The publication that each page was opened at, as far as this worker has seen it. */
  readonly #opened = new Map<string, string>();
  readonly #unproven = new Map<string, Unproven[]>();
  /** Pages that have read answers of which they do not know yet whether they are of their publication, and how many. */
  readonly #unsure = new Map<string, number>();
  /** What pages were told last: whether there is no connection. */
  readonly #told = new Map<string, boolean>();

  constructor(root: URL) {
    this.#root = root;
    this.#kept = new KeptDocuments(root);
  }

  /** From now on nothing is kept. */
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
   * Answers a request for the pointer, or a fresh one for the metadata. A page sends it to make sure that what the host sent is of its
   * publication, so a copy must not say so; if it is, what was read is kept.
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
      // Where there is no pointer, the metadata follow.
      if (answer.status === 404 || answer.status === 403)
        this.#unproven.set(clientId, [...read, ...(this.#unproven.get(clientId) ?? [])]);
      return answer;
    }
    // Answers that arrived in the meantime still have to be checked.
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

  /** The answer of the host; null for none. The page is told which of the two. */
  async #ask(event: RequestEvent, isOpening: boolean): Promise<Response | null> {
    const { request } = event;
    try {
      // A cache on the device would hide that there is no connection.
      const answer = await (isOpening ? fetch(request, { cache: 'no-cache' }) : fetch(request));
      // Other answers may come from a cache on the device.
      if (isOpening || isFresh(request)) this.#tell(event, false);
      else if (this.#told.get(event.clientId)) event.waitUntil(this.#tellIfBack(event).catch(() => {}));
      return answer;
    } catch (error) {
      // The page has lost its interest.
      if (request.signal.aborted) throw error;
      this.#tell(event, true);
      return null;
    }
  }

  #tell(event: RequestEvent, isAway: boolean): void {
    const { clientId } = event;
    if (this.#told.get(clientId) === isAway) return;
    this.#told.set(clientId, isAway);
    const tell = async () => {
      // A page that only begins is not there yet.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const page = await scope.clients.get(clientId);
        if (page !== undefined) return page.postMessage({ isAway });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    event.waitUntil(tell().catch(() => {}));
  }

  async #tellIfBack(event: RequestEvent): Promise<void> {
    await fetch(this.#root, { method: 'HEAD', cache: 'no-cache' });
    this.#tell(event, false);
  }

  /** Begins the publication whose metadata a page reads to open the site. */
  async #begin({ clientId, request: { url } }: RequestEvent, answer: Response): Promise<void> {
    const bytes = await answer.arrayBuffer();
    const revision = revisionIn(JSON.parse(new TextDecoder().decode(bytes)));
    if (revision === null) return;
    this.#opened.set(clientId, revision);
    // The page learns from this answer whether its host names publications. So the copy says what the host said.
    await this.#kept.keep(revision, url, answer, bytes, false);
  }

  /** Stores a document in the cache of its publication. `begun`: the publications seen before the request. */
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
    // A cache on the way may have had another one of an earlier publication.
    else if (isFresh(request)) {
      const read = [...(this.#unproven.get(clientId) ?? []), { begun, url, answer, bytes }];
      this.#unproven.set(clientId, read.slice(-mostUnproven));
    }
  }

  /** Opens the publication that was whole last: the page removes older ones when its own is whole. */
  async #open(url: string, clientId: string): Promise<Response | undefined> {
    for (const revision of await this.#kept.revisions()) {
      const copy = await this.#kept.find(revision, url);
      if (copy !== undefined) {
        this.#opened.set(clientId, revision);
        return copy;
      }
      // At a host that only knows files, the address has nothing, and the page asks for the file next.
      if (await this.#kept.find(revision, `${url}.json`)) return new Response(null, { status: 404 });
    }
    return undefined;
  }

  async #copy(url: string, clientId: string): Promise<Response | undefined> {
    // A worker that was started again has forgotten. The page compares what it gets with its publication.
    const revision = this.#opened.get(clientId) ?? (await this.#kept.revisions()).at(-1);
    const copy = revision === undefined ? undefined : await this.#kept.find(revision, url);
    if (copy === undefined || revision === undefined || !isMetadata(url)) return copy;
    return copyAnswer(copy, await copy.arrayBuffer(), { [revisionField]: revision });
  }
}

/** Whether an answer has to come from the host. */
export function isFresh({ cache }: Request): boolean {
  return cache === 'no-cache' || cache === 'no-store' || cache === 'reload';
}

function isDocument({ status, type, redirected, headers }: Response): boolean {
  const isJson = headers.get('Content-Type')?.startsWith('application/json') ?? false;
  return status === 200 && type === 'basic' && !redirected && isJson;
}

/** What a query asks is computed. A cursor alone leads to the next page of a list. */
function mayKeep(url: string): boolean {
  const { search } = new URL(url);
  return search === '' || /^\?cursor=[^&]*$/.test(search);
}

/** Whether an address never gets other bytes. */
function isSealed(url: string): boolean {
  return /\/(pages|segments)\/[0-9a-f]+\.json$/.test(url);
}

/** The publication that the pointer or the metadata name. */
function revisionIn(document: unknown): string | null {
  const { revision, data } = document as { revision?: unknown; data?: { publication?: { revision?: unknown } } };
  const named = revision ?? data?.publication?.revision;
  return typeof named === 'string' ? named : null;
}
