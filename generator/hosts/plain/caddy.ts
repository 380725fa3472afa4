import { addressPatterns, pointerFile, signatureFile } from '../../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../../contract/problem.ts';
import type { HostFile, PlainSite } from './plain-site.ts';
import { problemBody } from './problem-body.ts';
import { fillTemplate, readTemplate } from './template.ts';
import { commonValues, computedPaths, headerLines, type Values } from './template-values.ts';

const problems: readonly ProblemCode[] = [
  'INVALID_PARAMETER',
  'METHOD_NOT_ALLOWED',
  'PRECONDITION_FAILED',
  'URI_TOO_LONG',
  'RANGE_NOT_SATISFIABLE',
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
    preflight: headerLines((name, value) => `\t\t\t\t${name} "${value}"`),
    computed: computedBlock(site),
    named: named.join('|'),
    documents: documents.join('|'),
    problems: [...notFoundBlocks(site), ...problems.map((code) => problemBlock(site, code, `is${code}`))].join('\n'),
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

/** `http://:8080` serves on a port; a host's name lets Caddy get its certificate and serve it with TLS. */
function siteAddress({ listen, serverName }: PlainSite): string {
  if (serverName !== null) return serverName;
  return /^\d+$/.test(listen) ? `http://:${listen}` : `http://${listen}`;
}

/** Which 404 it is, contract.md 6, by the path that was asked for. The first that fits is answered. */
function notFoundBlocks(site: PlainSite): string[] {
  const { uuid } = commonValues(site);
  const ambiguous = site.ambiguousSkus.length === 0 ? [] : [`^/v1/products/by-sku/(${site.ambiguousSkus.join('|')})$`];
  const paths: readonly (readonly [ProblemCode, readonly string[]])[] = [
    ['SKU_AMBIGUOUS', ambiguous],
    ['SKU_NOT_FOUND', ['^/v1/products/by-sku/[0-9]{6}$', '^/v1/availability/products/by-sku/[0-9]{6}\\.json$']],
    [
      'PRODUCT_NOT_FOUND',
      [`^/v1/products/${uuid}(/availability|/changes(/pages\\.json)?)?$`, `^/v1/availability/products/${uuid}\\.json$`],
    ],
    ['RESOURCE_NOT_FOUND', ['']],
  ];
  return paths.flatMap(([code, patterns]) =>
    patterns.map((pattern, index) => problemBlock(site, code, `is${code}${index}`, pattern)),
  );
}

function problemBlock(site: PlainSite, code: ProblemCode, matcher: string, pattern = ''): string {
  const { status } = problemKinds[code];
  const body = problemBody(site, code, {
    instance: code === 'URI_TOO_LONG' ? '{shelfpress_instance_path}' : '{shelfpress_instance}',
    requestId: '{http.request.uuid}',
    parameter: '{shelfpress_parameter}',
  });
  const lines = [
    `@${matcher} {`,
    `\texpression \`{http.error.status_code} == ${status}\``,
    ...(pattern === '' ? [] : [`\tpath_regexp ${pattern}`]),
    '}',
    `handle @${matcher} {`,
    ...(code === 'METHOD_NOT_ALLOWED' ? [`\theader Allow "${commonValues(site).methods}"`] : []),
    // Between backticks nothing but the variables means anything to Caddy.
    `\trespond \`${body}\` ${status}`,
    '}',
  ];
  return lines.map((line) => `\t\t${line}`).join('\n');
}
