// Loaded before anything else. On an old Node the program ends here with a plain message, so this file uses only what
// every Node has.
import { readFileSync } from 'node:fs';
import module from 'node:module';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const least = engines.node.replace('>=', '');
const [leastMajor, leastMinor] = least.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `shelfpress: expected Node ${least} or later, got ${process.versions.node}: get it from https://nodejs.org`,
  );
  process.exit(1);
}

// Keeps compiled code between runs: a command starts in half the time.
module.enableCompileCache();
