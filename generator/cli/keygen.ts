import type { Command } from 'commander';
import { type Output, withExample } from '../terminal/output.ts';
import { writeSuccession } from '../trust/key-succession.ts';
import { publicKeyFile, readPrivateKey, successionFile, writeKeyPair } from '../trust/keys.ts';

export function defineKeygen(command: Command, output: Output): void {
  command
    .argument('<file>', 'new file for the private key; an existing file is never overwritten')
    .option('--rotate <key>', 'the private key that signs the site now, which the new one replaces')
    .option('--json', 'print one JSON object', false)
    .action((file: string, { rotate }: { rotate?: string }) => {
      const before = rotate === undefined ? null : readPrivateKey(rotate);
      const { fingerprint, isNew } = writeKeyPair(file);
      if (before) writeSuccession(file, before);
      const publicFile = publicKeyFile(file);
      output.result({ key: fingerprint, private_file: file, public_file: publicFile }, [
        isNew ? `made key ${fingerprint}` : `${file} already existed, without its public key: key ${fingerprint}`,
        `${file}: the private key, for building; keep it secret`,
        `${publicFile}: the public key, for verifying; give it to readers`,
        ...(before
          ? [
              `${successionFile(file)}: states that it replaces key ${before.fingerprint}; keep it beside the private key`,
            ]
          : []),
      ]);
    });
  withExample(command, 'shelfpress keygen site.key');
}
