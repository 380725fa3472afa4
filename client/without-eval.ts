import * as z from 'zod';

let loads = 0;
let before: boolean | undefined;

/**
 * Loads modules whose schemas must not compile themselves with `eval`, which many pages forbid. A schema reads zod's
 * setting for this when it is made. The rest of the program shares the setting, so it is restored afterwards.
 */
export async function withoutEval<Module>(load: () => Promise<Module>): Promise<Module> {
  if (loads === 0) before = z.config().jitless;
  loads += 1;
  z.config({ jitless: true });
  try {
    return await load();
  } finally {
    loads -= 1;
    if (loads === 0) z.config({ jitless: before });
  }
}
