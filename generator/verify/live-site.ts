import { hash } from 'node:crypto';
import pMap from 'p-map';
import { formatPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import { metadata } from '../../contract/schemas/metadata.ts';
import { documentSchema } from '../../contract/schemas/primitives.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { Failure } from '../files/failure.ts';
import { type ClientOptions, HttpClient } from '../http/http-client.ts';
import { jsonObject } from '../http/json-object.ts';
import { siteRoot } from '../http/urls.ts';
import { checkExpiry } from '../site/checked-pointer.ts';
import { checkRoute } from '../site/checked-table.ts';
import { FaultList } from '../site/fault.ts';
import { type RemotePointer, RemoteSite } from '../site/remote-site.ts';
import { TableReader } from '../site/table-reader.ts';
import type { SigningKey } from '../trust/keys.ts';
import type { VerifyProgress } from './documents.ts';
import { checkLiveRoute, type Host } from './live-route.ts';

const concurrency = 8;

/** A small sample leaves out larger answers, so that a check that runs every few minutes does not download exports. */
const largestDrawn = 1024 * 1024;

/** Attempts in all. A site may publish during a check, which then starts again with the new pointer. */
const attempts = 3;

const metadataDocument = documentSchema(metadata);

type HostOptions = ClientOptions & {
  readonly url: string;
  readonly key: SigningKey | null;
  /** Whether to leave headers unchecked, because not every host can send them. */
  readonly bytesOnly: boolean;
};

/** `sample`: number of addresses to request; null: all. */
export type LiveOptions = HostOptions & { readonly sample: number | null };

export type LiveVerification = Awaited<ReturnType<typeof verifyLive>>;

/**
 * Checks a site over HTTP: its pointer and signature, its whole route table, and a sample or all of the current
 * publication's addresses, each requested as a reader would. The revision decides the sample, so everyone checks the
 * same addresses, and others for the next publication. Throws a Failure when pointer or route table cannot be used.
 */
export async function verifyLive(options: LiveOptions, progress: VerifyProgress) {
  progress('asking for the pointer', 0, 1);
  const all = { ...options, checksCodings: true };
  const { client, current, found, faults, failure } = await steadyLook(all, async (host, { pointer, signed }, seen) => {
    progress('reading the route table', 0, 1);
    const routes = await readTable(host.remote, pointer, seen);
    if (signed !== null && options.key !== null) checkExpiry(signed, signatureFile, Date.now(), seen);
    const asked = options.sample === null ? routes : drawRoutes(routes, pointer.revision, options.sample);
    await checkAnswers(host, pointer, asked, seen, (done) => progress('asking for addresses', done, asked.length));
    /** Addresses of the current publication, and how many of them were requested. */
    return { routes: routes.length, asked: asked.length };
  });
  if (found === null) throw failure;
  const { requests, bytes } = client;
  return {
    pointer: current.pointer,
    counts: { ...found, requests, bytes, faults: faults.total },
    faults: faults.first(),
  };
}

/** `sample`: number of addresses to request, the metadata included. */
export type SampleOptions = HostOptions & { readonly sample: number };

/**
 * A sampled check. `metadata` and `checked` are null and 0, and `failure` says why, when the check could not finish.
 */
export type SampleCheck = Awaited<ReturnType<typeof checkSample>>;

/**
 * Checks a few addresses of a live site, the metadata and some that the revision decides, and reads only the parts of
 * the route table that they are in. Takes about a dozen requests, whatever the size of the site. Throws a Failure when
 * the pointer cannot be used.
 */
export async function checkSample(options: SampleOptions) {
  const few = { ...options, checksCodings: false };
  const { client, current, found, faults, failure } = await steadyLook(few, async (host, { pointer }, seen) => {
    const { remote } = host;
    const table = await TableReader.open(remote, pointer.routes, remote.root);
    const { metadataRoute, others } = await readDrawnRoutes(table, remote.root, pointer.revision, options.sample - 1);
    const checked = [metadataRoute, ...others];
    for (const route of checked) checkRoute(route, pointer.published_at, seen);
    await checkAnswers(host, pointer, checked, seen);
    const place = `${remote.root}${metadataRoute.path}`;
    const document = jsonObject(await remote.readObject(metadataRoute), metadataDocument, place);
    return { metadata: document, routes: table.root.route_count, checked: checked.length };
  });
  const { requests, bytes } = client;
  return {
    pointer: current.pointer,
    signed: current.signed,
    ...(found ?? { metadata: null, routes: 0, checked: 0 }),
    failure,
    requests,
    bytes,
    faultCount: faults.total,
    faults: faults.first(),
  };
}

/**
 * Checks the current publication of a host. When the check finds a fault and the site has published since, it starts
 * again with the new pointer, because an answer that goes missing with its publication is not a fault. In the result,
 * `found` is null and `failure` says why when the check could not finish.
 */
async function steadyLook<Found>(
  options: HostOptions & Pick<Host, 'checksCodings'>,
  check: (host: Host, current: RemotePointer, faults: FaultList) => Promise<Found>,
) {
  const client = new HttpClient(options);
  try {
    const remote = new RemoteSite(siteRoot(options.url), client, options.key);
    const host = { client, remote, bytesOnly: options.bytesOnly, checksCodings: options.checksCodings };
    let current = await remote.current();
    for (let attempt = 1; ; attempt += 1) {
      const faults = new FaultList();
      let [found, failure]: [Found | null, Failure | null] = [null, null];
      try {
        found = await check(host, current, faults);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failure = error;
      }
      const look = { client, current, found, faults, failure };
      if ((failure === null && faults.total === 0) || attempt === attempts) return look;
      const moved = await remote.pointer(current);
      if (moved === null) return look;
      current = moved;
    }
  } finally {
    client.stop();
  }
}

async function checkAnswers(
  host: Host,
  pointer: Pointer,
  routes: readonly Route[],
  faults: FaultList,
  progress: (done: number) => void = () => {},
): Promise<void> {
  let done = 0;
  await pMap(
    routes,
    async (route) => {
      await checkLiveRoute({ ...host, pointer, faults }, route);
      done += 1;
      progress(done);
    },
    { concurrency },
  );
}

/** All routes, sorted by path. Checks each route, but not its shard and position in the table. */
async function readTable(remote: RemoteSite, pointer: Pointer, faults: FaultList): Promise<Route[]> {
  const table = await TableReader.open(remote, pointer.routes, remote.root);
  const routes = await table.routes();
  const { route_count } = table.root;
  if (routes.length !== route_count) {
    faults.add('table_inconsistent', pointerFile, `${route_count} routes in its table`, String(routes.length));
  }
  for (const route of routes) checkRoute(route, pointer.published_at, faults);
  return routes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The route of the metadata, and about `size` other routes with small answers, from the shards that are read for them.
 * The revision decides which ones, so that anybody can repeat a failure.
 */
async function readDrawnRoutes(table: TableReader, place: string, revision: string, size: number) {
  const { root } = table;
  const drawn = new Map<number, number>();
  for (let draw = 0; draw < Math.min(size, root.route_count); draw += 1) {
    const number = hash('sha256', `${revision} ${draw}`, 'buffer').readUInt32BE(0) % root.shards.length;
    drawn.set(number, (drawn.get(number) ?? 0) + 1);
  }
  const path = formatPath('metadata');
  const home = table.shardNumberFor(path);
  const shards = await table.shards(new Set([home, ...drawn.keys()]));
  const metadataRoute = shards.get(home)?.find((route) => route.path === path);
  if (metadataRoute === undefined)
    throw new Failure('host_answer', `${place}: expected ${path} in its route table, got none`);
  const others = [...drawn].flatMap(([number, count]) => {
    const routes = shards.get(number) ?? [];
    const small = routes.filter((route) => route.path !== path && route.size <= largestDrawn);
    return drawRoutes(small, revision, count);
  });
  return { metadataRoute, others };
}

/** The first routes in order of the hash of revision and path. */
function drawRoutes(routes: readonly Route[], revision: string, size: number): Route[] {
  if (size >= routes.length) return [...routes];
  return routes
    .map((route) => ({ route, lot: hash('sha256', `${revision} ${route.path}`) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, size)
    .map(({ route }) => route);
}
