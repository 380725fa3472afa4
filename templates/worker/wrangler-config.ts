import { readFileSync } from 'node:fs';

/** The template that stands beside this file. */
export const wranglerTemplate = new URL('wrangler.jsonc', import.meta.url);

/** What of the configuration the project itself reads. */
export type WranglerConfig = {
  readonly main: string;
  readonly compatibility_date: string;
  readonly r2_buckets: readonly [{ readonly binding: string; readonly bucket_name: string }];
  readonly ratelimits: readonly [
    { readonly name: string; readonly simple: { readonly limit: number; readonly period: 10 | 60 } },
  ];
  readonly vars: Readonly<Record<string, string>>;
};

/** The configuration as it stands: its comments have lines of their own. */
export function readWranglerConfig(): WranglerConfig {
  const text = readFileSync(wranglerTemplate, 'utf8');
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as WranglerConfig;
}
