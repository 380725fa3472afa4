import { hash } from 'node:crypto';
import pMap from 'p-map';
import type { Pointer, Route } from '../contract/formats/site.ts';
import { pointerFile } from '../contract/paths.ts';
import { type ClientOptions, HttpClient } from '../remote/http-client.ts';
import { siteRoot } from '../remote/urls.ts';
import { checkRoute } from '../site/checked-table.ts';
import type { Fault, FaultList } from '../site/fault.ts';
import type { SigningKey } from '../site/keys.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { readRemoteRoot, readRemoteRoutes } from '../site/remote-table.ts';
import type { VerifyProgress } from './documents.ts';
import { checkLiveRoute } from './live-route.ts';
import { steadyLook } from './steady-look.ts';

const concurrency = 8;

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
export async function verifyLive(options: LiveOptions, progress: VerifyProgress): Promise<LiveVerification> {
  const client = new HttpClient(options);
  const root = siteRoot(options.url);
  const remote = new RemoteSite(root, client, options.key);
  try {
    progress('asking for the pointer', 0, 1);
    const { current, found, faults, failure } = await steadyLook(remote, ({ pointer }, seen) =>
      checkPublication(pointer, seen, { ...options, client, remote, progress }),
    );
    if (found === null) throw failure;
    const { requests, bytes } = client;
    const counts = { ...found, requests, bytes, faults: faults.total };
    return { pointer: current.pointer, counts, faults: faults.first() };
  } finally {
    client.stop();
  }
}

type Tools = Pick<LiveOptions, 'sample' | 'bytesOnly'> & {
  readonly client: HttpClient;
  readonly remote: RemoteSite;
  readonly progress: VerifyProgress;
};

async function checkPublication(pointer: Pointer, faults: FaultList, tools: Tools) {
  const { client, remote, sample, bytesOnly, progress } = tools;
  progress('reading the route table', 0, 1);
  const routes = await readTable(remote, pointer, faults);
  const asked = sampleOf(routes, pointer.revision, sample);
  let done = 0;
  await pMap(
    asked,
    async (route) => {
      await checkLiveRoute({ client, remote, pointer, bytesOnly, faults }, route);
      done += 1;
      progress('asking for addresses', done, asked.length);
    },
    { concurrency },
  );
  return { routes: routes.length, asked: asked.length };
}

/** All routes, sorted by path. Checks each route, but not its shard and position in the table. */
async function readTable(remote: RemoteSite, pointer: Pointer, faults: FaultList): Promise<Route[]> {
  const root = await readRemoteRoot(remote, pointer.routes);
  const routes = await readRemoteRoutes(remote, root);
  if (routes.length !== root.route_count) {
    faults.add('table_inconsistent', pointerFile, `${root.route_count} routes in its table`, String(routes.length));
  }
  for (const route of routes) checkRoute(route, pointer.published_at, faults);
  return routes.sort((a, b) => (a.path < b.path ? -1 : 1));
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
