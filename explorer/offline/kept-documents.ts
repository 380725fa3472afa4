import { publicationCache, siteCaches } from './cache-names.ts';

/** Documents of one publication at most, and bytes of them as unpacked: of one, and of all. */
export const most = { documents: 400, document: 8 * 1024 * 1024, all: 48 * 1024 * 1024 } as const;

/** The field that says of which publication an answer is. Copies have it from every host. */
export const revisionField = 'X-Publication-Revision';

/** The fields that are kept of an answer. Its coding and length are gone, as its bytes are unpacked. */
const keptFields = ['Content-Type', 'Cache-Control', 'ETag', 'Last-Modified', revisionField];

/** A copy of an answer that was read whole. */
export function copyAnswer(
  { headers }: Response,
  bytes: ArrayBuffer,
  more: Readonly<Record<string, string>> = {},
): Response {
  const fields = keptFields.map((name) => [name, headers.get(name)] as const);
  const kept = fields.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
  return new Response(bytes, { headers: { ...Object.fromEntries(kept), ...more } });
}

type Sizes = Map<string, number>;

/** Documents on the device, those of each publication in a cache of its own. */
export class KeptDocuments {
  readonly #root: URL;
  /** Bytes of each document by URL, those that came first first, as far as this worker has needed them. */
  readonly #sizes = new Map<string, Promise<Sizes>>();

  #hasEnded = false;

  constructor(root: URL) {
    this.#root = root;
  }

  /** From now on nothing is kept. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Revisions of which something is kept, oldest first. */
  async revisions(): Promise<string[]> {
    return (await siteCaches(this.#root)).flatMap(({ revision }) => revision ?? []);
  }

  find(revision: string, url: string): Promise<Response | undefined> {
    return caches.match(url, { cacheName: publicationCache(this.#root, revision) });
  }

  /**
   * Keeps a document, in the place of those that came first where there is no room. `answer`: what it came with. Only the metadata
   * begin a publication: another document may arrive after its publication was removed, and would bring it back.
   */
  async keep(revision: string, url: string, answer: Response, bytes: ArrayBuffer, isLabelled = true): Promise<void> {
    if (bytes.byteLength > most.document) return;
    const name = publicationCache(this.#root, revision);
    if (this.#hasEnded || !(isMetadata(url) || (await caches.has(name)))) return;
    const cache = await caches.open(name);
    const sizes = await this.#documentSizes(revision, cache);
    const label = { ...(isLabelled && { [revisionField]: revision }), [sizeField]: String(bytes.byteLength) };
    await cache.put(url, copyAnswer(answer, bytes, label));
    sizes.delete(url);
    sizes.set(url, bytes.byteLength);
    for (const old of leaving(sizes)) {
      sizes.delete(old);
      await cache.delete(old);
    }
  }

  #documentSizes(revision: string, cache: Cache): Promise<Sizes> {
    const known = this.#sizes.get(revision) ?? readSizes(cache);
    this.#sizes.set(revision, known);
    return known;
  }
}

const sizeField = 'Content-Length';

async function readSizes(cache: Cache): Promise<Sizes> {
  const sizes: Sizes = new Map();
  for (const request of await cache.keys()) {
    sizes.set(request.url, Number((await cache.match(request))?.headers.get(sizeField)));
  }
  return sizes;
}

/** The documents for which there is no room. Without its metadata, nothing of a publication can be opened. */
function leaving(sizes: Sizes): string[] {
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let count = sizes.size;
  const gone: string[] = [];
  for (const [url, size] of sizes) {
    if (count <= most.documents && bytes <= most.all) break;
    if (isMetadata(url)) continue;
    gone.push(url);
    [count, bytes] = [count - 1, bytes - size];
  }
  return gone;
}

export function isMetadata(url: string): boolean {
  return /\/v1\/metadata(\.json)?$/.test(url);
}
