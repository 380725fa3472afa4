import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { clientAddress } from '../../shim/node/client-address.ts';
import { createLog } from '../../shim/node/log.ts';
import type { Limits } from '../../shim/node/options.ts';
import { createSiteServer } from '../../shim/node/server.ts';
import type { SiteOnDisk } from './site-on-disk.ts';

/**
 * The server of serve.ts in this process, for tests of what serve.ts has no options for. It listens until the test is
 * over.
 */
export async function siteServer(disk: SiteOnDisk, limits: Partial<Limits> = {}) {
  const { log, close } = createLog('silent', 'json');
  const site = createSiteServer({
    dist: disk.folder,
    baseUrl: null,
    log,
    logRequests: false,
    clientAddress: clientAddress([]),
    limiter: null,
    cursorSecrets: ['a secret of the tests'],
    withMetrics: false,
    limits: { connectionsCheckingInterval: 50, ...limits },
  });
  site.server.listen(0, '127.0.0.1');
  await once(site.server, 'listening');
  onTestFinished(async () => {
    await site.stop(0);
    await close();
  });
  return { ...site, port: (site.server.address() as AddressInfo).port };
}
