import { isForPeople, pathOf } from '../contract/paths.ts';
import type { ObjectLedger } from '../site/checked-files.ts';
import { checkValidators } from '../site/checked-table.ts';
import type { SiteUnderCheck } from './documents.ts';

/** What the page for people names: files in its attributes, and modules in the scripts, which lie beside each other. */
const references = {
  page: /(?:src|href|content)="explorer\/([^"]+)"/g,
  script: /["']\.\/([0-9a-z]+\.js)["']/g,
};

/** Checks the bytes of the page for people and of its files, and that each file exists that one of them names. */
export function checkExplorer({ table, faults }: SiteUnderCheck, ledger: ObjectLedger): void {
  for (const route of table.routes.values()) {
    const { path, sha256 } = route;
    if (!isForPeople(path)) continue;
    const object = ledger.check(sha256, path);
    if (object) checkValidators(route, object, faults);
    const pattern = path === pathOf('explorer') ? references.page : path.endsWith('.js') ? references.script : null;
    const bytes = pattern && ledger.read(sha256, path);
    for (const [, name] of (bytes && pattern && bytes.toString().matchAll(pattern)) ?? []) {
      if (table.find(`/explorer/${name}`) !== 'absent') continue;
      faults.add(
        'route_missing',
        `/explorer/${name}`,
        `a file of the page for people, as ${path} names it`,
        'no route',
      );
    }
  }
}
