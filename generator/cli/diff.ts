import type { Command } from 'commander';
import { templates } from '../../contract/paths.ts';
import { displayPrice } from '../../contract/profile.ts';
import { jsonStart } from '../../contract/text.ts';
import { countText, Failure } from '../files/failure.ts';
import type { ClientOptions } from '../http/http-client.ts';
import type { ExportRecord } from '../tables/export-reader.ts';
import { NegativeAnswer, type Output, withExample } from '../terminal/output.ts';
import { publicationText, tableLines } from '../terminal/texts.ts';
import {
  type ChangeCounts,
  type ComparedThing,
  comparedThings,
  type Difference,
  diffSides,
} from '../verify/diff/diff.ts';
import type { Change } from '../verify/diff/record-differences.ts';
import { openSide, type Side } from '../verify/diff/side.ts';
import { headersFor, headersOption, isSiteUrl, parseSiteOrFolder, redirectOption } from './options.ts';

type Options = { all: boolean; allowRedirectsTo?: readonly string[]; headers?: string; json: boolean };

/** How many lines of each kind of change are shown without `--all`. */
const shownLines = 10;

/** The exit code is 1 if there are differences, as for diff(1). */
export function defineDiff(command: Command, output: Output): void {
  command
    .argument('<a>', 'URL or folder of a site, DATABASE, DATABASE@SEQUENCE or DATABASE@REVISION', parseSiteOrFolder)
    .argument('<b>', 'what to compare it with; it can be of another kind', parseSiteOrFolder)
    .option('--all', `print every difference, not only the first ${shownLines} of each kind`, false)
    .addOption(redirectOption())
    .addOption(headersOption())
    .option('--json', 'print one JSON object per difference, and a last one with the counts', false)
    .addHelpText('after', '\nExit code: 0 equal, 1 different or failed (a failure is explained on standard error).')
    .action(async (...[first, second, options]: [string, string, Options]) => {
      const clientOptions = clientOptionsFor([first, second].filter(isSiteUrl), options);
      const a = await openSide(first, clientOptions);
      try {
        const b = await openSide(second, clientOptions);
        try {
          const isEqual = options.json ? await printJson(a, b, output) : await printLines(a, b, options, output);
          if (!isEqual) throw new NegativeAnswer();
        } finally {
          b.close();
        }
      } finally {
        a.close();
      }
    });
  withExample(command, 'shelfpress diff publication.sqlite@49 publication.sqlite@50');
}

/** Headers go to one site only: nobody else may see a login. */
function clientOptionsFor(urls: readonly string[], { allowRedirectsTo: redirectsTo, headers }: Options): ClientOptions {
  const [url, other] = urls;
  if (url === undefined || headers === undefined) return { redirectsTo };
  if (other !== undefined && new URL(other).origin !== new URL(url).origin) {
    const got = `got ${new URL(url).origin} and ${new URL(other).origin}`;
    throw new Failure('wrong_usage', `--headers: expected both URLs to be on the host that gets the headers, ${got}`);
  }
  return { redirectsTo, siteHeaders: headersFor(url, headers) };
}

async function printJson(a: Side, b: Side, output: Output): Promise<boolean> {
  const print = (difference: Difference) => output.json(differenceJson(difference));
  const { isEqual, counts } = await diffSides(a, b, print, (thing) => output.progress(`comparing ${thing}`));
  output.json({ type: 'summary', equal: isEqual, a: sideFacts(a), b: sideFacts(b), counts });
  return isEqual;
}

async function printLines(a: Side, b: Side, { all }: Options, output: Output): Promise<boolean> {
  const limit = all ? Number.POSITIVE_INFINITY : shownLines;
  const lists = new Map(comparedThings.map((thing) => [thing, differenceList(limit)]));
  output.line(`a: ${a.name}: ${publicationText(a.publication)}`);
  output.line(`b: ${b.name}: ${publicationText(b.publication)}`);
  const { isEqual, counts } = await diffSides(
    a,
    b,
    (difference) => lists.get(difference.thing)?.add(difference),
    (thing) => output.progress(`comparing ${thing}`),
  );
  for (const [thing, list] of lists) for (const line of list.linesFor(thing, counts[thing])) output.line(line);
  return isEqual;
}

function sideFacts({ name, publication: { sequence, revision, published_at } }: Side) {
  return { name, sequence, revision, published_at };
}

const changes: readonly Change[] = ['added', 'removed', 'changed'];
const marks: Readonly<Record<Change, string>> = { added: '+', removed: '-', changed: '~' };

