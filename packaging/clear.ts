import { rmSync } from 'node:fs';
import { packageFolder } from '../generator/package-files.ts';

// Removes what compile.ts made, after `npm pack` has read it.
rmSync(new URL('lib', packageFolder), { recursive: true, force: true });
