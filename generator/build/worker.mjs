// Worker threads do not inherit the TypeScript loader. This file registers it and then loads the TypeScript code.
import { register } from 'tsx/esm/api';

register();
await import('./worker-thread.ts');
