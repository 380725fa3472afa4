import { hash } from 'node:crypto';
import pMap from 'p-map';
import { documentOf } from '../contract/documents/envelope.ts';
import { metadata } from '../contract/documents/metadata.ts';
import { type Pointer, type Route, type RouteTableRoot, shardNumber } from '../contract/formats/site.ts';
import { pathOf } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { HttpClient } from '../remote/http-client.ts';
import { jsonObject } from '../remote/json-object.ts';
import { siteRoot } from '../remote/urls.ts';
import { checkRoute } from '../site/checked-table.ts';
import type { Fault, FaultList } from '../site/fault.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { readRemoteRoot, readRemoteShards } from '../site/remote-table.ts';
import { checkLiveRoute } from './live-route.ts';
import type { LiveOptions } from './live-site.ts';
import { steadyLook } from './steady-look.ts';

const concurrency = 8;

/** Larger answers are not drawn, so that a check that runs every few minutes does not download exports. */
const largestDrawn = 1024 * 1024;

const metadataDocument = documentOf(metadata);
type MetadataDocument = ReturnType<typeof metadataDocument.parse>;

export type SampleOptions = Omit<LiveOptions, 'sample'> & {
  /** Number of addresses to request, the metadata included. */
  readonly sample: number;
};

/** A sampled check. `metadata` and `checked` are null and 0, and `failure` says why, when the check could not finish. */
export type SampleCheck = {
  readonly pointer: Pointer;
  readonly metadata: MetadataDocument | null;
  readonly failure: Failure | null;
  readonly routes: number;
  readonly checked: number;
  readonly requests: number;
  readonly bytes: number;
  readonly faultCount: number;
  readonly faults: readonly Fault[];
};

type Tools = Pick<SampleOptions, 'sample' | 'bytesOnly'> & {
  readonly client: HttpClient;
  readonly remote: RemoteSite;
};

/**
 * Checks a few addresses of a live site, the metadata and some that the revision decides, and reads only the parts of
 * the route table that they are in. Takes about a dozen requests, whatever the size of the site. Throws a Failure when
 * the pointer cannot be used.
 */
export async function checkSample(options: SampleOptions): Promise<SampleCheck> {
  const client = new HttpClient(options);
  const remote = new RemoteSite(siteRoot(options.url), client, options.key);
  try {
    const { current, found, faults, failure } = await steadyLook(remote, ({ pointer }, seen) =>
      checkPublication(pointer, seen, { ...options, client, remote }),
    );
    const { requests, bytes } = client;
    return {
      pointer: current.pointer,
      ...(found ?? { metadata: null, routes: 0, checked: 0 }),
      failure,
      requests,
      bytes,
      faultCount: faults.total,
      faults: faults.first(),
    };
  } finally {
    client.stop();
  }
}

async function checkPublication(pointer: Pointer, faults: FaultList, tools: Tools) {
  const { client, remote, sample, bytesOnly } = tools;
  const root = await readRemoteRoot(remote, pointer.routes);
  const drawn = drawShards(root, pointer.revision, sample - 1);
  const home = shardNumber(hash('sha256', pathOf('metadata')), root.shard_bits);
  const shards = await readRemoteShards(remote, root, new Set([home, ...drawn.keys()]));
  const own = shards.get(home)?.find(({ path }) => path === pathOf('metadata'));
  if (own === undefined)
    throw new Failure(`${remote.root}: expected ${pathOf('metadata')} in its route table, got none`);
  const others = [...drawn].flatMap(([number, count]) => drawRoutes(shards.get(number) ?? [], pointer.revision, count));
  const checked = [own, ...others];
  for (const route of checked) checkRoute(route, pointer.published_at, faults);
  await pMap(checked, (route) => checkLiveRoute({ client, remote, pointer, bytesOnly, faults }, route), {
    concurrency,
  });
  return { metadata: await readMetadata(remote, own), routes: root.route_count, checked: checked.length };
}

async function readMetadata(remote: RemoteSite, route: Route): Promise<MetadataDocument> {
  return jsonObject(await remote.object(route), metadataDocument, `${remote.root}${route.path}`);
}

/** How many addresses to check in which shard. The revision decides it, so that anybody can repeat a failure. */
function drawShards({ shards, route_count }: RouteTableRoot, revision: string, size: number): Map<number, number> {
  const drawn = new Map<number, number>();
  for (let draw = 0; draw < Math.min(size, route_count); draw += 1) {
    const number = hash('sha256', `${revision} ${draw}`, 'buffer').readUInt32BE(0) % shards.length;
    drawn.set(number, (drawn.get(number) ?? 0) + 1);
  }
  return drawn;
}

/** The first routes of a shard in order of the hash of revision and path, without the metadata and large answers. */
function drawRoutes(routes: readonly Route[], revision: string, size: number): Route[] {
  return routes
    .filter(({ path, size: bytes }) => path !== pathOf('metadata') && bytes <= largestDrawn)
    .map((route) => ({ route, lot: hash('sha256', `${revision} ${route.path}`) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, size)
    .map(({ route }) => route);
}
