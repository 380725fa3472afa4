import type { Command } from 'commander';
import { publicKeyFile, writeKeyPair } from '../site/keys.ts';
import { type Output, withExample } from './command-line.ts';

/** `keygen FILE`: a key pair to sign and verify sites with. */
export function defineKeygen(command: Command, output: Output): void {
  command
    .argument('<file>', 'new file for the private key; an existing file is never overwritten')
    .option('--json', 'print one JSON object', false)
    .action((file: string) => {
      const { fingerprint, isNew } = writeKeyPair(file);
      const publicFile = publicKeyFile(file);
      output.result({ key: fingerprint, private_file: file, public_file: publicFile }, [
        isNew ? `made key ${fingerprint}` : `${file} was there, without its public key: key ${fingerprint}`,
        `${file}: the private key, to build with; keep it secret`,
        `${publicFile}: the public key, to verify with; hand it to readers`,
      ]);
    });
  withExample(command, 'shelfpress keygen site.key');
}
