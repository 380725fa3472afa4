import { buildSite } from '../../generator/build/build.ts';

/** Prints a line when it starts, so that the process that kills it knows how far the build is; then builds. */
const [database = '', out = '', threads = ''] = process.argv.slice(2);
process.stdout.write('started\n');
const options = { baseUrl: null, exports: 'retained', keepAll: false, full: false, threads: Number(threads) } as const;
await buildSite({ database, out, ...options }, () => undefined);
