import { type AddressKind, addressTable } from '../../../contract/addresses.ts';
import { explorerHeaders } from '../../../contract/explorer-headers.ts';
import {
  cacheControl,
  commonHeaders,
  jsonMediaType,
  ndjsonMediaType,
  objectMediaType,
  siteFileCacheControl,
} from '../../../contract/headers.ts';
import { checkoutPath, explorerFile, templates } from '../../../contract/paths.ts';
import { commonValues, fillTemplate, type HostFile, type PlainSite, patternOf, readTemplate } from './plain-site.ts';

/**
 * `_headers` and `_redirects` for Cloudflare's static assets and Pages, Netlify and others. Each kind of address has
 * its own rule. No two rules may set one field of an address, because hosts join the values.
 */
export function staticFiles(site: PlainSite): HostFile[] {
  return [
    { name: 'static/README.md', text: fillTemplate(readTemplate('static/README.md'), commonValues(site)) },
    { name: 'static/_headers', text: headerRules(site) },
    { name: 'static/_redirects', text: redirectRules() },
  ];
}

/** The template of an address in the syntax of these rules: `/v1/products/:product_id`. */
function toPattern(template: string): string {
  return template.replace(/\{([a-z_]+)\}/g, ':$1');
}

function headerRules({ pointer }: PlainSite): string {
  const rules: [string, (readonly [string, string])[]][] = [
    ['/*', Object.entries(commonHeaders)],
    ['/objects/*', fields(objectMediaType, documentPolicy)],
    ['/current.json', fields(jsonMediaType, siteFileCacheControl.pointer)],
    ['/current.json.sig', fields(ndjsonMediaType, siteFileCacheControl.signature)],
  ];
  for (const [kind, template] of Object.entries(templates) as [AddressKind, string][]) {
    if (isShadowed(template)) continue;
    const { savedAs, link } = addressTable[kind];
    const ofAddress = [
      ...fields(mediaTypeFor(kind), documentPolicy),
      // No rule can distinguish the revision of a publication's file from the number of a piece of the change history.
      ...field('X-Publication-Revision', template.includes('{revision}') ? null : pointer.revision),
      // Such hosts send an export as a .gz file, so the last part of its address is a true name for it. A rule with
      // another name for each file would be too many: Cloudflare takes 100 rules.
      ...field('Content-Disposition', savedAs && 'attachment'),
      ...field('Link', link),
      ...(kind === 'explorer' ? Object.entries(explorerHeaders) : []),
    ];
    rules.push([toPattern(template), ofAddress]);
    if (kind === 'service_index') rules.push([`${template}/`, ofAddress]);
    // Such hosts also answer at the name of the file, and the explorer must not be shown in a frame there either.
    if (kind === 'explorer') rules.push([`${template}${explorerFile}`, ofAddress]);
  }
  return rules
    .map(([path, ofAddress]) => `${path}\n${ofAddress.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`)
    .join('\n');
}

/** This policy is used for all addresses, because such hosts send the headers of a rule even for a missing file. */
const documentPolicy = cacheControl({ cache: 'revalidate', media_type: jsonMediaType });

/** Such hosts compress a file again if a rule says that it is compressed, so an export is sent as a plain .gz file. */
function mediaTypeFor(kind: AddressKind): string {
  const { encoding, mediaType } = addressTable[kind];
  return encoding === 'gzip' ? 'application/gzip' : mediaType;
}

function field(name: string, value: string | null): (readonly [string, string])[] {
  return value === null ? [] : [[name, value]];
}

function fields(mediaType: string, cache: string): (readonly [string, string])[] {
  return [...field('Content-Type', mediaType), ...field('Cache-Control', cache)];
}

/** `/v1/brands/index.json` matches `/v1/brands/:brand_id`, so it cannot have headers of its own. */
function isShadowed(template: string): boolean {
  const example = template.replace(parameter, 'x');
  return Object.values(templates).some(
    (other) => countParameters(other) > countParameters(template) && toRegExp(other).test(example),
  );
}

const parameter = /\{[a-z_]+\}/g;

function countParameters(template: string): number {
  return template.match(parameter)?.length ?? 0;
}

function toRegExp(template: string): RegExp {
  return new RegExp(`^${patternOf(template)}$`);
}

/** Leads from documents to their files, which end in .json. Files that would match such a rule come first. */
function redirectRules(): string {
  const all = Object.values(templates);
  const kept = all
    .filter((template) => countParameters(template) === 0 && isShadowed(template))
    .map((template) => `${template} ${template} 200`);
  const documents = all
    .filter((template) => checkoutPath(template) !== template.slice(1))
    .map((template) => `${toPattern(template)} ${toPattern(`/${checkoutPath(template)}`)} 200`);
  return [...kept, `${templates.service_index}/ /${checkoutPath(templates.service_index)} 200`, ...documents, ''].join(
    '\n',
  );
}
