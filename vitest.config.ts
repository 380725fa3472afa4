import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/published-fixtures.ts',
      'test/support/bundled-programs.ts',
      'test/support/shared-swift.ts',
    ],
    // Many tests wait for programs that they start, so that more at a time than there are processors pay.
    maxWorkers: Math.max(4, availableParallelism()),
    // Loading the generator and getting it warm takes longer than most files of tests: they share the processes.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
