import { addressTable } from '../contract/addresses.ts';
import {
  cacheControl,
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from '../contract/headers.ts';
import { checkoutPath, type PathKind, templates } from '../contract/paths.ts';
import type { HostFile, PlainSite } from './plain-site.ts';
import { commonValues, fillTemplate, readTemplate } from './template.ts';

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
  const rules: [string, (readonly [string, string])[]][] = [
    ['/*', Object.entries(commonHeaders)],
    ['/objects/*', fields(objectMediaType, documentPolicy)],
    ['/current.json', fields(jsonMediaType, siteFileCacheControl.pointer)],
    ['/current.json.sig', fields(ndjsonMediaType, siteFileCacheControl.signature)],
  ];
  for (const [kind, template] of Object.entries(templates) as [PathKind, string][]) {
    if (isShadowed(template)) continue;
    // An export is of its own revision, which no rule can tell from the number of a piece of the change history.
    const revision = template.startsWith(`${templates.exports}/`) ? [] : [revisionField(pointer.revision)];
    const own = [...fields(mediaTypeOf(kind), documentPolicy), ...revision];
    rules.push([patternOf(template), own]);
    if (kind === 'service_index') rules.push([`${template}/`, own]);
  }
  return rules
    .map(([path, own]) => `${path}\n${own.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`)
    .join('\n');
}

/** That of documents for everything: such hosts say of an address that is not there what the rules say of it. */
const documentPolicy = cacheControl({ cache: 'revalidate', media_type: jsonMediaType });

/** Such hosts compress what they are told is compressed once more: an export is a plain file that is called .gz. */
function mediaTypeOf(kind: PathKind): string {
  const { encoding, mediaType } = addressTable[kind];
  return encoding === 'gzip' ? 'application/gzip' : mediaType;
}

function revisionField(revision: string): readonly [string, string] {
  return ['X-Publication-Revision', revision];
}

function fields(mediaType: string, cache: string): (readonly [string, string])[] {
  return [
    ['Content-Type', mediaType],
    ['Cache-Control', cache],
  ];
}

/** `/v1/brands/index.json` is one of `/v1/brands/:brand_id` to these rules, and nothing else may be said of it. */
function isShadowed(template: string): boolean {
  const example = template.replace(parameter, 'x');
  return Object.values(templates).some(
    (other) => parametersOf(other) > parametersOf(template) && regularOf(other).test(example),
  );
}

const parameter = /\{[a-z_]+\}/g;

function parametersOf(template: string): number {
  return template.match(parameter)?.length ?? 0;
}

function regularOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(parameter, '[^/]+')}$`);
}

/** Documents are files that end in .json. Files that another rule would take for a document come first. */
function redirectRules(): string {
  const all = Object.values(templates);
  const kept = all
    .filter((template) => parametersOf(template) === 0 && isShadowed(template))
    .map((template) => `${template} ${template} 200`);
  const documents = all
    .filter((template) => checkoutPath(template) !== template.slice(1))
    .map((template) => `${patternOf(template)} ${patternOf(`/${checkoutPath(template)}`)} 200`);
  return [...kept, `${templates.service_index}/ /${checkoutPath(templates.service_index)} 200`, ...documents, ''].join(
    '\n',
  );
}
