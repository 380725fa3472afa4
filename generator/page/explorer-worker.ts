import { createHash } from 'node:crypto';
import type { Explorer } from '../units/explorer.ts';

/**
 * Null for an explorer without a service worker. The text contains the names of the explorer's files, so that another
 * explorer has another worker. `version`: 16 hex digits that identify it.
 */
export function explorerWorker({
  worker,
  script,
  style,
  files,
}: Pick<Explorer, 'worker' | 'script' | 'style' | 'files'>): {
  readonly version: string;
  readonly text: string;
} | null {
  if (worker === undefined) return null;
  const names = files.map(({ name }) => name).sort();
  const page = { files: names, needed: [script, style] };
  const version = createHash('sha256')
    .update(JSON.stringify([worker, page]))
    .digest('hex')
    .slice(0, 16);
  return { version, text: `self.shelfpress=${JSON.stringify({ version, ...page })};\n${worker}` };
}
