import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { pointerFile } from '../../contract/paths.ts';
import { writeHostFiles } from '../../generator/copies/hosts/host-files.ts';
import { defaultPlacement } from '../../generator/copies/hosts/plain-site.ts';
import { temporaryFolder } from '../units/fixture-series.ts';
import type { HostKind } from './host.ts';
import { clientHost } from './shim-hosts.ts';

/** Cloudflare's static asset server, in workerd, over a checkout with `_headers` and `_redirects`. */
export const staticAssets: HostKind = {
  name: 'static assets',
  programs: [],
  start: async ({ dist }) => {
    const { path: folder, remove } = temporaryFolder();
    const directory = join(folder, 'public');
    const placement = { ...defaultPlacement(dist), out: join(folder, 'hosts') };
    writeHostFiles(placement, ['static']);
    cpSync(join(dist, 'site'), directory, { recursive: true, dereference: true });
    for (const name of ['objects', pointerFile]) cpSync(join(dist, name), join(directory, name), { recursive: true });
    for (const name of ['_headers', '_redirects']) cpSync(join(placement.out, 'static', name), join(directory, name));
    const miniflare = new Miniflare({
      name: 'site',
      modules: true,
      script: 'export default { fetch: () => new Response(null, { status: 404 }) };',
      assets: {
        directory,
        assetConfig: { html_handling: 'none', not_found_handling: 'none' },
        routerConfig: { has_user_worker: false },
      },
      cf: false,
      log: new Log(LogLevel.NONE),
    });
    return clientHost(await miniflare.ready, async () => {
      await miniflare.dispose();
      remove();
    });
  },
};
