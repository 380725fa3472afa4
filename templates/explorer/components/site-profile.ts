import {
  type CodeKind,
  expectedCode,
  isCode,
  minorDigits,
  type Profile,
  usualProfile,
} from '../../../generator/contract/profile.ts';

/** What is the agency's own. The page shows one site, whose profile never changes. */
let shown: Profile = usualProfile;
let amounts: Intl.NumberFormat | null = null;

/** Called once, before anything is shown. */
export function showProfile(profile: Profile | undefined): void {
  shown = profile ?? usualProfile;
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

/** An amount in the minor unit, of one in the major unit. */
export const minorAmount = (major: number) => Math.round(major * 10 ** minorDigits(shown.currency));

/** An amount as the reader's language writes it, as `12,90 €`; US dollars as `$12.99` in every language. */
export function amountText(minor: number): string | null {
  if (shown.currency === usualProfile.currency) return null;
  amounts ??= new Intl.NumberFormat(undefined, { style: 'currency', currency: shown.currency });
  return amounts.format(majorAmount(minor));
}
