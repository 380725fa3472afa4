import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { faultsOfFolder } from '../publish/faults-of-folder.ts';
import { type Output, withExample } from './command-line.ts';
import { countOf } from './units.ts';

type Options = { quarantine: boolean; json: boolean };

/** `check SNAPSHOT...`: prints everything that is wrong with each snapshot folder, and fails if anything is. */
export function defineCheck(command: Command, output: Output): void {
  command
    .argument('<snapshot...>', 'snapshot folders, oldest first')
    .option('--quarantine', 'accept faulty rows that publish --quarantine would set aside', false)
    .option('--json', 'print one JSON object per snapshot', false)
    .action(async (folders: string[], { quarantine, json }: Options) => {
      let faulty = 0;
      for (const [index, folder] of folders.entries()) {
        output.progress(`checking ${folder}`, index, folders.length);
        const problems = await faultsOfFolder(folder, null, quarantine);
        const ok = problems.total === 0;
        if (!ok) faulty += 1;
        if (json) output.json({ snapshot: folder, ok, ...problems.facts });
        else if (ok) output.line(`${folder}: no problems`);
        else for (const line of [`${folder}: ${problems.countOfKinds}`, ...problems.lines]) output.line(line);
      }
      if (faulty > 0) throw new Failure(`${faulty} of ${countOf(folders.length, 'snapshot')} would not be published`);
    });
  withExample(command, 'shelfpress check fixtures/*/');
}
