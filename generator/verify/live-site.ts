import { hash } from 'node:crypto';
import pMap from 'p-map';
import type * as z from 'zod';
import { type ObjectReference, type Pointer, type Route, routeTableRoot, shard } from '../contract/formats/site.ts';
import { objectPath, pointerFile } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { type ClientOptions, HttpClient } from '../remote/http-client.ts';
import { jsonObject } from '../remote/json-object.ts';
import { siteRoot } from '../remote/urls.ts';
import { checkRoute } from '../site/checked-table.ts';
import { type Fault, FaultList } from '../site/fault.ts';
import type { SigningKey } from '../site/keys.ts';
import { type RemotePointer, RemoteSite, TableClaims } from '../site/remote-site.ts';
import { checkLiveRoute } from './live-route.ts';

const concurrency = 8;

/** Attempts in all. A site may publish during a check, which then starts again with the new pointer. */
const beginnings = 3;

export type LiveOptions = ClientOptions & {
  readonly url: string;
  readonly key: SigningKey | null;
  /** Number of addresses to request; null: all. */
  readonly sample: number | null;
  /** Do not check headers, because not every host can send them. */
  readonly bytesOnly: boolean;
};

export type LiveVerification = {
  readonly pointer: Pointer;
  readonly counts: {
    /** Addresses of the current publication. `asked`: how many of them were requested. */
    readonly routes: number;
    readonly asked: number;
    readonly requests: number;
    readonly bytes: number;
    readonly faults: number;
  };
  readonly faults: readonly Fault[];
};

/**
 * Checks a site over HTTP: its pointer and signature, its whole route table, and a sample or all of the current
 * publication's addresses, each requested as a reader would. The revision decides the sample, so everyone checks the
 * same addresses, and others for the next publication. Throws a Failure when pointer or route table cannot be used.
 */
export async function verifyLive(options: LiveOptions, progress: (text: string) => void): Promise<LiveVerification> {
  const client = new HttpClient(options);
  const root = siteRoot(options.url);
  const remote = new RemoteSite(root, client, options.key);
  try {
    progress(`asking for ${pointerFile}`);
    let current = await remote.current();
    for (let beginning = 1; ; beginning += 1) {
      const look = await lookAt(current, { ...options, client, remote, progress });
      // An answer that goes missing because a new publication replaces this one is not a fault.
      const isSound = look.failure === null && look.faults.total === 0;
      const moved: RemotePointer | null = isSound ? null : await remote.pointer(current);
      if (moved === null || beginning === beginnings) {
        if (look.failure) throw look.failure;
        const { pointer, routes, asked, faults } = look;
        const { requests, bytes } = client;
        return { pointer, counts: { routes, asked, requests, bytes, faults: faults.total }, faults: faults.first() };
      }
      current = moved;
    }
  } finally {
    client.stop();
  }
}

type Look = {
  readonly pointer: Pointer;
  readonly routes: number;
  readonly asked: number;
  readonly faults: FaultList;
  readonly failure: Failure | null;
};

type Tools = Pick<LiveOptions, 'sample' | 'bytesOnly'> & {
  readonly client: HttpClient;
  readonly remote: RemoteSite;
  readonly progress: (text: string) => void;
};

async function lookAt({ pointer }: RemotePointer, tools: Tools): Promise<Look> {
  const { client, remote, sample, bytesOnly, progress } = tools;
  const faults = new FaultList();
  try {
    progress('reading the route table');
    const routes = await readTable(remote, pointer, faults);
    const asked = sampleOf(routes, pointer.revision, sample);
    let done = 0;
    await pMap(
      asked,
      async (route) => {
        await checkLiveRoute({ client, remote, pointer, bytesOnly, faults }, route);
        done += 1;
        progress(`asking for addresses: ${done} of ${asked.length}`);
      },
      { concurrency },
    );
    return { pointer, routes: routes.length, asked: asked.length, faults, failure: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { pointer, routes: 0, asked: 0, faults, failure: error };
  }
}

/** All routes, sorted by path. Checks each route, but not its shard and position in the table. */
async function readTable(remote: RemoteSite, pointer: Pointer, faults: FaultList): Promise<Route[]> {
  const claims = new TableClaims(remote.root);
  claims.addRoot(pointer.routes);
  const root = await readPart(remote, pointer.routes, routeTableRoot);
  claims.addShards(root);
  const shards = await pMap(root.shards, (reference) => readPart(remote, reference, shard), { concurrency });
  const routes = shards.flatMap((part) => part.routes);
  if (routes.length !== root.route_count) {
    faults.add('table_inconsistent', pointerFile, `${root.route_count} routes in its table`, String(routes.length));
  }
  for (const route of routes) checkRoute(route, pointer.published_at, faults);
  return routes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readPart<Value>(
  remote: RemoteSite,
  reference: ObjectReference,
  schema: z.ZodType<Value>,
): Promise<Value> {
  const bytes = await remote.object(reference);
  return jsonObject(bytes, schema, `${remote.root}/${objectPath(reference.sha256)}`);
}

/** The first routes in order of the hash of revision and path. */
function sampleOf(routes: readonly Route[], revision: string, size: number | null): Route[] {
  if (size === null || size >= routes.length) return [...routes];
  const drawn = routes.map((route) => ({ route, lot: hash('sha256', `${revision} ${route.path}`) }));
  return drawn
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, size)
    .map(({ route }) => route);
}
