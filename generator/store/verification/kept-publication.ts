import type { Metadata } from '../../contract/metadata.ts';
import { pathOf } from '../../contract/paths.ts';
import { resources } from '../../contract/resources.ts';
import type { Pointer } from '../../contract/site.ts';
import { parseJson, schemaProblems } from './json-bytes.ts';
import { checkPointed } from './publication-agreement.ts';
import { checkRoute, checkValidators } from './route-check.ts';
import type { RouteTable } from './route-table.ts';
import type { Surroundings } from './site-check.ts';
import { VariantCheck } from './variant-check.ts';

type Kept = Pointer['publications'][number];

/**
 * Checks a superseded publication that is kept for readers under way: its routes and the bytes they name. Its documents
 * could be judged when they were current, and a hash vouches for each since.
 */
export function checkKept(surroundings: Surroundings, publication: Kept, table: RouteTable): void {
  const { ledger, faults, progress } = surroundings;
  const variants = new VariantCheck(ledger, faults);
  let done = 0;
  for (const route of table.routes.values()) {
    if (done % 1000 === 0) progress(`publication ${publication.sequence}: ${done} of ${table.routes.size} routes`);
    done += 1;
    checkRoute(route, publication.published_at, faults);
    const object = ledger.check(route.sha256, `${route.path} of revision ${publication.revision}`);
    if (object) checkValidators(route, object, faults);
    variants.check(route);
  }
  checkOwnIdentity(surroundings, publication, table);
}

/** No document of the current publication need name it any more: its own metadata vouches for what the pointer says. */
function checkOwnIdentity({ ledger, faults }: Surroundings, publication: Kept, table: RouteTable): void {
  const route = table.routes.get(pathOf('metadata'));
  const bytes = route && ledger.read(route.sha256, route.path);
  const parsed = bytes && parseJson(bytes);
  if (!parsed || 'problem' in parsed || schemaProblems(resources.metadata.schema, parsed.value).length > 0) return;
  checkPointed(faults, (parsed.value as { data: Metadata }).data.publication, publication);
}
