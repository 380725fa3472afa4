import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { formatFault } from '../store/verification/fault.ts';
import { type VerificationCounts, verifySite } from '../store/verify.ts';
import { readPublicKey } from '../trust/key-files.ts';
import { withExample } from './help.ts';
import type { Output } from './output.ts';

type Options = { key?: string; json: boolean };

/** `verify DIR`: one line a fault, by path, and a failure; or one line of counts. */
export function addVerify(program: Command, output: Output): void {
  const command = program
    .command('verify')
    .description('check a built site: every hash, schema, link, list, export and checkout file')
    .argument('<dir>', 'folder of the site')
    .option('--key <file>', 'the public key that must have signed the pointer')
    .option('--json', 'print one JSON object: ok, counts, faults', false)
    .action(async (directory: string, options: Options) => {
      const { json } = options;
      const key = options.key === undefined ? null : readPublicKey(options.key);
      const started = performance.now();
      const { counts, faults, partial } = await verifySite(directory, (text) => output.progress(text), key);
      const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
      output.clearProgress();
      const ok = counts.faults === 0;
      if (json) output.json({ ok, counts: { ...counts, seconds }, partial, faults });
      else if (ok && partial) {
        const held = `${counts.routes} of ${partial.route_count} routes, only ${partial.only.join(' ')}`;
        const read = `${counts.objects} objects, ${counts.bytes} bytes`;
        output.line(`verified ${directory}, a partial mirror: ${held}; ${read}; ${seconds} s`);
      } else if (ok) output.line(`verified ${directory}: ${summaryOf(counts)}; ${seconds} s`);
      else for (const fault of faults) output.line(formatFault(fault));
      if (!ok) throw new Failure(`${directory} is faulty: ${totalOf(counts.faults, faults.length)}`);
    });
  withExample(command, 'shelfpress verify dist');
}

function summaryOf(counts: VerificationCounts): string {
  const { routes, objects, bytes, lists, rows, export_records, unnamed_objects, unnamed_checkouts } = counts;
  return [
    `${routes} routes, ${objects} objects, ${bytes} bytes`,
    `${lists} lists walked, ${rows} rows, ${export_records} export records`,
    `${unnamed_objects} unnamed objects, ${unnamed_checkouts} unnamed checkouts`,
  ].join('; ');
}

function totalOf(total: number, shown: number): string {
  return `${total} fault${total === 1 ? '' : 's'}${total > shown ? `, of which the first ${shown} are shown` : ''}`;
}
