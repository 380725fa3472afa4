#!/usr/bin/env node
// The installed command. A package has the compiled program; a clone has TypeScript, which needs the loader.
import { existsSync } from 'node:fs';
import module from 'node:module';

const source = new URL('../generator/cli.ts', import.meta.url);

async function start() {
  if (existsSync(source)) {
    const { register } = await import('tsx/esm/api');
    register();
    await import(source.href);
  } else {
    // Node 22.1 and later keep compiled code between runs.
    module.enableCompileCache?.();
    await import('../lib/generator/cli.js');
  }
}

try {
  await start();
} catch (error) {
  // The program explains its own failures. It cannot explain that the system refuses to open its files.
  if (error.syscall === undefined) throw error;
  console.error(`shelfpress: the program cannot be loaded: ${error.message}`);
  process.exitCode = 1;
}
