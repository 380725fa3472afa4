import type { Command } from 'commander';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, publicationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { depositPublication } from './deposit.ts';

type Options = { readonly revision?: string };

export function defineDeposit(command: Command, output: Output): void {
  command
    .argument('<site>', 'folder of the site, or of a complete mirror')
    .argument('<folder>', 'new folder; an existing one is never changed')
    .option('--revision <revision>', 'a retained publication; default the current one')
    .option('--json', 'print the summary as one JSON object', false)
    .action((directory: string, folder: string, { revision }: Options) => {
      const elapsed = stopwatch();
      const { files, bytes, isOpen, ...publication } = depositPublication(directory, folder, revision ?? null);
      const seconds = elapsed();
      output.result({ ...publication, files, bytes, is_open: isOpen, seconds }, [
        `wrote ${publicationText(publication)}, to ${folder}`,
        `${files} files, ${sizeText(bytes)}; ${durationText(seconds)}`,
        ...(isOpen
          ? []
          : ['the data have no license, so zenodo.json says that access is closed: choose one before you publish']),
      ]);
    });
  withExample(command, 'shelfpress deposit dist deposit');
}
