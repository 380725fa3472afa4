import { buildSite } from '../../generator/assembly/build-site.ts';

/** Prints a line and builds. The line tells the process that will kill the build that it starts now. */
const [database = '', out = '', threads = ''] = process.argv.slice(2);
process.stdout.write('started\n');
const options = { baseUrl: null, exports: 'retained', keepAll: false, full: false, threads: Number(threads) } as const;
await buildSite({ database, out, ...options }, () => undefined);
