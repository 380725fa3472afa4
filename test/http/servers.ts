import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../contract/paths.ts';
import { RunningServer } from '../serve/running-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FixtureSite } from './fixture-site.ts';

const secret = 'a secret that only tests know';

/** How a server that scripts name differs from the usual one. `clock`: the time at which its clock stands still. */
export type NamedServer = {
  readonly site?: 'earlier' | 'empty' | 'damaged';
  readonly clock?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly ratePerMinute?: number;
  readonly cannotSign?: boolean;
};

/** The servers that scripts name, on every host. */
export const namedServers: Readonly<Record<string, NamedServer>> = {
  /** The whole fixtures, without a rate limit. */
  main: {},
  /** In the last second of a minute, when the cursors of that minute expire, and a second later. */
  minute: { clock: '00:00:59' },
  expiring: { clock: '00:15:00' },
  expired: { clock: '00:15:01' },
  stranger: { secrets: { CURSOR_SECRET: "somebody else's secret" } },
  /** After a change of secret, while clients still have cursors signed with the previous one. */
  renewed: {
    secrets: { CURSOR_SECRET: 'another secret that only tests know', CURSOR_SECRET_PREVIOUS: secret },
  },
  limited: { ratePerMinute: 3 },
  /** Before the two newest publications. */
  earlier: { site: 'earlier' },
  /** Without a publication. */
  empty: { site: 'empty' },
  /** With a damaged object at one address. */
  damaged: { site: 'damaged' },
  /** Fails to sign cursors, through no fault of the client. */
  broken: { cannotSign: true },
};

/** The secrets with which a server signs cursors. */
export function cursorSecrets({ secrets }: NamedServer): Record<string, string> {
  return { CURSOR_SECRET: secret, ...secrets };
}

/** Source that makes a clock stand still. */
export function clockAt(time: string): string {
  return `Date.now = () => Date.parse('2026-01-01T${time}Z');`;
}

/** Source that makes signing fail. */
export const brokenSigning =
  "SubtleCrypto.prototype.sign = () => { throw new Error('a detail that nobody is told'); };";

/** The servers that scripts name. Each is a real process that starts with its first request. */
export class Servers implements AsyncDisposable {
  readonly site: FixtureSite;
  readonly #running = new Map<string, Promise<RunningServer>>();
  readonly #sites: FixtureSite[] = [];
  readonly #folder = temporaryFolder();

  private constructor(site: FixtureSite) {
    this.site = site;
    this.#sites.push(site);
  }

  static async prepare(): Promise<Servers> {
    return new Servers(await FixtureSite.build());
  }

  named(name: string): Promise<RunningServer> {
    const server = namedServers[name];
    if (!server) throw new Error(`no server is called ${name}`);
    const running = this.#running.get(name) ?? this.#start(server);
    this.#running.set(name, running);
    return running;
  }

  async #start(server: NamedServer): Promise<RunningServer> {
    const source = [server.clock && clockAt(server.clock), server.cannotSign && brokenSigning].filter(Boolean).join('');
    return RunningServer.start([await this.#siteFolder(server.site)], {
      RATE_LIMIT_PER_MINUTE: String(server.ratePerMinute ?? 0),
      NODE_OPTIONS: source && `--import=data:text/javascript,${encodeURIComponent(source)}`,
      ...cursorSecrets(server),
    });
  }

  async #siteFolder(site: NamedServer['site']): Promise<string> {
    if (site === undefined) return this.site.dist;
    if (site === 'empty') return join(this.#folder, 'empty');
    if (site === 'earlier') {
      const earlier = await FixtureSite.build(10);
      this.#sites.push(earlier);
      return earlier.dist;
    }
    const dist = join(this.#folder, 'damaged');
    cpSync(this.site.dist, dist, { recursive: true, verbatimSymlinks: true });
    const { sha256, size } = this.site.object('/v1/categories');
    writeFileSync(join(dist, objectPath(sha256)), ' '.repeat(size));
    return dist;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(async (server) => (await server)[Symbol.asyncDispose]()));
    for (const site of this.#sites) site[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
