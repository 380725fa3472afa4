import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { fillWithExample } from './preview.ts';
import { defineServe } from './serve.ts';

/** Serves the bundled snapshots from a temporary folder until a signal ends it. */
export function defineDemo(command: Command, output: Output): void {
  defineServe(command, output, { fill: fillWithExample, folder: temporaryFolder });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
