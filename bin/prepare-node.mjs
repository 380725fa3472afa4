// Loaded before anything else. An old Node ends here with a plain line, so this file uses nothing that one lacks.
import { readFileSync } from 'node:fs';
import module from 'node:module';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const least = engines.node.replace('>=', '');
const [leastMajor, leastMinor] = least.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(`shelfpress: expected Node ${least} or later, got ${process.versions.node}: https://nodejs.org has it`);
  process.exit(1);
}

// Keeps compiled code between runs: a command starts in half the time.
module.enableCompileCache();
