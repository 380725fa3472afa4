import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../generator/contract/paths.ts';
import { RunningServer } from '../serve/running-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FixtureSite } from './fixture-site.ts';

const secret = 'a secret that only tests know';

/** Environment with Node's options for a process that runs this source before anything else. */
function beginningWith(source: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}

/** A clock that stands still. */
function clockAt(time: string): string {
  return `Date.now = () => Date.parse('2026-01-01T${time}Z');`;
}

const brokenSigning = "globalThis.btoa = () => { throw new Error('a detail that nobody is told'); };";

/** The servers that scripts name. Each is a real process that starts at its first request. */
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
    const start = this.#starts[name];
    if (!start) throw new Error(`no server is called ${name}`);
    const running = this.#running.get(name) ?? start();
    this.#running.set(name, running);
    return running;
  }

  readonly #starts: Readonly<Record<string, () => Promise<RunningServer>>> = {
    /** The whole fixtures, without a rate limit. */
    main: () => this.#start(this.site.dist),
    /**
     * The same at three times: in the last second of a minute, when the cursors of that minute expire, and a second
     * later.
     */
    minute: () => this.#start(this.site.dist, beginningWith(clockAt('00:00:59'))),
    expiring: () => this.#start(this.site.dist, beginningWith(clockAt('00:15:00'))),
    expired: () => this.#start(this.site.dist, beginningWith(clockAt('00:15:01'))),
    /** The same with another secret. */
    stranger: () => this.#start(this.site.dist, { CURSOR_SECRET: 'a secret of somebody else' }),
    /** The same after the secret was changed, while clients still have cursors signed with the previous one. */
    renewed: () =>
      this.#start(this.site.dist, {
        CURSOR_SECRET: 'another secret that only tests know',
        CURSOR_SECRET_PREVIOUS: secret,
      }),
    /** The same with a limit of three requests a minute. */
    limited: () => this.#start(this.site.dist, { RATE_LIMIT_PER_MINUTE: '3' }),
    /** The same site before its two newest publications. */
    earlier: async () => {
      const site = await FixtureSite.build(10);
      this.#sites.push(site);
      return this.#start(site.dist);
    },
    /** A server without a publication. */
    empty: () => this.#start(join(this.#folder, 'empty')),
    /** The same site with a damaged object at one address. */
    damaged: () => {
      const dist = join(this.#folder, 'damaged');
      cpSync(this.site.dist, dist, { recursive: true, verbatimSymlinks: true });
      const { sha256, size } = this.site.object('/v1/categories');
      writeFileSync(join(dist, objectPath(sha256)), ' '.repeat(size));
      return this.#start(dist);
    },
    /** A service that fails to sign cursors, through no fault of a client. */
    broken: () => this.#start(this.site.dist, beginningWith(brokenSigning)),
  };

  #start(dist: string, environment: Record<string, string> = {}): Promise<RunningServer> {
    const defaults = { RATE_LIMIT_PER_MINUTE: '0', CURSOR_SECRET: secret };
    return RunningServer.start(['--dist', dist], { ...defaults, ...environment });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(async (server) => (await server)[Symbol.asyncDispose]()));
    for (const site of this.#sites) site[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
