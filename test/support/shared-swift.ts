import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { SwiftServer } from '../deploy/swift-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the endpoint of a Swift that speaks S3, which it starts when it is first asked. */
    swiftBroker: string;
  }
}

/** One Swift for all tests of a run that ask for it, as it takes seconds to start; none where nobody asks. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<SwiftServer> | null = null;
  const broker = createServer(async (_request, response) => {
    starting ??= SwiftServer.start();
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
