import {
  type CodeKind,
  expectedCode,
  isCode,
  minorDigits,
  type Profile,
  usualProfile,
} from '../../contract/profile.ts';

/** What is the agency's own. The page shows one site, whose profile never changes. */
let shown: Profile = usualProfile;
let language = 'en';
let amounts: Intl.NumberFormat | null = null;

/** Called once, before anything is shown. */
export function showProfile(profile: Profile | undefined): void {
  shown = profile ?? usualProfile;
  // Every browser knows English, and takes a while to say so.
  const isKnown = () => Intl.NumberFormat.supportedLocalesOf(shown.language).length > 0;
  language = shown.language !== 'en' && isKnown() ? shown.language : 'en';
}

/** Whether stock is reported of stores. Otherwise nothing of the page speaks of any. */
export const hasStores = () => shown.inventory === 'stores';
export const isStatewide = () => shown.inventory === 'statewide';

/** The zone of every date. */
export const siteZone = () => shown.time_zone ?? 'UTC';

export const isAgencyCode = (kind: CodeKind, text: string) => isCode(kind, shown, text);
export const expectedAgencyCode = (kind: CodeKind, isList = false) => expectedCode(kind, shown, isList);

/** An amount in the major unit of the currency, as `12.99`. */
export const majorAmount = (minor: number) => minor / 10 ** minorDigits(shown.currency);

/** An amount in the major unit with all its digits, as `12.90`. */
export const amountDigits = (major: number) => major.toFixed(minorDigits(shown.currency));

export const siteCurrency = () => shown.currency;

/** An amount in the minor unit, of one in the major unit. */
export const minorAmount = (major: number) => Math.round(major * 10 ** minorDigits(shown.currency));

/**
 * The language that numbers and dates are written in: that of the site, or English in a browser that does not know it. The page's
 * own words are English.
 */
export const siteLanguage = () => language;

/** The `lang` of a text of the agency, such as a name; none where it is that of the page. */
export const agencyLanguage = () => (shown.language === 'en' ? undefined : shown.language);

/** An amount as the language of the site writes it, as `12,90 €`; US dollars as `$12.99` in every language. */
export function amountText(minor: number): string | null {
  if (shown.currency === usualProfile.currency) return null;
  amounts ??= new Intl.NumberFormat(siteLanguage(), { style: 'currency', currency: shown.currency });
  return amounts.format(majorAmount(minor));
}
