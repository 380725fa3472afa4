import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { type PageOptions, TestBrowser, type TestPage } from '../support/browser.ts';

/** The site of the bundled snapshots, served by serve.ts, with Chromium to look at it. */
export class ExplorerSite implements AsyncDisposable {
  readonly site: FixtureSite;
  readonly origin: string;
  readonly #server: RunningServer;
  readonly browser: TestBrowser;

  private constructor(site: FixtureSite, server: RunningServer, browser: TestBrowser) {
    this.site = site;
    this.origin = server.origin;
    this.#server = server;
    this.browser = browser;
  }

  static async start(): Promise<ExplorerSite> {
    const site = await FixtureSite.build(12, 'whole');
    const server = await RunningServer.start(['--dist', site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
    return new ExplorerSite(site, server, await TestBrowser.launch());
  }

  /** Opens a place of the explorer, such as `#/stores`. */
  open(place: string, options: PageOptions = {}): Promise<TestPage> {
    return this.browser.open(`${this.origin}/${place}`, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
    this.site[Symbol.dispose]();
  }
}
