import { mirrorSite } from '../../generator/mirror/mirror.ts';

/** Prints a line when it starts, so that the process that kills it knows how far it is; then mirrors. */
const [url = '', directory = ''] = process.argv.slice(2);
process.stdout.write('started\n');
await mirrorSite({ url, directory, only: null, key: null, force: false }, () => undefined);
