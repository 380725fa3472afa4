import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that answers with the URLs of shared servers. A server starts at the first request for it. */
    serverBroker: string;
  }
}

type SharedServer = AsyncDisposable & { readonly url: string };

/** The endpoint of a whole OpenStack Swift that speaks S3, which takes seconds to start. */
export function sharedSwift(): Promise<string> {
  return urlOf('swift');
}

/** The URL of a server for a site that stays as it is. `program`: the bundled serve.ts. */
export function sharedServer(program: string, site: string): Promise<string> {
  return urlOf(`site?${new URLSearchParams({ program, site })}`);
}

async function urlOf(target: string): Promise<string> {
  const reply = await fetch(`${inject('serverBroker')}/${target}`);
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return text;
}

/** Servers for all tests of a run. They run until its end, and only if a test asks for them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = new Map<string, Promise<SharedServer>>();
  const broker = createServer(async ({ url = '' }, response) => {
    const server = servers.get(url) ?? start(new URL(url, 'http://127.0.0.1'));
    servers.set(url, server);
    try {
      response.end((await server).url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(broker.listen(0, '127.0.0.1'), 'listening');
  project.provide('serverBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    const started = await Promise.allSettled(servers.values());
    for (const server of started) if (server.status === 'fulfilled') await server.value[Symbol.asyncDispose]();
  };
}

async function start({ pathname, searchParams }: URL): Promise<SharedServer> {
  if (pathname === '/site') return serve(searchParams.get('program') ?? '', searchParams.get('site') ?? '');
  const { SwiftServer } = await import('../deploy/swift-server.ts');
  const swift = await SwiftServer.start();
  return { url: swift.endpoint, [Symbol.asyncDispose]: () => swift[Symbol.asyncDispose]() };
}

async function serve(program: string, site: string): Promise<SharedServer> {
  const env = { ...process.env, RATE_LIMIT_PER_MINUTE: '0', CURSOR_SECRET: 'a secret of the tests' };
  const server = spawn(process.execPath, [program, site, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = () => server.kill('SIGKILL');
  // Who interrupts a run leaves no time to dispose of anything.
  process.once('exit', kill);
  const ended = once(server, 'exit');
  const died = ended.then(([code]) => Promise.reject(new Error(`serve.ts ended with ${code}`)));
  const [line] = await Promise.race([once(server.stdout, 'data'), died]);
  died.catch(() => undefined);
  return {
    url: /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? '',
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
