#!/usr/bin/env node
// The installed command. A package has the compiled program; a clone has TypeScript, which needs the loader.
import { existsSync } from 'node:fs';
import module from 'node:module';

const source = new URL('../generator/cli.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  // Node 22.1 and later keep compiled code between runs.
  module.enableCompileCache?.();
  await import('../lib/generator/cli.js');
}
