import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath } from '../../generator/contract/paths.ts';
import { RunningServer } from '../serve/running-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FixtureSite } from './fixture-site.ts';

const secret = 'a secret that only tests know';

/** Node's options for a process that runs this before anything else. */
function beginningWith(source: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}

/** A clock that stands still. */
function clockAt(time: string): string {
  return `Date.now = () => Date.parse('2026-01-01T${time}Z');`;
}

const brokenCryptography = "crypto.subtle.sign = () => { throw new Error('a detail that nobody is told'); };";

/** The servers that scripts name, each a real process, started when it is first asked something. */
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
    /** The same in the last second of a minute; when cursors of that minute expire; and a second later. */
    minute: () => this.#start(this.site.dist, beginningWith(clockAt('00:00:59'))),
    expiring: () => this.#start(this.site.dist, beginningWith(clockAt('00:15:00'))),
    expired: () => this.#start(this.site.dist, beginningWith(clockAt('00:15:01'))),
    /** The same with a secret of its own. */
    stranger: () => this.#start(this.site.dist, { CURSOR_SECRET: 'a secret of somebody else' }),
    /** The same after the secret was changed, while cursors of the former one are about. */
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
    /** Nothing was published yet. */
    empty: () => this.#start(join(this.#folder, 'empty')),
    /** The same site with other bytes than it promises at one address. */
    damaged: () => {
      const dist = join(this.#folder, 'damaged');
      cpSync(this.site.dist, dist, { recursive: true, verbatimSymlinks: true });
      const { sha256, size } = this.site.object('/v1/categories');
      writeFileSync(join(dist, objectPath(sha256)), ' '.repeat(size));
      return this.#start(dist);
    },
    /** A service that cannot sign a cursor, for a reason that is none of a client's business. */
    broken: () => this.#start(this.site.dist, beginningWith(brokenCryptography)),
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
