import type { ObjectReference } from '../../generator/contract/site.ts';
import type { ObjectReader } from '../../shim/object-reader.ts';
import { pointerBytes, type TinySite } from './tiny-site.ts';

/** A site in memory that tests damage at will, and that counts what is read of it. */
export class MemoryReader implements ObjectReader {
  pointer: Uint8Array | null = null;
  readonly objects = new Map<string, Uint8Array>();
  readonly reads: string[] = [];

  constructor(site?: TinySite) {
    if (site) this.publish(site);
  }

  publish(site: TinySite): void {
    for (const [hash, bytes] of site.objects) this.objects.set(hash, bytes);
    this.pointer = pointerBytes(site);
  }

  async readPointer(): Promise<Uint8Array | null> {
    return this.pointer;
  }

  async readObject({ sha256 }: ObjectReference): Promise<Uint8Array | null> {
    this.reads.push(sha256);
    return this.objects.get(sha256) ?? null;
  }
}
