// Loaded before anything else. On an old Node the program continues with the Node that a clone installs, or ends with a
// plain message, so this file uses only what every Node has.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const { engines, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const least = engines.node.replace('>=', '');
const [leastMajor, leastMinor] = least.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  // This check runs once: a Node that was started here is new enough, unless something is wrong with it.
  if (existsSync(own) && process.env.SHELFPRESS_NODE === undefined) {
    const { spawn } = await import('node:child_process');
    const environment = Object.assign({}, process.env, { SHELFPRESS_NODE: own });
    const child = spawn(own, process.execArgv.concat(process.argv.slice(1)), { stdio: 'inherit', env: environment });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    const [code, signal] = await new Promise((resolve) => child.once('exit', (...ended) => resolve(ended)));
    process.exit(signal === null ? code : 1);
  }
  console.error(
    `shelfpress: expected Node ${least} or later, got ${process.versions.node}: get it from https://nodejs.org`,
  );
  process.exit(1);
}

// Keeps compiled code between runs: a command starts in half the time.
module.enableCompileCache();

export { version };
