import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalInstant, compareInstants } from '../../contract/instant.ts';
import { parseJson } from '../../contract/text.ts';
import { explainFile, Failure } from '../files/failure.ts';
import { fits } from '../import/import.ts';
import { readRecipe } from '../import/recipe/recipe-file.ts';
import { namesOf } from '../import/tables/packed-files.ts';

/*
 * What is in `incoming`: snapshot folders, and files of the agency, in folders that are named by their day or directly in
 * `incoming`.
 */

/** A delivery: what came at one time. */
export type Delivery = {
  readonly path: string;
  /** What it is kept as. */
  readonly name: string;
  /** When it was collected, UTC. Null where `fault` says why nobody can tell. */
  readonly time: string | null;
  /** The agency's files that the recipe names; null for a snapshot folder. */
  readonly files: readonly string[] | null;
  /** Whether it is a folder of its own, which is moved as a whole. */
  readonly hasFolder: boolean;
  /** Why it cannot be published, whatever its files say. */
  readonly fault: Failure | null;
};

/** A path that no delivery needs, and why. */
export type LeftAlone = { readonly path: string; readonly reason: string };

/** How deliveries are read. `usesFileTimes`: one without a day in its name has the time of its newest file. */
export type DeliveryRules = { readonly recipe: string | undefined; readonly usesFileTimes: boolean };

/** The deliveries in a folder, those that cannot be dated first, then the oldest, and what is in none of them. */
export async function deliveriesIn(incoming: string, { recipe, usesFileTimes }: DeliveryRules) {
  const names = visibleIn(incoming);
  const patterns = patternsOf(recipe, names.length > 0);
  const leftAlone: LeftAlone[] = [];
  const reason = patterns === null ? 'no recipe is named in the settings' : 'no file of the recipe has a matching name';
  /** The files below a folder that the recipe names. Others are left alone. */
  const chosenIn = async (paths: readonly string[]): Promise<string[]> => {
    const chosen: string[] = [];
    const reasons = new Map<string, string>();
    for (const path of patterns === null ? [] : paths) {
      const packed = await namesOf(path).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        reasons.set(path, error.message);
        return [];
      });
      if (patterns?.some((pattern) => packed.some((name) => fits(pattern, name)))) chosen.push(path);
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
    const all = filesBelow(path);
    const files = await chosenIn(all);
    const { time, fault: undated } = timing(dayOf(name), files, usesFileTimes);
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

function patternsOf(recipe: string | undefined, isNeeded: boolean): readonly string[] | null {
  if (recipe === undefined) return null;
  return isNeeded ? Object.values(readRecipe(recipe).files).flatMap(({ match }) => match) : [];
}

function noRecipe(): Failure {
  return new Failure(
    'settings_faults',
    'expected a snapshot folder, or a recipe in the settings that reads the files of an agency, got neither',
  );
}

function noFiles(path: string, patterns: readonly string[], found: readonly string[]): Failure {
  const names = found.slice(0, 5).map((file) => file.slice(path.length + 1));
  const got = found.length === 0 ? 'an empty folder' : names.join(', ') + (found.length > names.length ? ', …' : '');
  return new Failure('import_faults', `expected files that the recipe names (${patterns.join(', ')}), got ${got}`);
}

const dayExample = 'a folder named by its day or time, such as 2025-03-04 or 2025-03-04T18:00:00Z';

/** When files came: the time that their name says, or that of the newest one if the settings allow it, or why nobody can tell. */
function timing(named: ReturnType<typeof dayOf>, files: readonly string[], usesFileTimes: boolean) {
  if (typeof named === 'string') return { time: named, fault: null };
  if (named === null && usesFileTimes) return { time: lastChange(files), fault: null };
  const got = named?.problem ?? 'no day in its name';
  const way = named === null ? '; "delivery_times": "files" in the settings takes the time of its newest file' : '';
  return { time: null, fault: new Failure('undated', `expected ${dayExample}, got ${got}${way}`) };
}

/**
 * The time that the name of a folder says: noon in UTC of a day, which has the same date in every time zone of America and
 * Europe. Null for a name that does not look like a date. A name that looks like one and is none, or could be two, is a
 * problem.
 */
export function dayOf(name: string): string | { readonly problem: string } | null {
  const instant = canonicalInstant(name);
  if (instant !== null) return instant;
  const numbers = /^(\d{1,4})[-_. ]?(\d{1,2})[-_. ]?(\d{1,4})$/.exec(name);
  const [first = '', second = '', third = ''] = (/^(\d{4})(\d{2})(\d{2})$/.exec(name) ?? numbers ?? []).slice(1);
  if (first === '') return /^\d{4}-?\d\d-?\d\d/.test(name) ? { problem: `'${name}', which is neither` } : null;
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
  const why = days.length === 0 ? 'which is no day' : `which may be ${days.join(' or ')}`;
  return { problem: `'${name}', ${why}` };
}

/** A day as text, or null if the calendar does not have it. */
function dayText(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : null;
}

/** A name that begins with a dot stands for something that is not complete. */
export function visibleIn(folder: string): string[] {
  const names = explainFile(folder, 'a folder that can be read', () => readdirSync(folder));
  return names.filter((name) => !name.startsWith('.')).sort();
}

/** The files in a folder and its folders. */
function filesBelow(folder: string): string[] {
  return visibleIn(folder).flatMap((name) => {
    const path = join(folder, name);
    return isFolder(path) ? filesBelow(path) : [path];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What a header says, which `publish` checks. Null if it does not say when the snapshot was published. */
function publishedAt(header: string): string | null {
  const value = parseJson(explainFile(header, 'a file that can be read', () => readFileSync(header, 'utf8')));
  const time = (value as { published_at?: unknown } | null)?.published_at;
  return typeof time === 'string' ? canonicalInstant(time) : null;
}

function lastChange(paths: readonly string[]): string {
  const times = paths.map((path) => explainFile(path, 'a file', () => statSync(path).mtimeMs));
  return `${new Date(Math.max(0, ...times)).toISOString().slice(0, 19)}Z`;
}
