import { describe, expect, test } from 'vitest';
import { describeFields, exportResource } from '../../contract/columns/export.ts';
import { openApi } from '../../contract/openapi/openapi.ts';
import { problemKinds } from '../../contract/problem.ts';
import { usualProfile } from '../../contract/profile.ts';
import { changeSemantics, changeType } from '../../contract/schemas/change.ts';
import { observedHistorySemantics } from '../../contract/schemas/family.ts';
import { serviceStatements, siteStatement } from '../../contract/schemas/metadata.ts';
import { readText, sourcesIn } from './repository.ts';

/** Constants that state what a change is not. */
const denials = [...new Set(Object.values(changeSemantics)), observedHistorySemantics];

/** Words that must never describe a reported decrease, or a reported row that comes back. */
const claims =
  /\b(sold|sells?|selling|sales?|sale_|purchased|bought|consumed|depleted|restock\w*|in stock|out of stock)\b/i;

/** Splits names at `_` too, because `units_sold` claims as much as "units sold". */
function claimsIn(text: string): string[] {
  const words = denials.reduce((rest, denial) => rest.replaceAll(denial, ''), text).replaceAll('_', ' ');
  return words.split('\n').filter((line) => claims.test(line));
}

/** Removes comments: they are not part of an answer. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

describe('no word of an answer calls a decrease a sale', () => {
  test('in the description of the service, problems, export fields and the statement', () => {
    const fields = exportResource.options.flatMap((resource) => describeFields(resource, usualProfile));
    const texts = [openApi('/v1'), problemKinds, fields, serviceStatements];
    expect(claimsIn(JSON.stringify([...texts, 'units_sold'], null, 1))).toEqual([
      expect.stringContaining('units sold'),
    ]);
  });

  test.each(['contract', 'generator/documents', 'shim'])('in the texts of %s', (folder) => {
    for (const file of sourcesIn(folder)) expect(claimsIn(withoutComments(readText(file))), file).toEqual([]);
  });

  test('and the events that could be mistaken for one say so', () => {
    expect(changeSemantics.aggregate_inventory_changed).toBe('reported_quantity_change_not_a_sale');
    expect(changeSemantics.store_inventory_changed).toBe('reported_quantity_change_not_a_sale');
    expect(changeSemantics.store_inventory_first_observed).toBe('baseline_observation_not_a_restock');
    expect(Object.keys(changeSemantics).sort()).toEqual([...changeType.options].sort());
  });
});

test('the statement says what the service is not', () => {
  for (const words of ['independent of the agency', 'not endorsed', 'not purchase guarantees']) {
    expect(siteStatement(usualProfile)).toContain(words);
  }
});
