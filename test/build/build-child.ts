import { buildSite } from '../../generator/build/build.ts';

/** Prints a line when it starts, so that the process that kills it knows how far the build is; then builds. */
const [database = '', out = ''] = process.argv.slice(2);
process.stdout.write('started\n');
await buildSite({ database, out, baseUrl: null, exports: 'retained', keepAll: false, full: false }, () => undefined);
