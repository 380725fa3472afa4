import {
  cacheControl,
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
  textMediaType,
} from '../../contract/headers.ts';
import { checkoutPath, type PathKind, templates } from '../../contract/paths.ts';
import type { HostFile, PlainSite } from './plain-site.ts';
import { fillTemplate, readTemplate } from './template.ts';
import { commonValues } from './template-values.ts';

/**
 * `_headers` and `_redirects`, as Cloudflare's static assets and Pages, Netlify and others read them. A rule for every kind
 * of address, as the fields of two rules that fit one address are joined, so that no two kinds may speak of one field.
 */
export function staticFiles(site: PlainSite): HostFile[] {
  return [
    { name: 'static/README.md', text: fillTemplate(readTemplate('static/README.md'), commonValues(site)) },
    { name: 'static/_headers', text: headerRules(site) },
    { name: 'static/_redirects', text: redirectRules() },
  ];
}

/** A template as these rules write it: `/v1/products/:product_id`. */
function patternOf(template: string): string {
  return template.replace(/\{([a-z_]+)\}/g, ':$1');
}

function headerRules({ pointer }: PlainSite): string {
  const common = Object.entries(commonHeaders);
  const rules: [string, (readonly [string, string])[]][] = [
    ['/*', common],
    ['/objects/*', fields(objectMediaType, siteFileCacheControl.object)],
    ['/current.json', fields(jsonMediaType, siteFileCacheControl.pointer)],
    ['/current.json.sig', fields(ndjsonMediaType, siteFileCacheControl.signature)],
  ];
  for (const [kind, template] of Object.entries(templates) as [PathKind, string][]) {
    if (isShadowed(template)) continue;
    const revision = template.includes('{revision}') ? ':revision' : pointer.revision;
    const own = [...fieldsOf(kind, template), ['X-Publication-Revision', revision] as const];
    rules.push([patternOf(template), own]);
    if (kind === 'service_index') rules.push([`${template}/`, own]);
  }
  return rules
    .map(([path, own]) => `${path}\n${own.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`)
    .join('\n');
}

/** What is said of all addresses of a kind: an expired page of a change list is called immutable too. */
function fieldsOf(kind: PathKind, template: string): (readonly [string, string])[] {
  const isExport = template.endsWith('.ndjson.gz');
  const media_type = isExport ? ndjsonMediaType : kind === 'export_checksums' ? textMediaType : jsonMediaType;
  // Such hosts compress what they are told is compressed once more: an export is a plain file that is called .gz.
  const said = isExport ? 'application/gzip' : media_type;
  const isImmutable = isExport || /(_page|_segment|_checksums|_package)$/.test(kind);
  const cache = isImmutable ? 'immutable' : 'revalidate';
  return fields(said, cacheControl({ cache, media_type }));
}

function fields(mediaType: string, cache: string): (readonly [string, string])[] {
  return [
    ['Content-Type', mediaType],
    ['Cache-Control', cache],
  ];
}

/** `/v1/brands/index.json` is one of `/v1/brands/:brand_id` to these rules, and nothing else is said of it. */
function isShadowed(template: string): boolean {
  return !template.includes('{') && siblings.some((pattern) => pattern.test(template));
}

const siblings = Object.values(templates)
  .filter((template) => template.endsWith('}'))
  .map((template) => new RegExp(`^${template.replace(/\{[a-z_]+\}/g, '[^/]+')}$`));

/** Documents are files that end in .json. Files that another rule would take for a document come first. */
function redirectRules(): string {
  const all = Object.values(templates);
  const kept = all.filter((template) => isShadowed(template)).map((template) => `${template} ${template} 200`);
  const documents = all
    .filter((template) => checkoutPath(template) !== template.slice(1))
    .map((template) => `${patternOf(template)} ${patternOf(`/${checkoutPath(template)}`)} 200`);
  return [...kept, `${templates.service_index}/ /${checkoutPath(templates.service_index)} 200`, ...documents, ''].join(
    '\n',
  );
}
