import { Log, LogLevel, Miniflare } from 'miniflare';
import { expect, test } from 'vitest';
import { bundleClient, type ClientFile } from '../../generator/client-bundle.ts';
import { ServedSites } from './served-sites.ts';

/* A worker keeps an opened site between requests, where one request may not wait for what another one reads. */

const worker = `
  import { openSite } from './open-site.js';
  let site;
  export default {
    async fetch(request) {
      const url = new URL(request.url);
      site ??= await openSite(url.searchParams.get('site'), url.searchParams.has('proof') ? { proof: true } : {});
      if (!url.searchParams.has('q')) return Response.json(site.publication);
      const { data } = await site.search({ q: url.searchParams.get('q') });
      const changes = await site.changes({ types: ['price_changed'] }).take(3);
      return Response.json([data.length, changes.length]);
    },
  };`;

test('requests that come together are answered, from files and with a proof', async () => {
  await using sites = await ServedSites.start();
  const modules = [{ name: 'main.js', text: worker, loads: [] }, ...(await bundleClient())];
  for (const more of ['', '&proof']) await askTogether(sites, modules, more);
});

async function askTogether(sites: ServedSites, modules: readonly ClientFile[], more: string): Promise<void> {
  sites.files.intercept = () => false;
  const miniflare = new Miniflare({
    modules: modules.map(({ name, text }) => ({ type: 'ESModule', path: `/${name}`, contents: text })),
    modulesRoot: '/',
    compatibilityDate: '2025-01-01',
    cf: false,
    log: new Log(LogLevel.NONE),
  });
  try {
    const at = await miniflare.ready;
    await fetch(`${at}?site=${sites.files.url}${more}`);
    // A slow host, so that the requests overlap.
    sites.files.intercept = () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return false;
    };
    const ask = async (q: string) => (await fetch(`${at}?q=${q}&site=${sites.files.url}${more}`)).text();
    const together = await Promise.all(['peach', 'rye', 'a', 'peach', 'rye'].map(ask));
    for (const text of together) expect(text.slice(0, 500)).toMatch(/^\[[1-9]\d*,3\]$/);
  } finally {
    await miniflare.dispose();
  }
}