/** A difference in words, without its mark. */
export function differenceText(difference: Difference): string {
  if (difference.thing === 'documents') return difference.path;
  if (difference.thing === 'about') return aboutText(difference);
  const { thing, change, record, changes: fields } = difference;
  if (thing === 'inventory') {
    const place = `${record.agency_sku} in store ${record.inventory_store_code ?? record.store_id}`;
    if (change !== 'changed') return `${place}: ${pairText(record)}`;
    const before = { ...record };
    for (const [field, { a }] of Object.entries(fields)) before[field] = a;
    const withEligibility = 'purchase_eligibility' in fields && !('state' in fields);
    return `${place}: ${pairText(before, withEligibility)} → ${pairText(record, withEligibility)}`;
  }
  const code = thing === 'products' ? record.agency_sku : (record.inventory_store_code ?? record.id);
  const identity = `${code} ${record.name}`;
  if (change !== 'changed') return identity;
  const texts = Object.entries(fields).map(([field, { a, b }]) =>
    fieldText(field, a, b, record.price_currency ?? fields.price_currency?.a),
  );
  return `${identity}: ${texts.join('; ')}`;
}

/** `title "Prices"`, `contact "a@example.org" → "b@example.org"` */
function aboutText({ change, member, a, b }: Difference & { thing: 'about' }): string {
  const text = (value: unknown) => JSON.stringify(value);
  if (change === 'changed') return `${member} ${text(a)} → ${text(b)}`;
  return `${member} ${text(b ?? a)}`;
}

/** `price $11.99 → $9.99`, `status_label "Active" → "Delisted"` */
function fieldText(field: string, a: unknown, b: unknown, currency: unknown): string {
  const isPrice = field === 'price_amount_minor' && typeof currency === 'string';
  const text = (value: unknown) =>
    isPrice && typeof value === 'number' ? displayPrice(value, currency) : jsonStart(value ?? null, 60);
  return `${isPrice ? 'price' : field} ${text(a)} → ${text(b)}`;
}

/** The reported quantity of a pair, or `absent` if the retrieval had no row for it. */
function pairText(record: ExportRecord, withEligibility = false): string {
  const { state, reported_quantity: quantity, purchase_eligibility: eligibility } = record;
  const text = state === 'row_absent' ? 'absent' : String(quantity);
  return withEligibility ? `${text} (${eligibility ?? 'no eligibility'})` : text;
}

/** Collects the differences of one kind of thing: counts, and the first `limit` lines of each kind of change. */
function differenceList(limit: number) {
  const lines: Readonly<Record<Change, string[]>> = { added: [], removed: [], changed: [] };
  const kinds = new Map<string, ChangeCounts>();
  return {
    add(difference: Difference): void {
      const { change } = difference;
      if (lines[change].length < limit) lines[change].push(`  ${marks[change]} ${differenceText(difference)}`);
      if (difference.thing !== 'documents') return;
      const kind = difference.kind === null ? 'another address' : templates[difference.kind];
      const counts = kinds.get(kind) ?? { added: 0, removed: 0, changed: 0 };
      counts[change] += 1;
      kinds.set(kind, counts);
    },
    /** The lines about one kind of thing, the heading first. If `counts` is null, the thing was not compared. */
    linesFor(thing: ComparedThing, counts: ChangeCounts | null): string[] {
      const name = thing === 'inventory' ? 'pairs' : thing;
      if (counts === null) {
        return [`${name}: not compared, because a ${thing === 'about' ? 'partial mirror' : 'database'} has none`];
      }
      if (changes.every((change) => counts[change] === 0)) return [`${name}: equal`];
      const heading = `${name}: ${changes.map((change) => `${countText(counts[change])} ${change}`).join(', ')}`;
      const shown = changes.flatMap((change) => {
        const left = counts[change] - lines[change].length;
        const more = left > 0 ? [`  ${marks[change]} and ${countText(left)} more ${change}; --all prints them`] : [];
        return [...lines[change], ...more];
      });
      return [heading, ...kindTable(kinds), ...shown];
    },
  };
}

function kindTable(kinds: ReadonlyMap<string, ChangeCounts>): string[] {
  if (kinds.size === 0) return [];
  const order: readonly string[] = Object.values(templates);
  const rows = [...kinds].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const counted = changes.map(
    (change) => [change, ([, counts]: [string, ChangeCounts]) => countText(counts[change]), 'right'] as const,
  );
  return tableLines(rows, [['address', ([kind]) => kind], ...counted]).map((line) => `  ${line}`);
}

/** What `diff --json` calls an export record, and the fields that identify it. */
const printed = {
  products: ['product', 'id', 'agency_sku', 'name'],
  stores: ['store', 'id', 'inventory_store_code', 'name'],
  inventory: [
    'pair',
    ...['product_id', 'agency_sku', 'store_id', 'inventory_store_code', 'state', 'reported_quantity'],
  ],
} as const;

/** Type, identity, and changed fields or pair, as `diff --json` prints them. */
export function differenceJson(difference: Difference): object {
  const { change } = difference;
  if (difference.thing === 'documents') {
    return { type: `document_${change}`, path: difference.path, kind: difference.kind };
  }
  if (difference.thing === 'about') {
    const { member, a, b } = difference;
    return { type: `about_${change}`, member, a, b };
  }
  const { thing, record, changes: fields } = difference;
  const [name, ...identity] = printed[thing];
  const shown = Object.fromEntries(identity.map((field) => [field, record[field]]));
  return { type: `${name}_${change}`, ...shown, ...(change === 'changed' ? { changes: fields } : {}) };
}
