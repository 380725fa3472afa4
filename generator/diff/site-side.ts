import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataAbout } from '../contract/documents/metadata.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import {
  type ObjectReference,
  type Pointer,
  type Route,
  type RouteTableRoot,
  shardNumber,
} from '../contract/formats/site.ts';
import { objectPath, pathOf } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { HttpClient } from '../remote/http-client.ts';
import { jsonObject } from '../remote/json-object.ts';
import { FileReceiver } from '../remote/receivers.ts';
import { siteRoot } from '../remote/urls.ts';
import { SiteFiles } from '../site/checked-files.ts';
import { pointerIn } from '../site/checked-pointer.ts';
import { readExport } from '../site/export-reader.ts';
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
  const { pointer } = pointerIn(storage, folder);
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
  return siteSide(name, pointer, table, { fileOf, isHeld }, () => undefined);
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
    return siteSide(name, pointer, table, { fileOf, isHeld: () => true }, close);
  } catch (error) {
    close();
    throw error;
  }
}

function siteSide(name: string, pointer: Pointer, table: SideTable, objects: Objects, close: () => void): Side {
  const found = new Map<string, Route>();
  /** The route of an address, which is read once. `what`: what stands before its path in a message. */
  const routeAt = async (path: string, what = ''): Promise<Route> => {
    if (!found.has(path)) {
      const routes = await table.routes([shardNumber(hash('sha256', path), table.root.shard_bits)]);
      for (const route of routes) found.set(route.path, route);
    }
    const route = found.get(path);
    if (!route) throw new Failure(`${name}: expected ${what}${path} in its route table, got none`);
    return route;
  };
  const exportOf = (resource: ExportResource) =>
    routeAt(pathOf('export', { revision: pointer.revision, resource }), 'the export ');
  return {
    name,
    publication: pointer,
    table,
    close,
    async about() {
      const path = pathOf('metadata');
      const route = await routeAt(path);
      if (!objects.isHeld(route)) return undefined;
      const file = await objects.fileOf(route);
      return jsonObject(readFileSync(file), metadataAbout, `${name}: ${path}`).data.about;
    },
    exportHash: async (resource) => (await exportOf(resource)).sha256,
    async *records(resource) {
      const route = await exportOf(resource);
      const file = await objects.fileOf(route);
      yield* readExport({ file, size: route.size, resource, name: `${name}: ${route.path}` });
    },
  };
}

function shardOf({ shards }: RouteTableRoot, number: number): ObjectReference {
  const reference = shards[number];
  if (reference === undefined) throw new Error(`no shard ${number} in a table of ${shards.length}`);
  return reference;
}
