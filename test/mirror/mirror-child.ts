import { mirrorSite } from '../../generator/mirror/mirror.ts';

/** Says when it starts, so that whoever kills it knows where it is; then mirrors. */
const [url = '', directory = ''] = process.argv.slice(2);
process.stdout.write('started\n');
await mirrorSite({ url, directory, only: null, key: null, force: false }, () => undefined);
