import type { Metadata } from './session.ts';

/** The name of the site, as its operator states it; otherwise that of the service. */
export function siteTitle({ data }: Metadata): string {
  return data.about?.title ?? data.service.name;
}
