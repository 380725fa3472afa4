import { hash } from 'node:crypto';
import { pathOf } from '../contract/paths.ts';

/** Where a change list and its pages stand. */
export type ChangeChain = {
  readonly list: string;
  readonly index: string;
  readonly page: (number: number) => string;
  readonly segment: (number: number) => string;
  /** What the list's `meta` says beyond page, history and warnings. */
  readonly meta: { readonly family?: { id: string; member_scope: 'members_visible_at_publication_revision' } };
};

export function allChangesChain(): ChangeChain {
  return {
    list: pathOf('changes'),
    index: pathOf('changes_index'),
    page: (number) => pathOf('changes_page', { number: String(number) }),
    segment: (number) => pathOf('changes_segment', { number: String(number) }),
    meta: {},
  };
}

export function productChain(productId: string): ChangeChain {
  const product_id = productId;
  return {
    list: pathOf('product_changes', { product_id }),
    index: pathOf('product_changes_index', { product_id }),
    page: (number) => pathOf('product_changes_page', { product_id, number: String(number) }),
    segment: (number) => pathOf('product_changes_segment', { product_id, number: String(number) }),
    meta: {},
  };
}

/** A family's pages are cut from its members' events: other members, other cut, other addresses. */
export function familyChain(familyId: string, memberIds: readonly string[]): ChangeChain {
  const family_id = familyId;
  const digest = hash('sha256', [...memberIds].sort().join('\n')).slice(0, 16);
  return {
    list: pathOf('family_changes', { family_id }),
    index: pathOf('family_changes_index', { family_id }),
    page: (number) => pathOf('family_changes_page', { family_id, digest, number: String(number) }),
    segment: (number) => pathOf('family_changes_segment', { family_id, digest, number: String(number) }),
    meta: { family: { id: family_id, member_scope: 'members_visible_at_publication_revision' } },
  };
}
