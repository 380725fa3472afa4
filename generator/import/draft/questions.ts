import { lifecycle } from '../../../contract/schemas/product.ts';
import { accessType } from '../../../contract/schemas/store.ts';
import { isZone, zonesOf } from '../../snapshot/time-zones.ts';
import { isUndecided, type Part, partRule, type Recipe, targets, undecided } from '../recipe/recipe.ts';

type Place = readonly string[];

/**
 * A decision that only a person can make about a draft. `places`: where the answer goes; for `words`, the place of each
 * word. `allowed`: possible answers, in words. `isCertain`: the usual answer needs no person. `provisional`: an answer
 * for the preview.
 */
export type Question = {
  readonly text: string;
  readonly allowed: string;
  readonly places: readonly Place[];
  readonly provisional?: Answer;
} & (
  | {
      readonly kind: 'text';
      readonly usual: string | null;
      readonly isCertain?: true;
      readonly check: (answer: string) => boolean;
    }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | {
      readonly kind: 'words';
      readonly words: readonly string[];
      /** The words that probably mean the opposite. */
      readonly unlikely: readonly string[];
      readonly yes: string;
      readonly no: string;
    }
);

export type Answer = string | readonly string[];

export function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text);
}

export function isCountry(text: string): boolean {
  return /^[A-Z]{2}$/.test(text);
}

/** Currencies that only one country uses. */
const countries: Readonly<Record<string, string>> = {
  ...{ USD: 'US', CAD: 'CA', GBP: 'GB', NOK: 'NO', SEK: 'SE', ISK: 'IS', DKK: 'DK', PLN: 'PL', CHF: 'CH' },
  ...{ CZK: 'CZ', HUF: 'HU', TRY: 'TR', INR: 'IN', JPY: 'JP', AUD: 'AU', NZD: 'NZ' },
};

type ColumnsFor = (part: Part, field: string) => readonly string[];

/** The decisions that are open in a recipe, most important first. */
export function questionsIn(recipe: Recipe, columnsFor: ColumnsFor): Question[] {
  const open = undecidedPlaces(recipe, []);
  const { currency, country } = recipe.snapshot.profile ?? { currency: '', country: '' };
  const pads = open.filter(isPad);
  const zones = open.filter((place) => ['zone', 'time_zone'].includes(place.at(-1) ?? ''));
  const lookups = Map.groupBy(
    open.filter((place) => place.at(-2) === 'lookup' && !isPackWord(place)),
    (place) => place.slice(0, -1).join(' '),
  );
  const asked = new Set([...zones, ...pads, ...[...lookups.values()].flat()]);
  const free = (part: Part, field: string) => {
    const rules = Object.values(partRule(recipe, part)?.fields ?? {});
    const used = new Set(rules.map((rule) => (typeof rule === 'string' ? rule : rule.column)));
    return columnsFor(part, field).filter((column) => !used.has(column));
  };
  const single = withName(open.filter((place) => !asked.has(place)).map((place) => questionAt(place, currency, free)));
  const order = (question: Question) => (question.places[0]?.[0] === 'snapshot' ? 0 : 1);
  return [
    ...single.filter((question) => order(question) === 0),
    ...(zones.length > 0 ? [zoneQuestion(zones, country)] : []),
    ...single.filter((question) => order(question) === 1),
    ...[...Map.groupBy(pads, padKind)].map(([kind, places]) => padQuestion(kind, places)),
    ...[...lookups.values()].map((places) => wordsQuestion(places, columnAt(recipe, places[0] ?? []))),
  ];
}

export function answered(recipe: Recipe, question: Question, answer: Answer): Recipe {
  const changed = structuredClone(recipe);
  for (const place of question.places) {
    const last = place.at(-1) ?? '';
    const parent = place.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], changed);
    const value = question.kind === 'words' ? (answer.includes(last) ? question.yes : question.no) : answer;
    const filled = parent as Record<string, unknown>;
    filled[last] = isPad(place) && !isUndecided(value) ? paddedBy(last, Number(value)) : value;
    if (last === 'pattern' && !isUndecided(value)) filled.example = String(filled.example).padStart(Number(value), '0');
  }
  return changed;
}

/** Marks the places that are left, and says at each mark what is allowed there. */
export function marked(recipe: Recipe, left: readonly Question[]): Recipe {
  const all = left.flatMap(({ allowed, places }) => places.map((place) => ({ allowed, place })));
  return all.reduce((changed, { allowed, place }) => {
    const question: Question = { kind: 'choice', text: '', allowed, choices: [], places: [place] };
    // At a terminal, a person answers with a number, from which the pattern is made.
    const what = place.at(-1) === 'pattern' ? 'a pattern such as ^[0-9]{6}$, if a full code has 6 digits' : allowed;
    return answered(changed, question, `${undecided}: ${what}`);
  }, recipe);
}

export const noneOfThese = 'none of these';

