import { afterAll } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import type { TinySite } from '../shim/tiny-site.ts';
import type { Reply } from '../support/http-client.ts';
import { RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

/** A folder with a site for all tests in a file. They must not change it. */
export function sharedDisk(site: TinySite): SiteOnDisk {
  const disk = new SiteOnDisk(site);
  afterAll(() => disk[Symbol.dispose]());
  return disk;
}

/** Starts serve.ts over a site for all tests in a file, and ends it after them. Await it before the first test. */
export async function servedExample(site: TinySite): Promise<RunningServer> {
  const server = await RunningServer.start([sharedDisk(site).folder]);
  afterAll(() => server[Symbol.asyncDispose]());
  return server;
}

/** The code of the problem in an answer. */
export function problemCode({ body }: Reply): string {
  return problem.parse(JSON.parse(body.toString())).code;
}
