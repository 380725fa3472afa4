import type { ObjectReference, Route } from '../../contract/formats/site.ts';
import { objectPath } from '../../contract/site-layout.ts';
import type { ObjectReader } from '../../shim/host.ts';
import { webHash } from '../../shim/site/verified-objects.ts';
import type { Addresses } from '../addresses.ts';
import { most } from '../answer-body.ts';
import type { GetOptions, Requests } from '../requests.ts';
import { isMissing } from '../site-reader.ts';

/**
 * Fetches the objects of a site from its host. Their readers compare them with their hash. A document is asked for at its address
 * first, where hosts compress it and a bundle has it. If that is another publication by now, the object is still there under
 * its hash.
 */
export function fetchedObjects(requests: Requests, addresses: Addresses): Pick<ObjectReader, 'readObject'> {
  const get = async (url: string, options: GetOptions = {}): Promise<Uint8Array | null> => {
    try {
      return (await requests.get(url, options)).bytes;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  return {
    async readObject({ path, encoding, sha256, size }: ObjectReference & Partial<Route>) {
      const byHash = `${addresses.root}/${objectPath(sha256)}`;
      const isSound = async (bytes: Uint8Array) => (await webHash(bytes)) === sha256;
      if (path === undefined) return get(byHash, { isSound });
      const byAddress = addresses.urlOf(path);
      // Runtimes unpack a packed file on its way from its address.
      if (encoding) {
        const maxBytes = Math.min(size, most.file);
        return (await get(byHash, { isSound, maxBytes })) ?? get(byAddress, { maxBytes });
      }
      const bytes = await get(byAddress);
      if (bytes !== null && (await isSound(bytes))) return bytes;
      return (await get(byHash, { isSound })) ?? bytes;
    },
  };
}
