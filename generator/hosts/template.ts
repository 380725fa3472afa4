import { readFileSync } from 'node:fs';
import {
  allowedMethods,
  cacheControl,
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  preflightHeaders,
  problemMediaType,
  siteFileCacheControl,
  textMediaType,
} from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import type { PlainSite } from './plain-site.ts';

/** A file of `templates/`, by its path below it. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8');
}

/** Replaces each `{{name}}` by its value. Throws an error when a value is missing. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{\{([a-z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a template names ${name}, which is not given`);
    return String(value);
  });
}

export type Values = Readonly<Record<string, string | number>>;

/** Addresses without a file. Only a host with the shim answers them. */
export const computedPaths = [pathOf('search'), pathOf('comparison')] as const;

/** The values for the templates of all hosts. */
export function commonValues({ pointer, directory, root, outOnHost, listen, serverName }: PlainSite): Values {
  return {
    revision: pointer.revision,
    sequence: pointer.sequence,
    published_at: pointer.published_at,
    directory,
    root,
    copy: directory === root ? '' : `rsync -rlptH --delete-after ${directory}/ host:${root}/\n`,
    nginx_folder: `${outOnHost}/nginx`,
    caddy_folder: `${outOnHost}/caddy`,
    static_folder: `${outOnHost}/static`,
    listen,
    server_name: serverName ?? '_',
    methods: allowedMethods,
    expose: commonHeaders['Access-Control-Expose-Headers'] ?? '',
    json_type: jsonMediaType,
    ndjson_type: ndjsonMediaType,
    object_type: objectMediaType,
    problem_type: problemMediaType,
    text_type: textMediaType,
    cache_document: cacheControl({ cache: 'revalidate', media_type: jsonMediaType }),
    cache_page: cacheControl({ cache: 'immutable', media_type: jsonMediaType }),
    cache_export: cacheControl({ cache: 'immutable', media_type: ndjsonMediaType }),
    cache_object: siteFileCacheControl.object,
    cache_pointer: siteFileCacheControl.pointer,
  };
}

/** The headers of a preflight answer, one a line, in the syntax of a host. */
export function headerLines(line: (name: string, value: string) => string): string {
  return Object.entries(preflightHeaders)
    .map(([name, value]) => line(name, value))
    .join('\n');
}
