import pMap from 'p-map';
import type * as z from 'zod';
import {
  type ObjectReference,
  type Route,
  type RouteTableRoot,
  routeTableRoot,
  shard,
} from '../../contract/formats/site.ts';
import { objectPath } from '../../contract/paths.ts';
import { Failure } from '../files/failure.ts';
import { jsonObject } from './http/json-object.ts';
import { type RemoteSite, tableClaims } from './remote-site.ts';

const concurrency = 8;

/** The root of a route table on another host. Checks its hash, its schema, and the sizes that it claims for its shards. */
export async function readRemoteRoot(remote: RemoteSite, reference: ObjectReference): Promise<RouteTableRoot> {
  const claims = tableClaims(remote.root);
  claims.addRoot(reference);
  const root = await readPart(remote, reference, routeTableRoot);
  claims.addShards(root);
  if (root.shards.length !== 2 ** root.shard_bits) {
    throw new Failure(
      'host_answer',
      `${remote.root}/${objectPath(reference.sha256)}: expected ${2 ** root.shard_bits} shards, got ${root.shards.length}`,
    );
  }
  return root;
}

/** The routes of some shards, by the number of the shard. */
export async function readRemoteShards(
  remote: RemoteSite,
  { shards }: RouteTableRoot,
  numbers: Iterable<number>,
): Promise<Map<number, Route[]>> {
  const read = async (number: number): Promise<[number, Route[]]> => {
    const reference = shards[number];
    if (reference === undefined) throw new Error(`no shard ${number} in a table of ${shards.length}`);
    return [number, (await readPart(remote, reference, shard)).routes];
  };
  return new Map(await pMap(numbers, read, { concurrency }));
}

/** All routes of a table on another host, shard by shard. */
export async function readRemoteRoutes(remote: RemoteSite, root: RouteTableRoot): Promise<Route[]> {
  const parts = await readRemoteShards(remote, root, root.shards.keys());
  return [...parts.values()].flat();
}

async function readPart<Value>(
  remote: RemoteSite,
  reference: ObjectReference,
  schema: z.ZodType<Value>,
): Promise<Value> {
  const bytes = await remote.object(reference);
  return jsonObject(bytes, schema, `${remote.root}/${objectPath(reference.sha256)}`);
}
