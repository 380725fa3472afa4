import { explorerHeaders } from '../../../contract/explorer-headers.ts';
import { allowedMethods, httpDate, isDownloadType } from '../../../contract/headers.ts';
import { formatPath } from '../../../contract/paths.ts';
import { type ProblemCode, problemKinds } from '../../../contract/problem.ts';
import { contentDisposition } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/schemas/site-files.ts';
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
  pointerFiles,
  problemBody,
  readTemplate,
  type Values,
} from './plain-site.ts';

/** The headers that single problems have besides those of every answer. */
const problemHeaders: Readonly<Partial<Record<ProblemCode, string>>> = {
  METHOD_NOT_ALLOWED: `Allow "${allowedMethods}"`,
  RANGE_NOT_SATISFIABLE: 'Content-Range "bytes */$shelfpress_size"',
  NO_PUBLICATION: 'Retry-After 10',
};

const missing = ['PRODUCT_NOT_FOUND', 'SKU_NOT_FOUND', 'SKU_AMBIGUOUS', 'RESOURCE_NOT_FOUND'] as const;

/**
 * nginx sends for every address exactly what the route table says. Files of one publication have their own folder,
 * `generation`, so that the next publication does not disturb a running server. The file that names the folder comes
 * last.
 */
export function nginxFiles(site: PlainSite): HostFile[] {
  const generation = `nginx/${site.generation}`;
  const isComputed = site.shim !== null;
  const values: Values = {
    ...commonValues(site),
    preflight: headerLines((name, value) => `        add_header ${name} "${value}";`),
    generation: `${site.outOnHost}/${generation}`,
    // Twice as many slots as addresses, so that few addresses share one.
    map_hash_max_size: Math.max(2048, 2 * site.routes.length),
    shim: site.shim ?? '',
    signature: site.files.signature === null ? '' : '(\\.sig)?',
    query_location: isComputed ? '@computed' : '@invalid_parameter',
    computed_route: isComputed ? `    "~^(${computedPaths.join('|')})$" c;\n` : '',
    beyond: beyondRules(),
    page_maps: pageVariables.map(({ variable, value }) => pageMap(variable, value)).join(''),
    page_headers: pageVariables.map(({ name, variable }) => `    add_header ${name} $${variable};`).join('\n'),
    links: links.map(([path, link]) => `    "200 ${path}" '${link}';`).join('\n'),
    missing: notFoundRules(site)
      .map(([pattern, code]) => `    "~${pattern}" ${code};`)
      .join('\n'),
    not_found: missing.map((code) => `    ${code} '${quotedBody(site, code)}';`).join('\n'),
  };
  const filled = (name: string) => fillTemplate(readTemplate(`nginx/${name}`), values);
  const template = readTemplate('nginx/problem.conf');
  const block = (name: string, code: ProblemCode, body: string) => {
    const header = problemHeaders[code];
    const fields = header === undefined ? '' : `\n        add_header ${header} always;`;
    return fillTemplate(template, { ...values, name, status: problemKinds[code].status, body, fields });
  };
  const blocks = hostProblems
    .filter((code) => !isComputed || code !== 'INVALID_PARAMETER')
    .map((code) => block(code.toLowerCase(), code, quotedBody(site, code)));
  // The location of all 404 problems. A map of nginx chooses the body.
  blocks.push(block('not_found', 'RESOURCE_NOT_FOUND', '$shelfpress_not_found'));
  return [
    { name: `${generation}/routes.map`, text: routeLines(site.routes) },
    { name: `${generation}/common.conf`, text: filled('common.conf') },
    { name: `${generation}/refusals.conf`, text: filled('refusals.conf') },
    ...pointerFiles(site, generation),
    { name: 'nginx/README.md', text: filled('README.md') },
    {
      name: 'nginx/shelfpress.conf',
      text: fillTemplate(readTemplate('nginx/shelfpress.conf'), {
        ...values,
        computed: isComputed ? filled('computed.conf') : '',
        problems: blocks.join(''),
      }),
    },
  ];
}

/** nginx sends no header for an empty variable, so only the explorer's address gets these. */
const pageVariables = Object.entries(explorerHeaders).map(([name, value]) => {
  return { name, value, variable: `shelfpress_${name.toLowerCase().replaceAll('-', '_')}` };
});

function pageMap(variable: string, value: string): string {
  return `map $shelfpress_path $${variable} {\n    "${formatPath('explorer')}" "${value}";\n    default "";\n}\n`;
}

/**
 * The lines of a map of addresses, such as `/v1/brands "r<md5> b<md5> g<md5> Sun, 01 Jun 2025 08:00:00 GMT";`. The
 * service index has two lines.
 */
function routeLines(routes: readonly Route[]): string {
  return routes
    .flatMap((route) => {
      const line = `${route.path} "${routeValue(route)}";\n`;
      return route.path === formatPath('service_index') ? [line, line.replace(' ', '/ ')] : [line];
    })
    .join('');
}

function routeValue(route: Route): string {
  const { etag, size, variants = [], last_modified } = route;
  const tagFor = (encoding: string) => variants.find((variant) => variant.encoding === encoding)?.etag.slice(1, -1);
  const [br, gzip] = [tagFor('br'), tagFor('gzip')];
  const codings = `${br === undefined ? '' : ` b${br}`}${gzip === undefined ? '' : ` g${gzip}`}`;
  const length = isDownloadType(route.media_type) ? ` s${size}` : '';
  const name = /"(.*)"/.exec(contentDisposition(route) ?? '')?.[1];
  const saved = name === undefined ? '' : ` n${name}`;
  return `${policyLetter(route)}${etag.slice(1, -1)}${codings}${length}${saved} ${httpDate(last_modified)}`;
}

/**
 * The letter for how an answer may be kept: `r` revalidated, `p` immutable. For downloads: `e` immutable and
 * compressed, `t` immutable and sent as it is, `u` revalidated and sent as it is, `c` revalidated and compressed.
 */
function policyLetter({ cache, media_type, encoding }: Route): string {
  if (!isDownloadType(media_type)) return cache === 'revalidate' ? 'r' : 'p';
  if (cache === 'revalidate') return encoding === null ? 'u' : 'c';
  return encoding === null ? 't' : 'e';
}

/** The body of a problem, escaped so that it can stand between single quotes in nginx. */
function quotedBody(site: PlainSite, code: ProblemCode): string {
  const instance = code === 'URI_TOO_LONG' ? '$shelfpress_instance_path' : '$shelfpress_instance';
  const body = problemBody(site, code, {
    instance,
    requestId: '$shelfpress_request_id',
    parameter: '$shelfpress_parameter',
  });
  return `${body}\n`.replaceAll("'", String.raw`\'`);
}

/**
 * Rules for ranges that start beyond a file. nginx cannot compare numbers, so each rule is a pattern of `<size>
 * bytes=<start>-` for a greater start: it has more digits, or as many digits and a greater one at the first difference.
 */
function beyondRules(): string {
  const lengths = Array.from({ length: mostDigits }, (_, index) => index + 1);
  const longer = lengths.map((length) => `\\d{${length}} bytes=0*[1-9]\\d{${length},}-`).join('|');
  const alike = lengths.map((length) => `\\d{${length}} bytes=0*[1-9]\\d{${length - 1}}-`).join('|');
  const greater = Array.from({ length: 9 }, (_, digit) => `${digit}\\d* bytes=0*\\1[${digit + 1}-9]`).join('|');
  return [`    "~*^(${longer})" 416;`, `    "~*^(?=${alike})(\\d*)(${greater})\\d*-" 416;`].join('\n');
}

const mostDigits = 13;
