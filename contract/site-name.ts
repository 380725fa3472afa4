import type { Profile } from './profile.ts';

type About = { readonly title: string | null; readonly agency: string | null } | null;

/** What a site is about, in a few words without a capital, such as `prices and store stock`. */
export function siteSubject(inventory: Profile['inventory']): string {
  return { stores: 'prices and store stock', statewide: 'prices and stock', none: 'prices' }[inventory];
}

/** The name of a site for people: the title that its operator states, otherwise what it is about. */
export function siteName(about: About, inventory: Profile['inventory']): string {
  const subject = siteSubject(inventory);
  if (about?.title) return about.title;
  return about?.agency ? `${about.agency}: ${subject}` : subject.slice(0, 1).toUpperCase() + subject.slice(1);
}
