import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalInstant, compareInstants } from '../../contract/instant.ts';
import { parseJson } from '../../contract/text.ts';
import { explainFile, Failure } from '../files/failure.ts';
import { nameFits } from '../files/name-patterns.ts';
import { filesBelow } from '../files/path-patterns.ts';
import { readTriedRecipe } from '../import/recipe/recipe-file.ts';
import { packedNames } from '../import/tables/packed-files.ts';

/* Deliveries in `incoming`: snapshot folders, or the agency's files, loose or in folders named after a day. */

/** Files that arrived at one time. */
export type Delivery = {
  readonly path: string;
  /** The delivery is kept under this name. */
  readonly name: string;
  /** When it was collected, in UTC. If it is null, `fault` says why the time is unknown. */
  readonly time: string | null;
  /** The agency's files that the recipe names. Null for a snapshot folder. */
  readonly files: readonly string[] | null;
  /** Whether the delivery is a folder, which is then moved as a whole. */
  readonly hasFolder: boolean;
  /** Why it cannot be published, regardless of what its files contain. */
  readonly fault: Failure | null;
};

export type LeftAlone = { readonly path: string; readonly reason: string };

/** `usesFileTimes`: a delivery without a day in its name is dated by its newest file. */
export type DeliveryRules = { readonly recipe: string | undefined; readonly usesFileTimes: boolean };

/** Deliveries without a date come first, then the oldest. */
export async function deliveriesIn(incoming: string, { recipe, usesFileTimes }: DeliveryRules) {
  const names = visibleIn(incoming);
  const patterns = recipePatterns(recipe, names.length > 0);
  const leftAlone: LeftAlone[] = [];
  const reason = patterns === null ? 'the settings name no recipe' : 'the recipe has no pattern that matches its name';
  /** The recipe names these files. Others are left alone. */
  const chosenIn = async (paths: readonly string[]): Promise<string[]> => {
    const chosen: string[] = [];
    const reasons = new Map<string, string>();
    for (const path of patterns === null ? [] : paths) {
      const packed = await packedNames(path).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        reasons.set(path, error.message);
        return [];
      });
      if (patterns?.some((pattern) => packed.some((name) => nameFits(pattern, name)))) chosen.push(path);
    }
    const others = paths.filter((path) => !chosen.includes(path) && !chosen.includes(path.replace(/\.sha256$/, '')));
    leftAlone.push(...others.map((path) => ({ path, reason: reasons.get(path) ?? reason })));
    return chosen;
  };
  const deliveries: Delivery[] = [];
  for (const name of names) {
    const path = join(incoming, name);
    if (!isFolder(path)) continue;
    const header = join(path, 'snapshot.json');
    if (existsSync(header)) {
      const time = publishedAt(header) ?? lastChange([path]);
      deliveries.push({ path, name, time, files: null, hasFolder: true, fault: null });
      continue;
    }
    const all = filesBelow(path).map((file) => join(path, file));
    const files = await chosenIn(all);
    const { time, fault: undated } = timing(readDay(name), files, usesFileTimes);
    const fault = patterns === null ? noRecipe() : files.length === 0 ? noFiles(path, patterns, all) : undated;
    deliveries.push({ path, name, time, files, hasFolder: true, fault });
  }
  const loose = await chosenIn(names.map((name) => join(incoming, name)).filter((path) => !isFolder(path)));
  if (loose.length > 0) {
    const name = lastChange(loose).slice(0, 10);
    deliveries.push({ path: incoming, name, files: loose, hasFolder: false, ...timing(null, loose, usesFileTimes) });
  }
  return { deliveries: deliveries.sort(compareDeliveries), leftAlone };
}

function compareDeliveries(a: Delivery, b: Delivery): number {
  if (a.time === null || b.time === null)
    return Number(b.time === null) - Number(a.time === null) || (a.name < b.name ? -1 : 1);
  return compareInstants(a.time, b.time) || (a.name < b.name ? -1 : 1);
}

