import type { Profile } from './profile.ts';

type About = { readonly title: string | null; readonly agency: string | null } | null;

/** The subject of a site in a few words without a capital, such as `prices and store stock`. */
export function siteSubject(inventory: Profile['inventory']): string {
  return { stores: 'prices and store stock', statewide: 'prices and stock', none: 'prices' }[inventory];
}

export function siteName(about: About, inventory: Profile['inventory']): string {
  const subject = siteSubject(inventory);
  if (about?.title) return about.title;
  return about?.agency ? `${about.agency}: ${subject}` : subject.slice(0, 1).toUpperCase() + subject.slice(1);
}
