import type { ObjectReference, Route } from '../../contract/schemas/site-files.ts';
import { byteLimits } from '../../contract/site/byte-limits.ts';
import { type SiteSource, webHash } from '../../contract/site/source.ts';
import { objectPath, pointerFile, signatureFile } from '../../contract/site-layout.ts';
import type { Addresses } from '../addresses.ts';
import type { GetOptions, Requests } from '../requests.ts';
import type { AskOptions } from '../runtime.ts';
import { isMissing } from '../site-reader.ts';

/**
 * A site at its host, read with the runtime's `fetch`. A document is first requested at its address, where hosts
 * compress it and a bundle has it. If the address has another publication by now, the object is still there under its
 * hash.
 */
export class HostSource implements SiteSource {
  readonly #requests: Requests;
  readonly #addresses: Addresses;

  constructor(requests: Requests, addresses: Addresses) {
    this.#requests = requests;
    this.#addresses = addresses;
  }

  readPointer({ signal }: AskOptions = {}): Promise<Uint8Array | null> {
    return this.#get(this.fileUrl(pointerFile), { signal, isFresh: true });
  }

  readSignature({ signal }: AskOptions = {}): Promise<Uint8Array | null> {
    return this.#get(this.fileUrl(signatureFile), { signal, isFresh: true });
  }

  async readObject({ path, encoding, sha256, size }: ObjectReference & Partial<Route>): Promise<Uint8Array | null> {
    const byHash = this.fileUrl(objectPath(sha256));
    const isSound = async (bytes: Uint8Array) => (await webHash(bytes)) === sha256;
    if (path === undefined) return this.#get(byHash, { isSound });
    const byAddress = this.#addresses.urlOf(path);
    // Runtimes decompress a packed file that comes from its address.
    if (encoding) {
      const maxBytes = Math.min(size, byteLimits.wholeFile);
      return (await this.#get(byHash, { isSound, maxBytes })) ?? this.#get(byAddress, { maxBytes });
    }
    const bytes = await this.#get(byAddress);
    if (bytes !== null && (await isSound(bytes))) return bytes;
    return (await this.#get(byHash, { isSound })) ?? bytes;
  }

  /** The URL of a file. `name`: its path in the site's folder. */
  fileUrl(name: string): string {
    return `${this.#addresses.root}/${name}`;
  }

  async #get(url: string, options: GetOptions = {}): Promise<Uint8Array | null> {
    try {
      return (await this.#requests.get(url, options)).bytes;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}
