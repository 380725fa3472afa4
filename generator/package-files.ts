/**
 * Whether this is the compiled code of a package, below `lib`, and not the TypeScript of a clone, which is run as it is.
 */
export const isCompiled = import.meta.url.endsWith('.js');

/** The URL of the folder with package.json and templates. */
export const packageFolder = new URL(isCompiled ? '../../' : '../', import.meta.url);
