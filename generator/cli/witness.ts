import { join } from 'node:path';
import type { Command } from 'commander';
import { witnessFile } from '../../contract/site-layout.ts';
import { makeFolder, replaceFile } from '../files/durable-files.ts';
import { Failure } from '../files/failure.ts';
import { HttpClient } from '../http/http-client.ts';
import { siteRoot } from '../http/urls.ts';
import { RemoteSite } from '../site/remote-site.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { publicationText } from '../terminal/texts.ts';
import { readPrivateKey, readPublicKey } from '../trust/keys.ts';
import { continueFrom } from '../trust/pointer-trust.ts';
import { cosigned } from '../trust/signature-file.ts';
import { headersFor, headersOption, parseSiteUrl, redirectOption } from './options.ts';

type Options = {
  key: string;
  sign: string;
  seen: string;
  out: string;
  allowRedirectsTo?: readonly string[];
  headers?: string;
};

/** Co-signs the pointer of someone else's site, if it continues the history seen before. */
export function defineWitness(command: Command, output: Output): void {
  command
    .argument('<url>', 'public root of the site, with or without /v1', parseSiteUrl)
    .requiredOption('--key <file>', 'public key that must have signed the pointer')
    .requiredOption('--sign <file>', 'private key of the witness, from keygen')
    .requiredOption('--seen <file>', 'file that remembers the newest checkpoint signed')
    .option('--out <folder>', 'folder for the signature', '.')
    .addOption(redirectOption())
    .addOption(headersOption())
    .option('--json', 'print one JSON object', false)
    .action(async (url: string, options: Options) => {
      const [key, witness] = [readPublicKey(options.key), readPrivateKey(options.sign)];
      const root = siteRoot(url);
      output.progress(`asking ${root}`);
      const client = new HttpClient({
        redirectsTo: options.allowRedirectsTo,
        siteHeaders: headersFor(root, options.headers),
      });
      const { pointer, bytes, signature, signed } = await new RemoteSite(root, client, key).current();
      client.stop();
      if (signature === null || signed === null)
        throw new Failure('signature', `${root}: expected a signed site, got one without a signature`);
      // This comes first, because a witness that forgets what it signed could sign two histories.
      await continueFrom(options.seen, root, signed, Date.now());
      makeFolder(options.out);
      const file = join(options.out, witnessFile(witness.fingerprint));
      replaceFile(file, (append) => append(cosigned(bytes, signature, witness)));
      const { number, expires } = signed.checkpoint;
      const { revision, sequence, published_at } = pointer;
      output.result(
        { revision, sequence, published_at, checkpoint: number, expires, witness: witness.fingerprint, file },
        [
          `checkpoint ${number}, ${publicationText(pointer)}, is consistent with the last one seen`,
          `${file}: the signature of witness ${witness.fingerprint}; put it beside current.json`,
        ],
      );
    });
  withExample(
    command,
    'shelfpress witness https://example.org/v1 --key site.key.pub --sign witness.key --seen example.checkpoint',
  );
}
