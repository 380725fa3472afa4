import type { Pointer } from '../../contract/schemas/site-files.ts';
import { knownPointer } from '../../contract/site/pointer.ts';
import { UnreadableError, webHash } from '../../contract/site/source.ts';
import { pointerFile, signatureFile } from '../../contract/site-layout.ts';
import { splitTarget } from '../../shim/problems.ts';
import { missingRouteCode } from '../../shim/site/missing-route.ts';
import { PublicationView } from '../../shim/site/publication-view.ts';
import type { Reading } from '../../shim/site/reading.ts';
import { VerifiedObjects } from '../../shim/site/verified-objects.ts';
import type { Addresses } from '../addresses.ts';
import { type Chunks, parseObject } from '../answer-body.ts';
import { ConnectionError, ProblemError, ProofError, PublicationChangedError } from '../errors.ts';
import { localProblem } from '../plain/local-problem.ts';
import type { Requests } from '../requests.ts';
import { type AskOptions, mayShareWork, orAborted } from '../runtime.ts';
import { type Publication, type Receipt, SiteReader } from '../site-reader.ts';
import { HostSource } from './host-source.ts';
import { readPublicKey, signedCheckpoint } from './pointer-signature.ts';
import { remember, type SiteMemory, temporaryMemory } from './site-memory.ts';

type ProofOptions = {
  readonly addresses: Addresses;
  readonly requests: Requests;
  readonly isPinned: boolean;
  /** An Ed25519 public key in PEM that must have signed the pointer; null to trust the pointer as it is. */
  readonly key: string | null;
  /** Remembers the last trusted pointer; if it is absent or null, only the open site remembers it. */
  readonly memory?: SiteMemory | null;
};

const fileBytes: Reading<Uint8Array> = { name: 'bytes', of: (bytes) => bytes, memorySize: (bytes) => bytes.length };

/** Milliseconds for which the pointer counts as current, as its Cache-Control says. */
const pointerAge = 5000;

/** Compares every byte with the hashes that the site's pointer leads to. */
export async function proveSite(options: ProofOptions, asking: AskOptions): Promise<ProvenReader> {
  const { addresses, requests, key, isPinned } = options;
  const memory = options.memory ?? temporaryMemory();
  if (globalThis.crypto?.subtle === undefined) {
    throw new ProofError(addresses.root, 'expected a page over https, because browsers have cryptography only there');
  }
  const publicKey = key === null ? null : await readPublicKey(key);
  const source = new HostSource(requests, addresses);
  const objects = new VerifiedObjects(source, { sharesReadings: mayShareWork });

  const readPointer = async (options: AskOptions): Promise<Pointer> => {
    const url = source.fileUrl(pointerFile);
    const bytes = await source.readPointer(options);
    if (bytes === null) throw new ProofError(url, 'expected the pointer of a site, got none');
    if (publicKey !== null) {
      const signature = await source.readSignature(options);
      if (signature === null)
        throw new ProofError(source.fileUrl(signatureFile), 'expected a signature of the pointer, got none');
      await sound(url, async () => remember(memory, await signedCheckpoint(bytes, signature, publicKey)));
    }
    return sound(url, async () => knownPointer(bytes));
  };

  const pointer = await readPointer(asking);
  const view = await loadView(addresses, objects, pointer);
  return new ProvenReader({ addresses, requests, isPinned }, { objects, view, pointer, readPointer });
}

function loadView({ root }: Addresses, objects: VerifiedObjects, pointer: Pointer): Promise<PublicationView> {
  return sound(root, () => PublicationView.load(objects, pointer));
}

/** Rejects with a {@link ProofError} if the bytes do not match their schema or their hash. */
async function sound<Value>(url: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof ProblemError) throw error;
    throw new ProofError(url, (error as Error).message, { cause: error });
  }
}

type Proof = {
  readonly objects: VerifiedObjects;
  readonly view: PublicationView;
  readonly pointer: Pointer;
  readonly readPointer: (options: AskOptions) => Promise<Pointer>;
};

