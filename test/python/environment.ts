import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readText } from '../project/repository.ts';

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(
  cache,
  'shelfpress',
  `python-${hash('sha256', readText('test/python/requirements.txt')).slice(0, 16)}`,
);

/** The Python that `test/python/install.sh` installs. */
export const python = join(folder, 'bin/python');

/** Whether its packages are there. The last step of the installation makes this file. */
export const hasPython = existsSync(join(folder, 'installed'));

/** What to say where it is missing. */
export const pythonNeeds = 'Python with the packages that test/python/install.sh installs';
