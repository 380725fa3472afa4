import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with {@link programs} as plain JavaScript. */
    programs: string;
  }
}

/** What tests start in processes of their own, some of them dozens of times. */
export const programs = [
  'generator/cli.ts',
  'serve.ts',
  'test/build/build-child.ts',
  'test/deploy/deploy-child.ts',
  'test/mirror/mirror-child.ts',
  'test/publish/publish-child.ts',
] as const;

/** The file for Node to run: the program without the second that compiling its modules one by one takes. */
export function programFile(source: (typeof programs)[number]): string {
  return join(inject('programs'), source.replace(/\.ts$/, '.js'));
}
