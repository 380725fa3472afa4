import { hash } from 'node:crypto';
import { pathOf } from '../contract/paths.ts';

/** What a family's change list says of itself beyond page, history and warnings. */
type FamilyMeta = { readonly family?: { id: string; member_scope: 'members_visible_at_publication_revision' } };

/** Where a change list and its pages stand. */
export interface ChangeChain {
  readonly list: string;
  readonly index: string;
  readonly meta: FamilyMeta;
  page(number: number): string;
  segment(number: number): string;
}

export class AllChangesChain implements ChangeChain {
  readonly list = pathOf('changes');
  readonly index = pathOf('changes_index');
  readonly meta = {};

  page(number: number): string {
    return pathOf('changes_page', { number: String(number) });
  }

  segment(number: number): string {
    return pathOf('changes_segment', { number: String(number) });
  }
}

export class ProductChain implements ChangeChain {
  readonly list: string;
  readonly index: string;
  readonly meta = {};
  readonly #id: string;

  constructor(productId: string) {
    this.#id = productId;
    this.list = pathOf('product_changes', { product_id: productId });
    this.index = pathOf('product_changes_index', { product_id: productId });
  }

  page(number: number): string {
    return pathOf('product_changes_page', { product_id: this.#id, number: String(number) });
  }

  segment(number: number): string {
    return pathOf('product_changes_segment', { product_id: this.#id, number: String(number) });
  }
}

/** A family's pages are cut from its members' events: other members, other cut, other addresses. */
export class FamilyChain implements ChangeChain {
  readonly list: string;
  readonly index: string;
  readonly meta: FamilyMeta;
  readonly #id: string;
  readonly #digest: string;

  constructor(familyId: string, memberIds: readonly string[]) {
    this.#id = familyId;
    this.#digest = hash('sha256', [...memberIds].sort().join('\n')).slice(0, 16);
    this.list = pathOf('family_changes', { family_id: familyId });
    this.index = pathOf('family_changes_index', { family_id: familyId });
    this.meta = { family: { id: familyId, member_scope: 'members_visible_at_publication_revision' } };
  }

  page(number: number): string {
    return pathOf('family_changes_page', { family_id: this.#id, digest: this.#digest, number: String(number) });
  }

  segment(number: number): string {
    return pathOf('family_changes_segment', { family_id: this.#id, digest: this.#digest, number: String(number) });
  }
}