function recipePatterns(recipe: string | undefined, isNeeded: boolean): readonly string[] | null {
  if (recipe === undefined) return null;
  return isNeeded ? Object.values(readTriedRecipe(recipe).recipe.files).flatMap(({ match }) => match) : [];
}

function noRecipe(): Failure {
  return new Failure(
    'settings_faults',
    "expected a snapshot folder, or a recipe in the settings for the agency's files, got neither",
  );
}

function noFiles(path: string, patterns: readonly string[], found: readonly string[]): Failure {
  const names = found.slice(0, 5).map((file) => file.slice(path.length + 1));
  const got = found.length === 0 ? 'an empty folder' : names.join(', ') + (found.length > names.length ? ', …' : '');
  return new Failure('import_faults', `expected files that the recipe names (${patterns.join(', ')}), got ${got}`);
}

const dayExample = 'a folder named after its day or time, such as 2025-03-04 or 2025-03-04T18:00:00Z';

/** When files arrived: the time in the name, or the newest file's if the settings allow it. Otherwise the fault. */
function timing(named: ReturnType<typeof readDay>, files: readonly string[], usesFileTimes: boolean) {
  if (typeof named === 'string') return { time: named, fault: null };
  if (named === null && usesFileTimes) return { time: lastChange(files), fault: null };
  const got = named?.fault ?? 'no day in its name';
  const way = named === null ? '; or set "delivery_times": "files" in the settings, to date it by its newest file' : '';
  return { time: null, fault: new Failure('undated', `expected ${dayExample}, got ${got}${way}`) };
}

/**
 * The time in a folder's name. A day stands for its noon in UTC, which has the same date in every time zone of America
 * and Europe. Null for a name that does not look like a date. A name that looks like a date is a fault if no such day
 * exists, or if it could be two.
 */
export function readDay(name: string): string | { readonly fault: string } | null {
  const instant = canonicalInstant(name);
  if (instant !== null) return instant;
  const numbers = /^(\d{1,4})[-_. ]?(\d{1,2})[-_. ]?(\d{1,4})$/.exec(name);
  const [first = '', second = '', third = ''] = (/^(\d{4})(\d{2})(\d{2})$/.exec(name) ?? numbers ?? []).slice(1);
  if (first === '') return /^\d{4}-?\d\d-?\d\d/.test(name) ? { fault: `'${name}', which is neither` } : null;
  const readings =
    first.length === 4
      ? [[first, second, third]]
      : third.length === 4
        ? [
            [third, second, first],
            [third, first, second],
          ]
        : [];
  const days = [...new Set(readings.map(([year = '', month = '', day = '']) => dayText(year, month, day)))].filter(
    (day) => day !== null,
  );
  if (days.length === 1) return `${days[0]}T12:00:00Z`;
  const why = days.length === 0 ? 'which is not a day' : `which could be ${days.join(' or ')}`;
  return { fault: `'${name}', ${why}` };
}

/** A day as text; null if there is no such day in the calendar. */
function dayText(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : null;
}

/** Names in order. Those that begin with a dot are not complete yet, and are skipped. */
export function visibleIn(folder: string): string[] {
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(folder));
  return names.filter((name) => !name.startsWith('.')).sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** When a snapshot was published, according to its header, which `publish` checks. Null if the header does not say. */
function publishedAt(header: string): string | null {
  const value = parseJson(explainFile(header, 'a file that can be read', () => readFileSync(header, 'utf8')));
  const time = (value as { published_at?: unknown } | null)?.published_at;
  return typeof time === 'string' ? canonicalInstant(time) : null;
}

function lastChange(paths: readonly string[]): string {
  const times = paths.map((path) => explainFile(path, 'a file', () => statSync(path).mtimeMs));
  return `${new Date(Math.max(0, ...times)).toISOString().slice(0, 19)}Z`;
}
