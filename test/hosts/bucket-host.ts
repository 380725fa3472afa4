import { credentials } from '../deploy/swift-configuration.ts';
import { swiftPrograms } from '../deploy/swift-server.ts';
import { deploy, SwiftAccount, startedSwift } from '../deploy/test-bed.ts';
import type { HostKind } from './host.ts';
import { clientOf } from './shim-hosts.ts';
import { SigningProxy } from './signing-proxy.ts';

/** A bucket in OpenStack Swift that `deploy` filled, read through the S3 interface as a CDN does. */
export const bucket: HostKind = {
  name: 'bucket',
  programs: swiftPrograms,
  start: async ({ dist }) => {
    const swift = new SwiftAccount(await startedSwift());
    const name = await swift.createBucket();
    await deploy(dist, `s3://${name}`, swift.endpoint);
    const proxy = await SigningProxy.start(`${swift.endpoint}/${name}`, credentials);
    return clientOf(proxy.url, async () => {
      await proxy[Symbol.asyncDispose]();
      swift.client.destroy();
    });
  },
};
