import { formatPath } from '../../contract/paths.ts';
import { type BuildContext, onMainThread, type Stages } from '../units/kind.ts';
import { explorerManifest } from './explorer-manifest.ts';
import { explorerPage } from './explorer-page.ts';
import { explorerWorker } from './explorer-worker.ts';

export const stages = {
  'listing files': { explorer: onMainThread('explorer', makeExplorer) },
} satisfies Partial<Stages>;

const assetKinds = { js: 'explorer_script', css: 'explorer_style', json: 'explorer_data' } as const;

/** Names of the files are hashes of their content, so the files never change. */
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
