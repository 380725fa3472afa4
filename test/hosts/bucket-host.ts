import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureFile } from '../../contract/paths.ts';
import { credentials } from '../deploy/swift-configuration.ts';
import { swiftPrograms } from '../deploy/swift-server.ts';
import { deploy, SwiftAccount } from '../deploy/test-bed.ts';
import { sharedSwift } from '../support/shared-servers.ts';
import { runFolder } from '../support/temporary-folder.ts';
import { readSite } from '../units/site-tree.ts';
import type { HostKind } from './host.ts';
import { clientHost } from './shim-hosts.ts';
import { SigningProxy } from './signing-proxy.ts';

/**
 * A bucket in OpenStack Swift that `deploy` filled, read through the S3 interface as a CDN does. Tests share the bucket
 * of a publication, because filling it takes a thousand uploads.
 */
export const bucket: HostKind = {
  name: 'bucket',
  programs: swiftPrograms,
  start: async ({ dist }) => {
    const swift = new SwiftAccount(await sharedSwift());
    const kept = join(runFolder(), `bucket-of-${readSite(dist).pointer.routes.sha256}`);
    const name = existsSync(kept) ? readFileSync(kept, 'utf8') : await swift.createBucket();
    if (!existsSync(kept) || existsSync(join(dist, signatureFile))) await deploy(dist, `s3://${name}`, swift.endpoint);
    writeFileSync(kept, name);
    const proxy = await SigningProxy.start(`${swift.endpoint}/${name}`, credentials);
    return clientHost(proxy.url, async () => {
      await proxy[Symbol.asyncDispose]();
      swift.client.destroy();
    });
  },
};
