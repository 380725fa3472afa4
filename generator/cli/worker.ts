import type { Command } from 'commander';
import { writeWorker } from '../copies/hosts/worker-files.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { requireOption } from './options.ts';

type Options = { out: string };

export function defineWorker(command: Command, output: Output): void {
  const about = 'folder to write to; an existing wrangler.jsonc is kept, other files are replaced';
  requireOption(command, '--out <dir>', about, 'worker');
  command.option('--json', 'print one JSON object', false).action(async ({ out }: Options) => {
    const { module, bytes, compressedBytes, configuration, isKept } = await writeWorker(out);
    output.result({ module, bytes, compressed_bytes: compressedBytes, configuration, configuration_kept: isKept }, [
      ...(isKept ? [`kept ${configuration} as it is`] : []),
      `wrote ${module}: ${bytes} bytes, ${compressedBytes} compressed`,
    ]);
  });
  withExample(command, 'shelfpress worker --out worker');
}