export class ProvenReader extends SiteReader {
  readonly #proof: Proof;
  #view: PublicationView;
  #routes: string;
  #lookedAt = performance.now();

  constructor(options: Omit<ProofOptions, 'key' | 'memory'>, proof: Proof) {
    const { revision, sequence, published_at } = proof.pointer;
    const publication: Publication = { revision, sequence, published_at };
    super({ ...options, publication, says: { hasRevision: true, hasPolicy: true } });
    this.#proof = proof;
    this.#view = proof.view;
    this.#routes = proof.pointer.routes.sha256;
  }

  override async read(link: string, options: AskOptions = {}): Promise<Record<string, unknown>> {
    const [path, query] = splitTarget(this.addresses.targetIn(link));
    if (query !== '') throw new ProofError(link, 'expected the address of a file, got one with a query');
    return parseObject(this.addresses.urlOf(link), await this.#bytesAt(path, options));
  }

  override async stream(link: string, options: AskOptions): Promise<Chunks | null> {
    const bytes = await this.#bytesAt(this.addresses.targetIn(link), options);
    return new Response(bytes as Uint8Array<ArrayBuffer>).body;
  }

  /** Uses the files of one publication, whose objects stay when the site changes. */
  override async proven<Answer>(
    options: AskOptions,
    question: (files: PublicationView) => Promise<Answer>,
  ): Promise<Answer> {
    const view = await this.#newestView(options);
    try {
      return await orAborted(question(view), options.signal);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      // Objects are deleted two publications later.
      const newest = await this.#look(options);
      // A publication may be built again: with another base URL, it has other objects.
      if (newest === view) throw new ProofError(this.addresses.root, error.message, { cause: error });
      if (this.isPinned && newest.revision !== view.revision)
        throw new PublicationChangedError(this.addresses.root, view.revision, newest.revision);
      return orAborted(question(newest), options.signal);
    }
  }

  override receipt(link: string, options: AskOptions): Promise<Receipt> {
    const { root } = this.addresses;
    const [path] = splitTarget(link.startsWith(`${root}/`) ? link.slice(root.length) : this.addresses.targetIn(link));
    return this.proven(options, async (view) => {
      // On a host that only has files, a link can name the file of an address.
      const [given, withoutExtension] = await view.lookupAll([path, path.replace(/\.json$/, '')]);
      const route = given ?? withoutExtension ?? null;
      if (route === null) throw localProblem(root, path, await missingRouteCode(view, path));
      // Compares what the address sends, because the object can be right when the address is not.
      const url = this.addresses.urlOf(route.path);
      const { bytes } = await this.requests.get(url, { signal: options.signal, isFresh: true });
      const hash = await webHash(bytes);
      if (hash !== route.sha256) {
        await this.requireNewest(view.revision, url, options);
        throw new ProofError(url, `expected bytes with the SHA-256 ${route.sha256}, got ${hash}`);
      }
      const { revision, sequence, publishedAt: published_at } = view;
      return { path: route.path, sha256: route.sha256, size: route.size, revision, sequence, published_at };
    });
  }

  #bytesAt(path: string, options: AskOptions): Promise<Uint8Array> {
    return this.proven(options, async (view) => {
      const bytes = await view.read(path, fileBytes);
      if (bytes !== null) return bytes;
      throw localProblem(this.addresses.root, path, await missingRouteCode(view, path));
    });
  }

  async #newestView(options: AskOptions): Promise<PublicationView> {
    const isOld = performance.now() - this.#lookedAt > pointerAge;
    return isOld && !this.isPinned ? this.#look(options) : this.#view;
  }

  /** Later questions use this publication, unless another one is pinned. */
  async #look(options: AskOptions): Promise<PublicationView> {
    const pointer = await this.#proof.readPointer(options);
    this.#lookedAt = performance.now();
    if (pointer.routes.sha256 === this.#routes) return this.#view;
    const view = await loadView(this.addresses, this.#proof.objects, pointer);
    if (!this.isPinned) {
      this.#view = view;
      this.#routes = pointer.routes.sha256;
    }
    return view;
  }
}
