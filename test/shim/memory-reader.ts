import type { ObjectReference, Pointer } from '../../contract/schemas/site-files.ts';
import type { ServedSource } from '../../shim/host.ts';
import { pointerBytes, type TinySite } from './tiny-site.ts';

type Retained = Pointer['publications'][number];

/** A site in memory that tests can damage, and that records reads. */
export class MemoryReader implements ServedSource {
  pointer: Uint8Array | null = null;
  signature: Uint8Array | null = null;
  readonly objects = new Map<string, Uint8Array>();
  readonly reads: string[] = [];

  constructor(site?: TinySite) {
    if (site) this.publish(site);
  }

  publish(site: TinySite): void {
    for (const [hash, bytes] of site.objects) this.objects.set(hash, bytes);
    this.pointer = pointerBytes(site);
  }

  /** Publishes a site as the successor of the current one. Earlier publications stay without their documents. */
  publishAfter(site: TinySite): void {
    this.objects.clear();
    this.#succeed(site, (publication) => ({ ...publication, routes: null }));
  }

  /** Like {@link publishAfter}, but earlier publications keep their documents. */
  publishBeside(site: TinySite): void {
    this.#succeed(site, (publication) => publication);
  }

  #succeed({ objects, pointer }: TinySite, retain: (publication: Retained) => Retained): void {
    const before = JSON.parse(Buffer.from(this.pointer ?? '{"publications":[]}').toString()) as Pointer;
    for (const [hash, bytes] of objects) this.objects.set(hash, bytes);
    const publications = [...pointer.publications, ...before.publications.map(retain)];
    this.pointer = pointerBytes({ pointer: { ...pointer, publications } });
  }

  async readPointer(): Promise<Uint8Array | null> {
    return this.pointer;
  }

  async readSignature(): Promise<Uint8Array | null> {
    return this.signature;
  }

  async objectSize(sha256: string): Promise<number | null> {
    return this.objects.get(sha256)?.length ?? null;
  }

  async readObject({ sha256 }: ObjectReference): Promise<Uint8Array | null> {
    this.reads.push(sha256);
    return this.objects.get(sha256) ?? null;
  }
}
