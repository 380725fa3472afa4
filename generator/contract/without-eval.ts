import * as z from 'zod';

/*
 * Schemas that are made after this do not compile themselves to code with `eval`, which many pages forbid. Import it
 * before any schema.
 */
z.config({ jitless: true });
