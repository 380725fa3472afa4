import { existsSync } from 'node:fs';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { pointerFile, prefix } from './generator/contract/paths.ts';
import { stopGracefully } from './generator/hosts/node/graceful-stop.ts';
import { help, parseOptions, type ServeOptions, UsageError } from './generator/hosts/node/options.ts';
import { createSiteServer } from './generator/hosts/node/server.ts';

/** Less than the ten seconds after which a supervisor usually kills. */
const stopWithinMs = 8000;

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args, process.env);
  if (options === 'help') {
    process.stdout.write(help);
    return;
  }
  if (options.isDefaultDist && !existsSync(join(options.dist, pointerFile))) await buildFixtures(options.dist);
  await serve(options);
}

/** So that a fresh clone has something to serve. */
async function buildFixtures(dist: string): Promise<void> {
  console.error(`${dist} has no publication yet: building the bundled fixtures`);
  const preview = await import('./generator/preview.ts');
  await preview.buildFixtures(dist);
}

/** Resolves when the server listens. */
async function serve({ dist, host, port, baseUrl }: ServeOptions): Promise<void> {
  const log = (message: string) => console.error(`${new Date().toISOString()} ${message}`);
  const server = createSiteServer({ dist, baseUrl, log });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  console.log(`Shelfpress serves ${dist} at http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}${prefix}`);

  const stop = () => {
    log('stopping');
    void stopGracefully(server, stopWithinMs).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`serve: ${(error as Error).message}${isUsage ? ' (see --help)' : ''}`);
  process.exit(isUsage ? 2 : 1);
}
