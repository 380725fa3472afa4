import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** Only at night. */
const nightly = 'test/**/*.nightly.test.ts';

/** All cases at night, and some of them otherwise. */
const sampled = 'test/**/*.sampled{,.full}.test.ts';

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
      include: mode === 'nightly' ? [nightly, sampled] : ['test/**/*.test.ts'],
      exclude: [
        ...configDefaults.exclude,
        ...(mode === 'nightly' ? [] : [nightly]),
        ...(isWhole ? [] : ['test/**/*.full.test.ts']),
      ],
      env: isWhole ? { SHELFPRESS_TESTS: mode } : { SHELFPRESS_OPTIONAL_PROGRAMS: 'none' },
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
      // What a page shows after a moment comes later on a busy machine.
      expect: { poll: { timeout: 20_000 } },
      // Only what hangs takes as long, however busy the machine is.
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  };
});
