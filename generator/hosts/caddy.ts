import { allowedMethods } from '../contract/headers.ts';
import { addressPatterns, pointerFile, signatureFile } from '../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../contract/problem.ts';
import type { HostFile, PlainSite } from './plain-site.ts';
import { notFoundRules, problemBody } from './plain-site.ts';
import { commonValues, computedPaths, fillTemplate, headerLines, readTemplate, type Values } from './template.ts';

const problems: readonly ProblemCode[] = [
  'INVALID_PARAMETER',
  'METHOD_NOT_ALLOWED',
  'PRECONDITION_FAILED',
  'URI_TOO_LONG',
  'RANGE_NOT_SATISFIABLE',
  'NO_PUBLICATION',
  'INTERNAL',
];

/**
 * The configuration of Caddy for a site. It has no table of addresses, which Caddy would search from the top: validators
 * are those that it makes of the files' sizes and times. The pointer is a copy, so that it changes with all else.
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
    problems: [
      ...notFoundBlocks(site),
      ...problems.map((code) => problemBlock(site, code, `is${code}`)),
      problemBlock(site, 'INTERNAL', 'isOther', { condition: 'true' }),
    ].join('\n'),
  };
  const { pointer, signature } = site.files;
  return [
    { name: `${generation}/${pointerFile}`, text: pointer },
    ...(signature === null ? [] : [{ name: `${generation}/${signatureFile}`, text: signature }]),
    { name: 'caddy/README.md', text: fillTemplate(readTemplate('caddy/README.md'), values) },
    { name: 'caddy/Caddyfile', text: fillTemplate(readTemplate('caddy/Caddyfile'), values) },
  ];
}

function computedBlock({ shim }: PlainSite): string {
  if (shim === null) return '';
  const computed_paths = computedPaths.map((path) => `"${path}"`).join(', ');
  return fillTemplate(readTemplate('caddy/computed'), { shim, computed_paths });
}

/** Any name at a port; or the host's name, for which Caddy gets a certificate, and serves it with TLS at its own port. */
function siteAddress({ listen, serverName }: PlainSite): string {
  return serverName ?? `http://:${/\d+$/.exec(listen)?.[0]}`;
}

/** An address in the site's name would be taken for the name that clients ask for. */
function bindLine({ listen }: PlainSite): string {
  const address = /^(.+):\d+$/.exec(listen)?.[1];
  return address === undefined ? '' : `\tbind ${address.replace(/^\[|\]$/g, '')}\n`;
}

/** The first that fits is answered. */
function notFoundBlocks(site: PlainSite): string[] {
  const rules = [...notFoundRules(site), ['', 'RESOURCE_NOT_FOUND'] as const];
  return rules.map(([pattern, code], index) => problemBlock(site, code, `is${code}${index}`, { pattern }));
}

/** `condition`: an expression; left out, the error has the status of the problem. `pattern`: of the path. */
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
    // Between backticks nothing but the variables means anything to Caddy.
    `\trespond \`${body}\` ${status}`,
    '}',
  ];
  return lines.map((line) => `\t\t${line}`).join('\n');
}
