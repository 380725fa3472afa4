#!/usr/bin/env node
// The installed command. A package contains the compiled program, a clone the TypeScript source.
import './prepare-node.mjs';
import { existsSync } from 'node:fs';

const source = new URL('../generator/cli/cli.ts', import.meta.url);

try {
  await (existsSync(source) ? import(source.href) : import('../lib/generator/cli/cli.js'));
} catch (error) {
  // The program explains its own failures. It cannot explain an error of the system that keeps its own files from being
  // read.
  if (error.syscall === undefined) throw error;
  console.error(`shelfpress: the program cannot be loaded: ${error.message}`);
  process.exitCode = 1;
}
