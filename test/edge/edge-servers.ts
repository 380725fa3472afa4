import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../contract/paths.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import type { ScriptServers } from '../http/script-runner.ts';
import { brokenSigning, clockAt, cursorSecrets, namedServers } from '../http/servers.ts';
import { HttpClient } from '../support/http-client.ts';
import { enoughOfMinute, LocalEdge, type LocalWorker } from '../support/local-edge.ts';
import { temporaryFolder } from '../units/fixture-series.ts';

/** The servers that scripts name, as workers of one runtime. */
const workers = Object.entries(namedServers).map(([name, server]): LocalWorker => {
  const { site = 'whole', ratePerMinute = null, cannotSign = false, clock } = server;
  const banner = [clock && clockAt(clock), cannotSign && brokenSigning].filter(Boolean).join('');
  return { name, bucket: site, ratePerMinute, variables: cursorSecrets(server), banner };
});

export class EdgeServers implements ScriptServers {
  readonly site: FixtureSite;
  readonly #earlier: FixtureSite;
  readonly #edge: LocalEdge;
  readonly #clients = new Map<string, HttpClient>();

  private constructor(site: FixtureSite, earlier: FixtureSite, edge: LocalEdge) {
    this.site = site;
    this.#earlier = earlier;
    this.#edge = edge;
  }

  static async prepare(): Promise<EdgeServers> {
    const site = await FixtureSite.build();
    const earlier = await FixtureSite.build(10);
    const servers = new EdgeServers(site, earlier, await LocalEdge.start(workers));
    try {
      await servers.#fill();
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #fill(): Promise<void> {
    await this.#edge.upload(this.site.dist, 'main');
    await this.#edge.upload(this.#earlier.dist, 'earlier');
    await this.#edge.upload(this.site.dist, 'damaged', this.site.objectsFor('/v1/categories', '/v1/stores'));
    await damage(this.#edge, this.site);
  }

  async named(name: string): Promise<HttpClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    if (namedServers[name]?.ratePerMinute) await enoughOfMinute();
    const client = new HttpClient(await this.#edge.urlOf(name));
    this.#clients.set(name, client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients.values()) client[Symbol.dispose]();
    await this.#edge[Symbol.asyncDispose]();
    for (const site of [this.site, this.#earlier]) site[Symbol.dispose]();
  }
}

/** Replaces the bytes of the object at one address with others of the same size. */
async function damage(edge: LocalEdge, site: FixtureSite): Promise<void> {
  const { sha256, size } = site.object('/v1/categories');
  const folder = temporaryFolder();
  const file = join(folder.path, sha256);
  writeFileSync(file, ' '.repeat(size));
  await edge.put('damaged', objectPath(sha256), file);
  folder.remove();
}
