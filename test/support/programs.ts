import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with {@link programs} as plain JavaScript. */
    programs: string;
  }
}

/** Programs that tests start in their own processes, some of them dozens of times. */
export const programs = ['generator/cli/cli.ts', 'serve.ts', 'test/units/build-child.ts'] as const;

/** The bundled program. It starts twice as fast as its modules, which Node reads one by one. */
export function programFile(source: (typeof programs)[number]): string {
  return join(inject('programs'), source.replace(/\.ts$/, '.js'));
}
