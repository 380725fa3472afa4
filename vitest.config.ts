import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** Test files that take long though they are small. At the end of a run they would have a processor to themselves. */
const slow = [
  'units/kill',
  'commands/update',
  'hosts/hosts',
  'edge/scripts',
  'units/random-series',
  'units/unit-inputs',
  'edge/reads',
  'mirror/kill',
  'http/scripts',
  'deploy/safety',
  'client/runtimes',
  'package/installed',
  'project/console-examples',
  'units/change-pieces',
  'publish/diff.property',
  'deploy/two-deploys',
  'publish/kill',
  'explorer/every-view',
].map((name) => `/test/${name}.`);

const nightly = 'test/**/*.nightly.test.ts';

/** Starts slow files first, and the others as usual: from the largest to the smallest. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.includes(name));
      return place < 0 ? slow.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * `vitest run` is `npm test`: it holds every promise once, in two minutes, and looks for no program that a machine may
 * lack. `vitest run --mode check` is the last step of `npm run check`: it also runs the files `*.full.test.ts`, which
 * are long or need such a program, and the long parts of other files. `vitest run --mode nightly` is `npm run nightly`:
 * the files `*.nightly.test.ts`, which try every moment of a failure, every host and every runtime.
 */
export default defineConfig(({ mode }) => {
  const isWhole = mode === 'check' || mode === 'nightly';
  return {
    test: {
      include: [mode === 'nightly' ? nightly : 'test/**/*.test.ts'],
      exclude: [
        ...configDefaults.exclude,
        ...(mode === 'nightly' ? [] : [nightly]),
        ...(isWhole ? [] : ['test/**/*.full.test.ts']),
      ],
      env: isWhole ? { SHELFPRESS_TESTS: 'all' } : { SHELFPRESS_OPTIONAL_PROGRAMS: 'none' },
      reporters: isWhole ? ['default', new SkippedTests()] : ['default'],
      globalSetup: ['test/support/temporary-folder.ts', 'test/support/code-key.ts', 'test/support/shared-servers.ts'],
      // Many tests wait for programs that they start, so that one more at a time than there are processors pays. With two
      // more the run takes a tenth longer, as each process has to get warm.
      maxWorkers: availableParallelism() + 1,
      // Loading the generator and getting it warm takes longer than most files of tests: they share the processes.
      isolate: false,
      // Tests run most code a few times. To compile it for speed as early as usual, and to collect garbage in threads
      // that there are no processors for, costs a sixth of the processor's time.
      execArgv: ['--single-threaded-gc'],
      sequence: { sequencer: SlowFilesFirst },
      // What a page shows after a moment comes later on a busy machine.
      expect: { poll: { timeout: 20_000 } },
      // Only what hangs takes as long, however busy the machine is.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  };
});
