import { parseArgs } from 'node:util';
import { addresser } from '../../contract/paths.ts';

export const help = `Serves a built site over HTTP, read-only.

Usage: npx tsx serve.ts [--dist DIR] [--host ADDRESS] [--port PORT] [--base-url URL]

  --dist DIR        the built site (DIST; default: dist, first built from the fixtures when it is empty)
  --host ADDRESS    the address to listen at (HOST; default: 127.0.0.1)
  --port PORT       the port to listen at, 0 for any free one (PORT; default: 8080)
  --base-url URL    the public URL that problems are described below (default: none, absolute paths)
  --help            this text

An option wins over its environment variable, given in parentheses.

Example: npx tsx serve.ts --dist dist --port 8080
         curl http://127.0.0.1:8080/v1
`;

export type ServeOptions = {
  readonly dist: string;
  /** Nobody chose `dist`: it may be filled with the fixtures. */
  readonly isDefaultDist: boolean;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | null;
};

/** Wrong usage; the message is for a person. */
export class UsageError extends Error {}

/** Options from the command line, then the environment, then the defaults; 'help' when that is asked for. */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions | 'help' {
  const values = parseArguments(args);
  if (values.help) return 'help';
  // An empty variable is one that is not set; an empty option is a mistake.
  const dist = given('--dist', values.dist) ?? (environment.DIST || null);
  return {
    dist: dist ?? 'dist',
    isDefaultDist: dist === null,
    host: given('--host', values.host) ?? (environment.HOST || '127.0.0.1'),
    port: parsePort(given('--port', values.port) ?? (environment.PORT || '8080')),
    baseUrl: parseBaseUrl(given('--base-url', values['base-url'])),
  };
}

function parseArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { dist: text, host: text, port: text, 'base-url': text, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function given(option: string, value: string | undefined): string | null {
  if (value === '') throw new UsageError(`${option} expects a value, got an empty one`);
  return value ?? null;
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`the port is a number from 0 to 65535, got '${text}'`);
  return port;
}

function parseBaseUrl(text: string | null): string | null {
  const isUrl = text === null || (/^https?:\/\//.test(text) && URL.canParse(addresser(text)('/')));
  if (!isUrl) throw new UsageError(`the base URL starts with http:// or https://, got '${text}'`);
  return text;
}
