import { v5 } from 'uuid';
import { type About, contactPoint, serviceName } from '../../contract/schemas/metadata.ts';
import type { State } from './state.ts';

type Attributes = Readonly<Record<string, string>>;

/** Wraps lines of XML in the namespace of Atom (RFC 4287). */
export function atomFeed(lines: readonly string[]): Uint8Array {
  return xmlDocument('feed', 'http://www.w3.org/2005/Atom', lines);
}

export function xmlDocument(root: string, namespace: string, lines: readonly string[]): Uint8Array {
  const all = ['<?xml version="1.0" encoding="utf-8"?>', `<${root} xmlns="${namespace}">`, ...lines, `</${root}>`];
  return Buffer.from(`${all.join('\n')}\n`);
}

/** The id derives from the first publication, so it never changes. */
export function feedId(name: string, state: State): string {
  return `urn:uuid:${v5(name, state.publicationAt(1).revision)}`;
}

export function author(about: About | null): string {
  const point = about && contactPoint(about);
  const reached = !point ? '' : 'url' in point ? text('uri', point.url) : text('email', point.email);
  return `<author>${text('name', about?.title ?? serviceName)}${reached}</author>`;
}

export function text(name: string, content: string, attributes: Attributes = {}): string {
  return `<${name}${written(attributes)}>${escaped(content)}</${name}>`;
}

export function link(attributes: Attributes): string {
  return `<link${written(attributes)}/>`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
}

/** XML cannot hold control characters, which an agency's texts may contain, so they are replaced. */
function escaped(content: string): string {
  return content
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
