import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type About, metadataAbout } from '../contract/documents/metadata.ts';
import { type ExportResource, exportResource } from '../contract/formats/export.ts';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  shardNumber,
} from '../contract/formats/site.ts';
import { objectPath, pathOf, pointerFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { HttpClient } from '../remote/http-client.ts';
import { jsonObject } from '../remote/json-object.ts';
import { FileReceiver } from '../remote/receivers.ts';
import { siteRoot } from '../remote/urls.ts';
import { SiteFiles } from '../site/checked-files.ts';
import { soundPointer } from '../site/checked-pointer.ts';
import { type ExportRecord, readExport } from '../site/export-reader.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { readRemoteRoot, readRemoteShards } from '../site/remote-table.ts';
import { routesOfShard, routeTableRootOf } from '../site/route-table.ts';
import { Storage } from '../site/storage.ts';
import type { Side, SideTable } from './side.ts';

/** Brings the file of an object onto this machine, with its hash checked, and returns its path. */
type FileOf = (reference: ObjectReference) => Promise<string>;

/** The objects of a site. A partial mirror does not hold all. */
type Objects = { readonly fileOf: FileOf; readonly isHeld: (reference: ObjectReference) => boolean };

/** The current publication of a site in a folder. Throws a Failure when there is none. */
export function openFolderSide(name: string, folder: string): Side {
  const storage = new Storage(folder);
  const bytes = storage.read(pointerFile);
  if (bytes === null) {
    throw new Failure(`${folder}: expected the folder of a site, with ${pointerFile}, got a folder without it`);
  }
  const pointer = soundPointer(bytes, `${folder}/`);
  const root = routeTableRootOf(storage, pointer.routes);
  const table: SideTable = {
    reference: pointer.routes,
    root,
    routes: async (shards) => [...shards].flatMap((number) => routesOfShard(storage, shardOf(root, number))),
  };
  const files = new SiteFiles(folder);
  const fileOf: FileOf = async ({ sha256 }) => {
    const path = objectPath(sha256);
    const found = existsSync(files.locate(path)) ? files.digest(path).sha256 : 'no such file';
    if (found !== sha256) throw new Failure(`${folder}/${path}: expected a file with that SHA-256, got ${found}`);
    return files.locate(path);
  };
  const isHeld = ({ sha256 }: ObjectReference) => existsSync(files.locate(objectPath(sha256)));
  return new SiteSide(name, pointer, table, { fileOf, isHeld }, () => undefined);
}

/** The current publication of a live site. Its exports are downloaded into a temporary folder, which `close` removes. */
export async function openRemoteSide(name: string, redirectsTo: readonly string[] | undefined): Promise<Side> {
  const client = new HttpClient({ redirectsTo });
  const remote = new RemoteSite(siteRoot(name), client, null);
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-diff-'));
  const close = () => {
    client.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { pointer } = await remote.current();
    const root = await readRemoteRoot(remote, pointer.routes);
    const table: SideTable = {
      reference: pointer.routes,
      root,
      routes: async (shards) => [...(await readRemoteShards(remote, root, shards)).values()].flat(),
    };
    const fileOf: FileOf = async (reference) => {
      const file = join(folder, reference.sha256);
      await remote.receive(reference, () => new FileReceiver(file));
      return file;
    };
    return new SiteSide(name, pointer, table, { fileOf, isHeld: () => true }, close);
  } catch (error) {
    close();
    throw error;
  }
}

class SiteSide implements Side {
  readonly name: string;
  readonly publication: Pointer;
  readonly table: SideTable;
  readonly #objects: Objects;
  readonly #exports = new Map<ExportResource, Route>();
  readonly close: () => void;

  constructor(name: string, pointer: Pointer, table: SideTable, objects: Objects, close: () => void) {
    this.name = name;
    this.publication = pointer;
    this.table = table;
    this.#objects = objects;
    this.close = close;
  }

  async about(): Promise<About | null | undefined> {
    const path = pathOf('metadata');
    const routes = await this.table.routes([shardNumber(hash('sha256', path), this.table.root.shard_bits)]);
    const route = routes.find((one) => one.path === path);
    if (!route) throw new Failure(`${this.name}: expected ${path} in its route table, got none`);
    if (!this.#objects.isHeld(route)) return undefined;
    const file = await this.#objects.fileOf(route);
    return jsonObject(readFileSync(file), metadataAbout, `${this.name}: ${path}`).data.about;
  }

  async exportHash(resource: ExportResource): Promise<string> {
    return (await this.#export(resource)).sha256;
  }

  async *records(resource: ExportResource): AsyncGenerator<readonly ExportRecord[]> {
    const route = await this.#export(resource);
    const file = await this.#objects.fileOf(route);
    yield* readExport({ file, size: route.size, resource, name: `${this.name}: ${route.path}` });
  }

  async #export(resource: ExportResource): Promise<Route> {
    if (this.#exports.size === 0) await this.#findExports();
    const route = this.#exports.get(resource);
    if (route) return route;
    const path = pathOf('export', { revision: this.publication.revision, resource });
    throw new Failure(`${this.name}: expected the export ${path} in its route table, got none`);
  }

  async #findExports(): Promise<void> {
    const { revision } = this.publication;
    const paths = new Map(
      exportResource.options.map((resource) => [pathOf('export', { revision, resource }), resource]),
    );
    const shards = new Set(
      [...paths.keys()].map((path) => shardNumber(hash('sha256', path), this.table.root.shard_bits)),
    );
    for (const route of await this.table.routes(shards)) {
      const resource = paths.get(route.path);
      if (resource) this.#exports.set(resource, route);
    }
  }
}

function shardOf({ shards }: RouteTableRoot, number: number): ObjectReference {
  const reference = shards[number];
  if (reference === undefined) throw new Error(`no shard ${number} in a table of ${shards.length}`);
  return reference;
}
