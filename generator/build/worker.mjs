// Threads do not inherit the loader of TypeScript: this one registers it and goes on in TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./worker-thread.ts');
