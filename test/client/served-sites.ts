import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pointerFile } from '../../contract/paths.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** Writes the files of a site's current publication, as in an unpacked bundle. */
export function unpack(dist: string, folder: string): void {
  cpSync(join(dist, 'site'), folder, { recursive: true, dereference: true });
  for (const name of ['objects', pointerFile]) cpSync(join(dist, name), join(folder, name), { recursive: true });
}

/** The fixtures on a host that computes, and as files on a host that knows nothing about them. */
export class ServedSites implements AsyncDisposable {
  readonly site: FixtureSite;
  readonly service: RunningServer;
  readonly files: StaticHost;
  readonly #folder: string;

  private constructor(site: FixtureSite, service: RunningServer, files: StaticHost, folder: string) {
    this.site = site;
    this.service = service;
    this.files = files;
    this.#folder = folder;
  }

  static async start(): Promise<ServedSites> {
    const site = await FixtureSite.build();
    const folder = temporaryFolder();
    unpack(site.dist, folder);
    const service = await RunningServer.start([site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
    return new ServedSites(site, service, await StaticHost.start(folder), folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
    this.site[Symbol.dispose]();
    removeFolder(this.#folder);
  }
}
