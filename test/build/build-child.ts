import { buildSite } from '../../generator/build/build.ts';

/** Says when it starts, so that whoever kills it knows where in the build it is; then builds. */
const [database = '', out = ''] = process.argv.slice(2);
process.stdout.write('started\n');
await buildSite({ database, out, baseUrl: null, exports: 'retained', keepAll: false, full: false }, () => undefined);
