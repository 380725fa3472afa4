import { addressTable } from '../../../contract/addresses.ts';
import { explorerHeaders } from '../../../contract/explorer-headers.ts';
import { allowedMethods, csvMediaType, parquetMediaType } from '../../../contract/headers.ts';
import { addressPatterns, formatPath } from '../../../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../../../contract/problem.ts';
import { contentDisposition } from '../../../contract/routes.ts';
import {
  commonValues,
  computedPaths,
  fillTemplate,
  type HostFile,
  headerLines,
  hostProblems,
  links,
  notFoundRules,
  type PlainSite,
  patternOf,
  pointerFiles,
  problemBody,
  readTemplate,
  type Values,
} from './plain-site.ts';

/**
 * Caddy would search a table of addresses from the top, so it gets none and makes validators from the sizes and times
 * of files. The pointer is a copy in the generation's folder, so that it changes together with everything else.
 */
export function caddyFiles(site: PlainSite): HostFile[] {
  const generation = `caddy/${site.generation}`;
  const { named, documents } = addressPatterns();
  const values: Values = {
    ...commonValues(site),
    generation: `${site.outOnHost}/${generation}`,
    site_address: siteAddress(site),
    bind: bindLine(site),
    preflight: headerLines((name, value) => `\t\t\t\t${name} "${value}"`),
    computed: computedBlock(site),
    named: named.join('|'),
    documents: documents.join('|'),
    dispositions: dispositionLines(site),
    rewritten_tables: rewritten(parquetMediaType),
    rewritten_sheets: rewritten(csvMediaType),
    links: links.map(linkBlock).join(''),
    explorer_path: formatPath('explorer'),
    page_headers: Object.entries(explorerHeaders)
      .map(([name, value]) => `\t\t\t${name} "${value}"`)
      .join('\n'),
    problems: [
      ...notFoundBlocks(site),
      ...hostProblems.map((code) => problemBlock(site, code, `is${code}`)),
      problemBlock(site, 'INTERNAL', 'isOther', { condition: 'true' }),
    ].join('\n'),
  };
  return [
    ...pointerFiles(site, generation),
    { name: 'caddy/README.md', text: fillTemplate(readTemplate('caddy/README.md'), values) },
    { name: 'caddy/Caddyfile', text: fillTemplate(readTemplate('caddy/Caddyfile'), values) },
  ];
}

/** A regular expression for downloads of a media type whose bytes change. */
const rewritten = (type: string) =>
  Object.values(addressTable)
    .filter(({ isDownload, cache, mediaType }) => isDownload && cache === 'revalidate' && mediaType === type)
    .map(({ path }) => patternOf(path))
    .join('|');

function computedBlock({ shim }: PlainSite): string {
  if (shim === null) return '';
  const computed_paths = computedPaths.map((path) => `"${path}"`).join(', ');
  return fillTemplate(readTemplate('caddy/computed'), { shim, computed_paths });
}

/** One line for each file that browsers save. Caddy reads these lines only for such files. */
function dispositionLines({ routes }: PlainSite): string {
  return routes
    .flatMap((route) => {
      const disposition = contentDisposition(route);
      return disposition === null ? [] : [`\t\t${route.path} \`${disposition}\``];
    })
    .join('\n');
}

function linkBlock([path, link]: readonly [string, string], index: number): string {
  const matcher = `@link${index}`;
  return [`${matcher} vars {http.request.orig_uri.path} ${path}`, `header ${matcher} Link \`${link}\``]
    .map((line) => `\t\t${line}\n`)
    .join('');
}

/** Any name at the port, or the host's name, for which Caddy gets a certificate and serves TLS at its own port. */
function siteAddress({ listen, serverName }: PlainSite): string {
  return serverName ?? `http://:${/\d+$/.exec(listen)?.[0]}`;
}

/** Caddy would take an address among the site's names for a name that clients ask for. */
function bindLine({ listen }: PlainSite): string {
  const address = /^(.+):\d+$/.exec(listen)?.[1];
  return address === undefined ? '' : `\tbind ${address.replace(/^\[|\]$/g, '')}\n`;
}

/** The blocks for missing addresses. Caddy answers with the first one that matches. */
function notFoundBlocks(site: PlainSite): string[] {
  const rules = [...notFoundRules(site), ['', 'RESOURCE_NOT_FOUND'] as const];
  return rules.map(([pattern, code], index) => problemBlock(site, code, `is${code}${index}`, { pattern }));
}

/** `condition`: by default, the error has the problem's status. `pattern`: a regular expression for the path. */
function problemBlock(
  site: PlainSite,
  code: ProblemCode,
  matcher: string,
  { pattern = '', condition }: { readonly pattern?: string; readonly condition?: string } = {},
): string {
  const { status } = problemKinds[code];
  const body = problemBody(site, code, {
    instance: code === 'URI_TOO_LONG' ? '{shelfpress_instance_path}' : '{shelfpress_instance}',
    requestId: '{http.request.uuid}',
    parameter: '{shelfpress_parameter}',
  });
  const lines = [
    `@${matcher} {`,
    `\texpression \`${condition ?? `{http.error.status_code} == ${status}`}\``,
    ...(pattern === '' ? [] : [`\tpath_regexp ${pattern}`]),
    '}',
    `handle @${matcher} {`,
    ...(code === 'NO_PUBLICATION' ? ['\theader Retry-After 10'] : []),
    ...(code === 'METHOD_NOT_ALLOWED' ? [`\theader Allow "${allowedMethods}"`] : []),
    // Between backticks Caddy replaces only the variables.
    `\trespond \`${body}\` ${status}`,
    '}',
  ];
  return lines.map((line) => `\t\t${line}`).join('\n');
}