function questionAt(place: Place, currency: string, columnsFor: ColumnsFor): Question {
  const last = place.at(-1) ?? '';
  const field = place[2] ?? '';
  const name = place.join('.');
  const choice = (text: string, choices: readonly string[]): Question => {
    return { kind: 'choice', text, choices, allowed: choices.join(', '), places: [place] };
  };
  const free = (text: string, allowed: string, check: (answer: string) => boolean, usual: string | null = null) => {
    return { kind: 'text' as const, text, allowed, check, usual, places: [place] };
  };
  if (isPackWord(place))
    return free(`How many containers are a '${last}'?`, 'a number such as 6', (text) => /^[1-9]\d{0,2}$/.test(text));
  if (last === 'currency')
    return free('Which currency are the prices in?', 'a code of ISO 4217, such as EUR', isCurrency);
  if (last === 'country') {
    const usual = countries[currency] ?? null;
    return free('In which country are the stores?', 'a code of ISO 3166, such as FI', isCountry, usual);
  }
  if (last === 'column') {
    const columns = columnsFor(place[0] as Part, field);
    const words = field.replace(/^source_|_minor$|_ml$|(?<=category)_id$/g, '').replaceAll(/[._]/g, ' ');
    const isOptional = targets[place[0] as Part].some((target) => target.field === field && target.fallback === null);
    return choice(
      field === 'pack_count'
        ? 'Is a price that of several containers? Which column has their number?'
        : `Which column has the ${words} of ${place[0]}?`,
      ['category_id', 'pack_count'].includes(field)
        ? [noneOfThese, ...columns]
        : isOptional
          ? [...columns, noneOfThese]
          : columns,
    );
  }
  if (last === 'unit') return choice('In which unit are the sizes?', ['ml', 'cl', 'l', 'fl oz']);
  if (last === 'format') return choice('Which comes first in a date such as 3/4/2025?', ['M/d/yyyy', 'd/M/yyyy']);
  if (field === 'size_of')
    return choice('What has the size: one container, or the whole package?', ['container', 'package']);
  if (field === 'lifecycle')
    return {
      ...choice('No column has a status: which do all products have?', lifecycle.options),
      provisional: 'active',
    };
  if (field === 'access_type')
    return {
      ...choice('No column has the kind of store: which do all stores have?', accessType.options),
      provisional: 'unknown',
    };
  if (field === 'address.region')
    return free('In which state are the stores?', 'a state such as UT', (text) => text !== '');
  return free(`What is ${name}?`, 'a text', (text) => text !== '');
}

/**
 * Asks only once which column has the names: `source_name` and `name` come from the same column, and differ only in
 * blanks.
 */
function withName(questions: readonly Question[]): Question[] {
  const at = (field: string) =>
    questions.find(({ places }) => places[0]?.join('.') === `products.fields.${field}.column`);
  const [source, name] = [at('source_name'), at('name')];
  if (source === undefined || name === undefined) return [...questions];
  const both = { ...source, places: [...source.places, ...name.places] };
  return questions.flatMap((one) => (one === source ? [both] : one === name ? [] : [one]));
}

/** A word for a pack of any size. */
function isPackWord(place: Place): boolean {
  return place.at(-2) === 'lookup' && place[2] === 'pack_count';
}

/** Whether a place needs the length of full codes: a rule that adds lost zeros, or the pattern of such codes. */
function isPad(place: Place): boolean {
  return place.at(-1) === 'pad' || place.at(-1) === 'pattern';
}

function padKind(place: Place): 'sku' | 'store_code' {
  return place.some((key) => key === 'sku') ? 'sku' : 'store_code';
}

function paddedBy(key: string, digits: number): number | string {
  return key === 'pattern' ? `^[0-9]{${digits}}$` : digits;
}

function padQuestion(kind: 'sku' | 'store_code', places: readonly Place[]): Question {
  const what = kind === 'sku' ? 'SKU' : 'store code';
  return {
    kind: 'text',
    text: `Shorter codes may have lost leading zeros: how many digits does a full ${what} have?`,
    allowed: 'a number from 1 to 20; in recipe.json, delete "pad" if none lost any',
    check: (text) => /^([1-9]|1\d|20)$/.test(text),
    usual: null,
    places,
  };
}

function zoneQuestion(places: readonly Place[], country: string): Question {
  const zones = zonesOf(country);
  const text = 'In which time zone are the days and times?';
  const certain = zones.length === 1 ? { isCertain: true as const } : {};
  return {
    kind: 'text',
    text,
    allowed: 'a zone such as Europe/Helsinki',
    check: isZone,
    usual: zones[0] ?? null,
    places,
    ...certain,
  };
}

const negative = /delist|discontin|inactive|obsolete|closed|ended|^(?:no|n|false|0|d|x)$|^un|not /i;

function columnAt(recipe: Recipe, place: Place): string {
  const rule = place.slice(0, 3).reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], recipe);
  return (rule as { readonly column?: string }).column ?? '';
}

function wordsQuestion(places: readonly Place[], column: string): Question {
  const words = places.map((place) => place.at(-1) ?? '');
  const isStore = places[0]?.[2] === 'access_type';
  const [yes, no] = isStore ? ['consumer_state_store', 'package_agency'] : ['active', 'discontinued'];
  const text = isStore
    ? `Which words of '${column}' are stores of the agency? The others are taken for package agencies.`
    : `Which words of '${column}' mean that a product is still sold? The others are taken for discontinued.`;
  const options = isStore ? accessType.options : lifecycle.options;
  // A yes to `Discontinued` is a no.
  const isNo = (word: string) => (negative.test(column) ? !/^(?:n|no|false|0)$/i.test(word) : negative.test(word));
  const unlikely = isStore ? [] : words.filter(isNo);
  return { kind: 'words', text, allowed: options.join(', '), places, words, unlikely, yes, no, provisional: words };
}

function undecidedPlaces(value: unknown, path: Place): Place[] {
  if (isUndecided(value)) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undecidedPlaces(inner, [...path, key]));
}
