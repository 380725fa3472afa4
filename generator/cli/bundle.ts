import type { Command } from 'commander';
import { bundleSite } from '../copies/bundle/bundle.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, publicationText, sizeText, stopwatch } from '../terminal/texts.ts';

export function defineBundle(command: Command, output: Output): void {
  command
    .argument('<site>', 'folder of the site, or of a complete mirror')
    .argument('<file>', 'new ZIP file; an existing file is never overwritten')
    .option('--json', 'print the summary as one JSON object', false)
    .action((directory: string, file: string) => {
      const elapsed = stopwatch();
      const { pointer, files, bytes } = bundleSite(directory, file, (done, of) => {
        output.progress('bundling', done, of);
      });
      const seconds = elapsed();
      const { revision, sequence, published_at } = pointer;
      output.result({ revision, sequence, published_at, files, bytes, seconds }, [
        `bundled ${publicationText(pointer)}, as ${file}`,
        `${files} files, ${sizeText(bytes)}; ${durationText(seconds)}`,
      ]);
    });
  withExample(command, 'shelfpress bundle dist publication.zip');
}
