import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/published-fixtures.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
