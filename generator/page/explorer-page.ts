import { explorerPolicy, firstRequestsElement, inlineScript } from '../../contract/explorer-headers.ts';
import { atomMediaType, jsonMediaType } from '../../contract/headers.ts';
import { formatPath } from '../../contract/paths.ts';
import { type About, isWebUrl, siteDescription, siteStatement } from '../../contract/schemas/metadata.ts';
import { siteName } from '../../contract/site-name.ts';
import type { State } from '../documents/state.ts';
import type { Explorer } from '../units/explorer.ts';
import { explorerManifest } from './explorer-manifest.ts';
import { explorerWorker } from './explorer-worker.ts';

/**
 * The large documents that views load first. Only those with the same address on every host are here: a plain host may
 * lack others, and at this point the script does not know the kind of its host.
 */
const firstDocuments: Readonly<Record<string, string>> = {
  home: formatPath('activity'),
  browse: formatPath('browse'),
  search: formatPath('browse'),
  changes: formatPath('activity'),
  data: formatPath('change_pieces'),
  api: formatPath('openapi'),
};

/**
 * The files of each view, for the inline script. It requests the code and the first document of the view in the address
 * at once, together with what all views need.
 */
function firstRequests(views: Explorer['views']): string {
  const requests = Object.entries(views).map(([view, files]) => {
    const document = firstDocuments[view];
    const modules = files.map((name) => ['modulepreload', 'script', `explorer/${name}`, 'auto']);
    return [view, document ? [...modules, ['preload', 'fetch', relative(document), 'low']] : modules];
  });
  return JSON.stringify(Object.fromEntries(requests)).replaceAll('<', String.raw`\u003c`);
}

/** The icon: shelves with bottles, 64 × 64. An SVG image would be another document, which slows the first view. */
const icon =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXEdWUscWUscWUsbW0kdWkwcWkwcWUsaWU4cWksdWUscWUscWUsdWU3///8dWkyZ6+LaAAAADnRSTlMA/fNsGrdN2B6b2qaRPOSZg9MAAAAJcEhZcwAACxMAAAsTAQCanBgAAAC9SURBVHjaY2BgYOAwLfqPBagHNzCAAcvE/ziANERF0n+cQA0kzyyPW8FHA6CCxP94gBjQhfr4FHxyYOD8jxdMYGjEr0CCwR6/gs8M8fgVfGVYD2O+AwEMBd8Z9PEr+MTwH7+C/yQpgCA0ZQOi4P9AKXiHBdBbAW4w1BS8w5ro6K0AhpHVDZSC/wOiYDRV6+OX/8RQj1/Bd8KFOcHqgGCFQrBKYiFUqRGsFglXrASrZgaWgzgrdwdI9Y+3eQAAZ+GUAIrOowoAAAAASUVORK5CYII=';

/**
 * The HTML of the explorer: an empty page with the scripts that fill it. Readers without scripts see what this site is
 * and where its documents are. All addresses are relative, so the site may be below a path. `headElements`:
 * descriptions for machines, from other parts of the site.
 */
export function explorerPage(state: State, explorer: Explorer, headElements: readonly string[]): Uint8Array {
  const { script, style, views, outline = null } = explorer;
  const worker = explorerWorker(explorer);
  const { publication } = state;
  const about = state.aboutAt(publication.sequence);
  const title = siteName(about, state.profile.inventory);
  const statement = siteStatement(state.profile);
  const description = escaped(siteDescription(about, state.profile));
  const documents = (
    [
      ['service_index', 'where everything begins'],
      ['metadata', 'what is published, and when'],
      ['products', 'catalog products'],
      ['stores', 'stores'],
      ['changes', 'what changed, newest first'],
      ['exports', 'whole publications as files'],
      ['openapi', 'the description of every address'],
    ] as const
  ).map(([kind, meaning]) => `<li><a href="${relative(formatPath(kind))}">${formatPath(kind)}</a>: ${meaning}</li>`);
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // Many plain hosts do not let their operator choose headers, so the page states its own policy.
    `<meta http-equiv="Content-Security-Policy" content="${explorerPolicy}">`,
    // The script is requested at once, and runs when the page is parsed. Until then there is nothing to draw.
    `<script type="module" src="explorer/${script}" blocking="render"></script>`,
    `<script type="application/json" id="${firstRequestsElement}">${firstRequests(views)}</script>`,
    `<script>${inlineScript}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${description}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${escaped(title)}">`,
    `<meta property="og:description" content="${description}">`,
    '<meta name="twitter:card" content="summary">',
    ...(outline === null ? [] : [`<meta name="shelfpress-outline" content="explorer/${outline}">`]),
    ...(worker === null
      ? []
      : [
          `<meta name="shelfpress-worker" content="${worker.version}">`,
          `<link rel="manifest" href="explorer/${explorerManifest(state).name}">`,
        ]),
    `<link rel="icon" href="${icon}">`,
    `<link rel="stylesheet" href="explorer/${style}">`,
    `<link rel="alternate" type="${atomMediaType}" href="${relative(formatPath('publications_feed'))}">`,
    ...headElements,
    `<link rel="service-desc" type="${jsonMediaType}" href="${relative(formatPath('openapi'))}">`,
    // The script requests this document first.
    `<link rel="preload" href="${relative(formatPath('metadata'))}" as="fetch" crossorigin>`,
    '</head>',
    '<body>',
    '<div id="explorer"></div>',
    '<noscript>',
    `<h1>${escaped(title)}</h1>`,
    ...statements(about),
    `<p>${escaped(statement)}</p>`,
    `<p>Publication ${publication.sequence}, published ${publication.published_at}. This page needs JavaScript to show the data. Programs can read the same data as JSON documents (files ending in .json in an offline copy).</p>`,
    `<ul>${documents.join('')}</ul>`,
    '</noscript>',
    '</body>',
    '</html>',
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

function statements(about: About | null): string[] {
  if (about === null) return [];
  const { agency, notice, license, source_url: source } = about;
  const linked = (name: string, url: string | null) =>
    url !== null && isWebUrl(url) ? `<a href="${escaped(url)}">${escaped(name)}</a>` : escaped(name);
  const texts = [
    agency !== null && `What ${linked(agency, source)} reports.`,
    notice !== null && escaped(notice),
    license !== null && `License of the data: ${linked(license.name, license.url)}`,
  ];
  return texts.filter((text) => text !== false).map((text) => `<p>${text}</p>`);
}

function relative(path: string): string {
  return path.slice(1);
}

/** Escapes a text for HTML elements and quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
