#!/usr/bin/env node
// The installed command: registers the loader of TypeScript and goes on in TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./cli.ts');
