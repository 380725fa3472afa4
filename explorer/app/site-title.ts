import { siteName, siteSubject } from '../../contract/site-name.ts';
import { dateText } from '../text/text.ts';
import type { Metadata } from './session.ts';

/** The name of the site, as its operator states it; otherwise what it is about. */
export function siteTitle({ data }: Metadata): string {
  return siteName(data.about, inventoryKind({ data }));
}

/** Whose data the site has, what they are, and of when, as far as its name does not say it. */
export function siteDateline({ data }: Pick<Metadata, 'data'>): string {
  const { about, publication } = data;
  const named = about?.title ? [about.agency, siteSubject(inventoryKind({ data }))] : [];
  // A narrow window may cut the end.
  return [dateText(publication.published_at), ...named].filter(Boolean).join(' · ');
}

function inventoryKind({ data }: Pick<Metadata, 'data'>) {
  return data.service.profile?.inventory ?? 'stores';
}
