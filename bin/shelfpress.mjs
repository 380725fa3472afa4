#!/usr/bin/env node
import { existsSync } from 'node:fs';
// The installed command. A package contains the compiled program, a clone the TypeScript source.
import { version } from './prepare-node.mjs';

const source = new URL('../generator/cli/cli.ts', import.meta.url);

try {
  if (process.argv.slice(2).join() === '--version') printVersion();
  else await (existsSync(source) ? import(source.href) : import('../lib/generator/cli/cli.js'));
} catch (error) {
  // The program explains its own failures. It cannot explain an error of the system that keeps its own files from being
  // read.
  if (error.syscall === undefined) throw error;
  console.error(`shelfpress: the program cannot be loaded: ${error.message}`);
  process.exitCode = 1;
}

/** Scripts ask for the version to see whether the command works. They need not wait until the program is loaded. */
function printVersion() {
  process.stdout.on('error', ({ code, message }) => {
    process.exitCode = 1;
    // A reader that has gone needs no explanation.
    if (code !== 'EPIPE') console.error(`shelfpress: standard output could not be written: ${message}`);
  });
  process.stdout.write(`${version}\n`);
}
