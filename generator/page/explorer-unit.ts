import { formatPath } from '../../contract/paths.ts';
import { type BuildContext, onMainThread, type Stages } from '../units/kind.ts';
import { explorerManifest } from './explorer-manifest.ts';
import { explorerPage } from './explorer-page.ts';
import { explorerWorker } from './explorer-worker.ts';

/** The unit of the explorer. */
export const stages = {
  'listing files': { explorer: onMainThread('explorer', makeExplorer) },
} satisfies Partial<Stages>;

/** The kind of address of a file of the explorer, by its extension. */
const assetKinds = { js: 'explorer_script', css: 'explorer_style', json: 'explorer_data' } as const;

/** Writes the explorer and its files. Their names are hashes of their content, so they never change. */
function makeExplorer(context: BuildContext): undefined {
  const { writer, explorer } = context;
  if (explorer === null) return;
  const worker = explorerWorker(explorer);
  const manifest = worker && explorerManifest(writer.state);
  for (const { name, text } of [...explorer.files, ...(manifest ? [manifest] : [])]) {
    const [asset = '', extension] = name.split('.');
    const kind = assetKinds[extension as keyof typeof assetKinds];
    if (kind === undefined) throw new Error(`expected a file of the explorer, got ${name}`);
    writer.writeFile(formatPath(kind, { asset }), Buffer.from(text));
  }
  if (worker !== null) writer.writeFile(formatPath('explorer_worker'), Buffer.from(worker.text));
  writer.writeFile(formatPath('explorer'), explorerPage(writer.state, explorer, context.headElements()));
}
