import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CursorSecrets } from '../../shim/lists/cursor-signing.ts';
import { StopSignals } from '../../shim/node/server-process.ts';
import { pointerFile } from '../contract/paths.ts';
import { explainFile, Failure } from '../failure.ts';
import { type Output, withExample } from './command-line.ts';
import { addServeOptions, serveOptionsOf } from './serve-options.ts';

/** What fills the default folder when it has no publication. */
export type Filling = (dist: string) => Promise<void>;

/**
 * `serve`: a built site over HTTP, with the whole API. The signals are handled as soon as the command is defined, because
 * the modules of the server are loaded later.
 */
export function defineServe(command: Command, _output: Output, fill: Filling | null = null): void {
  const signals = new StopSignals();
  addServeOptions(command);
  command
    .showHelpAfterError(false)
    .addHelpText(
      'after',
      `
An option overrides its environment variable. The secret that signs cursors comes from the environment only:
CURSOR_SECRET, at least 16 characters, and CURSOR_SECRET_PREVIOUS, the secret before it.`,
    )
    .action(async () => {
      const { isDefaultDist, ...options } = serveOptionsOf(command);
      const { cursorSecrets } = await import('../../shim/lists/cursor-signing.ts');
      const secrets = readSecrets(command, cursorSecrets);
      refuseFile(options.dist);
      if (fill && isDefaultDist && !existsSync(join(options.dist, pointerFile))) await fill(options.dist);
      const { serve } = await import('../../shim/node/service.ts');
      await explainListening(serve(options, secrets, signals));
    });
  withExample(command, 'shelfpress serve --dist dist --port 8080\n  curl http://127.0.0.1:8080/v1');
}

/** A folder that is not there yet may come. What is no folder will never be one. */
function refuseFile(dist: string): void {
  const stats = explainFile(dist, 'the folder of a site', () => statSync(dist, { throwIfNoEntry: false }));
  if (stats?.isDirectory() === false) throw new Failure(`${dist}: expected the folder of a site, got a file`);
}

/** The secrets of the environment. A secret that cannot be used is wrong usage. */
function readSecrets(command: Command, read: (environment: NodeJS.ProcessEnv) => CursorSecrets): CursorSecrets {
  try {
    return read(process.env);
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`);
  }
}

/** The system calls that fail when an address cannot be listened on. */
const listening = ['listen', 'bind', 'getaddrinfo'];

async function explainListening(served: Promise<void>): Promise<void> {
  try {
    await served;
  } catch (error) {
    const { syscall = '', message } = error as NodeJS.ErrnoException;
    throw listening.includes(syscall) ? new Failure(`cannot serve: ${message}`) : error;
  }
}
