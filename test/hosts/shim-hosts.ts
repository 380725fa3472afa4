import { RunningServer } from '../serve/running-server.ts';
import { HttpClient } from '../support/http-client.ts';
import { LocalEdge } from '../support/local-edge.ts';
import type { Host, HostKind } from './host.ts';

export const service: HostKind = {
  name: 'serve.ts',
  programs: [],
  start: async ({ dist }) => {
    const server = await RunningServer.start([dist], { RATE_LIMIT_PER_MINUTE: '0' });
    return {
      url: `http://${server.host}:${server.port}`,
      get: (target, headers, method) => server.get(target, headers, method),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

export const worker: HostKind = {
  name: 'worker',
  programs: [],
  start: async ({ dist }) => {
    const variables = { CURSOR_SECRET: 'a secret that only tests know' };
    const edge = await LocalEdge.start([{ name: 'site', bucket: 'site', ratePerMinute: null, variables }]);
    await edge.upload(dist, 'site');
    return clientHost(await edge.urlOf('site'), () => edge[Symbol.asyncDispose]());
  },
};

/** A host at a URL. `stop` ends it. */
export function clientHost(url: URL, stop: () => Promise<void>): Host {
  const client = new HttpClient(url);
  const root = url.href.replace(/\/$/, '');
  const below = root.slice(url.origin.length);
  return {
    url: root,
    get: (target, headers, method) => client.get(`${below}${target}`, headers, method),
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await stop();
    },
  };
}
