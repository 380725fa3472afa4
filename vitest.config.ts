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
    // Most tests wait for programs that they start, so that two at a time pay on a small machine too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Loading the generator and getting it warm takes longer than most files of tests: they share the processes.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
