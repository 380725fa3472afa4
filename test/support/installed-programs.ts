import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheck } from './check-mode.ts';
import { packagedChromium } from './packaged-chromium.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What is not installed, so that the test is skipped. */
    missing?: string;
  }
}

/** An ordinary user may not have the folders of servers on the PATH. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/usr/bin'];

/** Programs together with packages that a test needs. Any other name is that of a program. */
const withPackages: Readonly<Record<string, () => string | undefined>> = {
  chromium: () => places('chromium')[0] ?? (isCheck ? packagedChromium() : undefined),
  // It can belong to the system's Python, while another one is first on the PATH.
  'Python with pandas': () => places('python3').find((file) => succeeds(file, '-c', 'import pandas')),
  'Python with pyarrow': () =>
    [preparedPython(), ...places('python3')].find((file) => file && succeeds(file, '-c', 'import pandas, pyarrow')),
  'Python with the packages of test/python/install.sh': preparedPython,
  'Python with avro': () => places('python3').find((file) => succeeds(file, '-c', 'import avro.datafile')),
  'Python with swift': () => places('python3').find((file) => succeeds(file, '-c', 'import swift')),
  'R with jsonlite': () => places('Rscript').find((file) => succeeds(file, '-e', 'library(jsonlite)')),
  // Some containers forbid tracing.
  strace: () => places('strace').find((file) => succeeds(file, '-o', '/dev/null', 'true')),
  'docker compose': () => places('docker').find((file) => succeeds(file, 'compose', 'version')),
  ClickHouse: () => existing(join(project, 'test/clickhouse/node_modules/@chdb')) && process.execPath,
  'openapi-typescript': () => existing(join(project, 'test/openapi-client/node_modules')),
};

const project = fileURLToPath(new URL('../../', import.meta.url));
const found = new Map<string, string | undefined>();

/**
 * The path of a program that tests and benchmarks use only if it is installed; undefined if it is not. This is the only
 * place that looks for them. If the environment variable SHELFPRESS_OPTIONAL_PROGRAMS is `none`, as in `npm test`, it
 * finds none.
 */
export function installed(name: string): string | undefined {
  if (process.env.SHELFPRESS_OPTIONAL_PROGRAMS === 'none') return undefined;
  if (!found.has(name)) found.set(name, withPackages[name] ? withPackages[name]() : places(name)[0]);
  return found.get(name);
}

/** The same for a test that runs only if it is there. */
export function program(name: string): string {
  const file = installed(name);
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

/**
 * Options for a test or group that is skipped unless all of these are installed. The list at the end of a run says so.
 */
export function needing(...names: readonly string[]): { skip: boolean; meta: { missing?: string } } {
  const missing = names.find((name) => installed(name) === undefined);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}

/** The Python that `test/python/install.sh` makes. The last step of that makes the file `installed`. */
function preparedPython(): string | undefined {
  const requirements = readFileSync(join(project, 'test/python/requirements.txt'));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'shelfpress', `python-${hash('sha256', requirements).slice(0, 16)}`);
  return existsSync(join(folder, 'installed')) ? join(folder, 'bin/python') : undefined;
}

function places(name: string): string[] {
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}

function succeeds(file: string, ...args: readonly string[]): boolean {
  return spawnSync(file, args).status === 0;
}
