import { createHash } from 'node:crypto';
import type { Explorer } from './explorer-page.ts';

/**
 * The worker of the page for people; null for a page without. It is told the files of the page, so that another page has another
 * worker, which keeps its own. `version`: 16 hex digits, by which the page names it.
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
