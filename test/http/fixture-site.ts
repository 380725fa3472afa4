import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpDate } from '../../contract/headers.ts';
import { objectPath } from '../../contract/paths.ts';
import type { ObjectReference, Route, RouteTableRoot } from '../../contract/schemas/site-files.ts';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { builtFixtures, copyWithPage, type PageSize } from '../units/built-fixtures.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import { readJson, readSite } from '../units/site-tree.ts';

/** A site built from the bundled snapshots, or from the first few of them. */
export class FixtureSite implements Disposable {
  readonly dist: string;
  readonly pointer: ReturnType<typeof readSite>['pointer'];
  readonly routes: ReadonlyMap<string, Route>;
  readonly #remove: () => void;

  private constructor(dist: string, remove: () => void) {
    this.dist = dist;
    this.#remove = remove;
    const { pointer, routes } = readSite(dist);
    this.pointer = pointer;
    this.routes = routes;
  }

  /** The site itself, with the whole explorer. Tests may only read it. */
  static async shared(): Promise<FixtureSite> {
    return new FixtureSite(await builtFixtures('whole', fixtureFolders().length), () => undefined);
  }

  /** A copy in its own folder. */
  static async build(snapshots = fixtureFolders().length, page: PageSize = 'first'): Promise<FixtureSite> {
    const folder = temporaryFolder();
    const dist = join(folder.path, 'dist');
    await copyWithPage(page, dist, snapshots);
    return new FixtureSite(dist, folder.remove);
  }

  route(path: string): Route {
    const route = this.routes.get(path);
    if (!route) throw new Error(`the fixtures have no ${path}`);
    return route;
  }

  /** The object of a route or of one of its variants. `address`: such as `/v1/brands` or `/v1/brands br`. */
  object(address: string): ObjectReference & { readonly etag: string } {
    const [path = '', coding] = address.split(' ');
    const route = this.route(path);
    if (coding === undefined) return route;
    const variant = route.variants?.find(({ encoding }) => encoding === coding);
    if (!variant) throw new Error(`${path} has no ${coding} variant`);
    return variant;
  }

  /** The objects that a host reads for these addresses: the whole route table, and one object each. */
  objectsFor(...addresses: readonly string[]): string[] {
    const root = this.pointer.routes;
    const { shards } = readJson(this.dist, root.sha256) as RouteTableRoot;
    const found = [root, ...shards, ...addresses.map((address) => this.object(address))];
    return found.map(({ sha256 }) => objectPath(sha256));
  }

  bytes(address: string): Buffer {
    return readFileSync(join(this.dist, objectPath(this.object(address).sha256)));
  }

  document<Shape = { readonly data: { readonly id: string } }>(path: string): Shape {
    return JSON.parse(this.bytes(path).toString()) as Shape;
  }

  /** The value of a placeholder `{name}` or `{name:of}`; null if the site has no such placeholder. */
  fact(name: string, of: string): string | null {
    return facts[name]?.(this, of) ?? null;
  }

  [Symbol.dispose](): void {
    this.#remove();
  }
}

/** Looks up ids by familiar names, so that scripts say what they are about. */
const facts: Readonly<Record<string, (site: FixtureSite, of: string) => string>> = {
  page_policy: (site) => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(site.bytes('/').toString()) ?? [];
    if (policy === undefined) throw new Error('the page states no policy');
    return policy;
  },
  revision: ({ pointer }, sequence) => {
    if (sequence === '') return pointer.revision;
    const found = pointer.publications.find((publication) => String(publication.sequence) === sequence);
    if (!found) throw new Error(`publication ${sequence} is not retained`);
    return found.revision;
  },
  etag: (site, of) => site.object(of).etag,
  object_path: (site, of) => objectPath(site.object(of).sha256).slice('objects/'.length),
  size: (site, of) => String(site.object(of).size),
  last_modified: (site, path) => httpDate(site.route(path).last_modified),
  last_modified_obsolete: (site, path) => rfc850Date(new Date(site.route(path).last_modified)),
  last_modified_asctime: (site, path) => asctimeDate(new Date(site.route(path).last_modified)),
  published: ({ pointer }) => httpDate(pointer.published_at),
  /** The date of a copy that was made just now. Hosts ignore dates in the future. */
  now: () => new Date().toUTCString(),
  product: (site, sku) => site.document(`/v1/products/by-sku/${sku}`).data.id,
  store: (site, code) => site.document(`/v1/stores/by-code/${code}`).data.id,
  brand: (site, slug) => site.document(`/v1/brands/by-slug/${slug}`).data.id,
  family: (site, slug) => {
    const { data } = site.document<{ data: { slug: string; id: string }[] }>('/v1/product-families');
    const found = data.find((family) => family.slug === slug);
    if (!found) throw new Error(`the fixtures have no family ${slug}`);
    return found.id;
  },
  /** The script or style sheet that the explorer loads. */
  explorer: (site, extension) => {
    const [, name = ''] = new RegExp(`="(explorer/[0-9a-z]+\\.${extension})"`).exec(site.bytes('/').toString()) ?? [];
    return `/${name}`;
  },
  repeat: (_, of) => {
    const [, text = '', times] = /^(.+)\*(\d+)$/.exec(of) ?? [];
    return text.repeat(Number(times));
  },
};

/** `Sunday, 06-Nov-94 08:49:37 GMT`, an obsolete form of a date (RFC 9110 5.6.7). */
function rfc850Date(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] = date.toUTCString().split(/[ ,]+/);
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(date);
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** `Sun Nov  6 08:49:37 1994`, the other one. */
function asctimeDate(date: Date): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(/[ ,]+/);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
