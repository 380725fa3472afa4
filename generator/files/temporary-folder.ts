import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `use` with a new folder among the system's temporary files, and returns its result. Removes the folder at the
 * end, even after a failure or when a signal ends the process.
 */
export async function useTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  let folder: string | null = null;
  const remove = () => folder !== null && rmSync(folder, { recursive: true, force: true });
  const removeAndEnd = (signal: NodeJS.Signals) => {
    remove();
    process.off(signal, removeAndEnd);
    process.kill(process.pid, signal);
  };
  // A signal can come as soon as the folder exists.
  for (const signal of signals) process.once(signal, removeAndEnd);
  try {
    folder = mkdtempSync(join(tmpdir(), 'shelfpress-'));
    return await use(folder);
  } finally {
    for (const signal of signals) process.off(signal, removeAndEnd);
    remove();
  }
}
