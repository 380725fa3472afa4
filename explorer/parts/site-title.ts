import { siteName, siteSubject } from '../../contract/site-name.ts';
import type { Metadata } from '../site/session.ts';
import { dateText } from './text.ts';

/** The name that the operator gave the site, or else a description of its contents. */
export function siteTitle({ data }: Metadata): string {
  return siteName(data.about, inventoryKind({ data }));
}

/** The date of the data, and the agency and subject unless the name already says so. */
export function siteDateline({ data }: Pick<Metadata, 'data'>): string {
  const { about, publication } = data;
  const named = about?.title ? [about.agency, siteSubject(inventoryKind({ data }))] : [];
  // A narrow window may cut off the end.
  return [dateText(publication.published_at), ...named].filter(Boolean).join(' · ');
}

function inventoryKind({ data }: Pick<Metadata, 'data'>) {
  return data.service.profile?.inventory ?? 'stores';
}
