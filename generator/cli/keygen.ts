import type { Command } from 'commander';
import { writeSuccession } from '../site/key-succession.ts';
import { publicKeyFile, readPrivateKey, successionFile, writeKeyPair } from '../site/keys.ts';
import { type Output, withExample } from './command-line.ts';

/** `keygen FILE`: a key pair to sign and verify sites with. */
export function defineKeygen(command: Command, output: Output): void {
  command
    .argument('<file>', 'new file for the private key; an existing file is never overwritten')
    .option('--rotate <key>', 'the private key that signs the site now, which the new one follows')
    .option('--json', 'print one JSON object', false)
    .action((file: string, { rotate }: { rotate?: string }) => {
      const before = rotate === undefined ? null : readPrivateKey(rotate);
      const { fingerprint, isNew } = writeKeyPair(file);
      if (before) writeSuccession(file, before);
      const publicFile = publicKeyFile(file);
      output.result({ key: fingerprint, private_file: file, public_file: publicFile }, [
        isNew ? `made key ${fingerprint}` : `${file} was there, without its public key: key ${fingerprint}`,
        `${file}: the private key, to build with; keep it secret`,
        `${publicFile}: the public key, to verify with; hand it to readers`,
        ...(before
          ? [`${successionFile(file)}: that it follows key ${before.fingerprint}; keep it beside the private key`]
          : []),
      ]);
    });
  withExample(command, 'shelfpress keygen site.key');
}
