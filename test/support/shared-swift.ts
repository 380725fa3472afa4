import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { SwiftServer } from '../deploy/swift-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that answers with the endpoint of a Swift that speaks S3. The Swift starts at the first request. */
    swiftBroker: string;
  }
}

/** One Swift for all tests of a run, because it takes seconds to start. It starts only if a test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<SwiftServer> | null = null;
  const broker = createServer(async (_request, response) => {
    starting ??= import('../deploy/swift-server.ts').then((module) => module.SwiftServer.start());
    try {
      response.end((await starting).endpoint);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  project.provide('swiftBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    if (starting) await (await starting)[Symbol.asyncDispose]();
  };
}
