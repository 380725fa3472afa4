import type { Command } from 'commander';
import { bundleSite } from '../bundle/bundle.ts';
import type { Output } from './command-line.ts';
import { withExample } from './command-line.ts';
import { durationText, sizeText } from './units.ts';

/** `bundle DIR FILE.zip`: the current publication as one file. */
export function defineBundle(command: Command, output: Output): void {
  command
    .argument('<dir>', 'folder of the site, or of a complete mirror')
    .argument('<file>', 'new ZIP file; an existing file is never overwritten')
    .option('--json', 'print the summary as one JSON object', false)
    .action((directory: string, file: string, { json }: { json: boolean }) => {
      const started = performance.now();
      const { pointer, files, bytes } = bundleSite(directory, file, (done, of) => {
        output.progress('bundling', done, of);
      });
      const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
      const { revision, sequence, published_at } = pointer;
      if (json) output.json({ revision, sequence, published_at, files, bytes, seconds });
      else {
        output.line(`bundled publication ${sequence}, revision ${revision}, published ${published_at}, as ${file}`);
        output.line(`${files} files, ${sizeText(bytes)}; ${durationText(seconds)}`);
      }
    });
  withExample(command, 'shelfpress bundle dist publication.zip');
}
