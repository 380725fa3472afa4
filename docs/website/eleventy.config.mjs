import { HtmlBasePlugin, IdAttributePlugin, InputPathToUrlTransformPlugin } from '@11ty/eleventy';

/* The pages of the repository as a small static site in docs-site/. `--pathprefix=/x/` is for a site below /x/. */

const ignored = ['.ci', 'node_modules', 'docs/website', 'site', 'test', 'docs-site'];

/** What pages show or lead to, beside other pages. */
const copied = [
  'docs/images',
  'docs/charts',
  'templates/systemd',
  'fixtures/01-2025-03-03/snapshot.json',
  'CITATION.cff',
  'LICENSE',
];

/** The ids of headings, as code hosts make them. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** README.md is the first page; any other keeps its name. */
const permalink = ({ page }) => (page.filePathStem === '/README' ? '/index.html' : `${page.filePathStem}.html`);

const nav = [
  ['Shelfpress', '/'],
  ['Tour', '/docs/tour.html'],
  ['Commands', '/docs/cli.html'],
  ['Operating', '/docs/operating.html'],
  ['API', '/docs/contract.html'],
  ['Client', '/docs/client.html'],
  ['Research', '/docs/research.html'],
  ['Troubleshooting', '/docs/troubleshooting.html'],
];

export default function (config) {
  config.addPlugin(IdAttributePlugin, { slugify });
  for (const plugin of [InputPathToUrlTransformPlugin, HtmlBasePlugin]) config.addPlugin(plugin);
  for (const folder of ignored) config.ignores.add(`../../${folder}/**`);
  config.addPassthroughCopy(Object.fromEntries(copied.map((path) => [`../../${path}`, path])));
  config.addGlobalData('layout', 'layout.njk');
  config.addGlobalData('nav', nav);
  config.addGlobalData('eleventyComputed', { permalink });
  return {
    dir: { input: '../..', output: '../../docs-site', includes: 'docs/website' },
    templateFormats: ['md'],
    markdownTemplateEngine: false,
  };
}
