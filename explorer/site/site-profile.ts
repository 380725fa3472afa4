import {
  type CodeKind,
  expectedCode,
  isCode,
  minorDigits,
  type Profile,
  usualProfile,
} from '../../contract/profile.ts';

/** The agency's own settings. The explorer shows one site, whose profile never changes. */
let shown: Profile = usualProfile;
let language = 'en';
let amounts: Intl.NumberFormat | null = null;

/** Called once, before anything is drawn. */
export function showProfile(profile: Profile | undefined): void {
  shown = profile ?? usualProfile;
  // Skip the check for English: it is slow.
  const isKnown = () => Intl.NumberFormat.supportedLocalesOf(shown.language).length > 0;
  language = shown.language !== 'en' && isKnown() ? shown.language : 'en';
}

/** Whether stock is reported by store. If not, the explorer never mentions stores. */
export const hasStores = () => shown.inventory === 'stores';
export const isStatewide = () => shown.inventory === 'statewide';

/** The time zone of every date. */
export const siteZone = () => shown.time_zone ?? 'UTC';

export const isAgencyCode = (kind: CodeKind, text: string) => isCode(kind, shown, text);
export const expectedAgencyCode = (kind: CodeKind, isList = false) => expectedCode(kind, shown, isList);

/** An amount in the major unit of the currency, such as `12.99`. */
export const majorAmount = (minor: number) => minor / 10 ** minorDigits(shown.currency);

/** An amount in the major unit with all its digits, such as `12.90`. */
export const amountDigits = (major: number) => major.toFixed(minorDigits(shown.currency));

export const siteCurrency = () => shown.currency;

/** Converts an amount from the major to the minor unit. */
export const minorAmount = (major: number) => Math.round(major * 10 ** minorDigits(shown.currency));

/**
 * The language for numbers and dates: the site's, or English if the browser does not know it. The explorer's own words
 * are English.
 */
export const siteLanguage = () => language;

/** The `lang` attribute for the agency's texts, such as names; undefined if they are in English too. */
export const agencyLanguage = () => (shown.language === 'en' ? undefined : shown.language);

/**
 * An amount as the site's language writes it, such as `12,90 €`; null for US dollars, which are `$12.99` in every
 * language.
 */
export function amountText(minor: number): string | null {
  if (shown.currency === usualProfile.currency) return null;
  // Browsers have other digits for some currencies than ISO 4217.
  const digits = minorDigits(shown.currency);
  amounts ??= new Intl.NumberFormat(siteLanguage(), {
    ...({ style: 'currency', currency: shown.currency } as const),
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
  return amounts.format(majorAmount(minor));
}
