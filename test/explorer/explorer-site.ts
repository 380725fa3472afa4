import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { openPage, type PageOptions, type TestPage } from '../support/browser.ts';

/** The site of the bundled snapshots, served by serve.ts, to look at in Chromium. */
export class ExplorerSite implements AsyncDisposable {
  readonly site: FixtureSite;
  readonly origin: string;
  readonly #server: RunningServer;

  private constructor(site: FixtureSite, server: RunningServer) {
    this.site = site;
    this.origin = server.origin;
    this.#server = server;
  }

  static async start(): Promise<ExplorerSite> {
    const site = await FixtureSite.build(12, 'whole');
    const server = await RunningServer.start(['--dist', site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
    return new ExplorerSite(site, server);
  }

  /** Opens a place of the explorer, such as `#/stores`. */
  open(place: string, options: PageOptions = {}): Promise<TestPage> {
    return openPage(`${this.origin}/${place}`, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.site[Symbol.dispose]();
  }
}
