import { rmSync } from 'node:fs';
import { packageFolder } from '../../generator/files/package-files.ts';

// Removes what compile.ts made, once `npm pack` has read it.
for (const made of ['lib', 'schemas', 'npm-shrinkwrap.json'])
  rmSync(new URL(made, packageFolder), { recursive: true, force: true });
