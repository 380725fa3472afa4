import { gunzipSync } from 'node:zlib';
import { isDownloadType } from '../../../contract/headers.ts';
import { objectPath } from '../../../contract/paths.ts';
import { parseJson } from '../../../contract/text.ts';
import { Failure } from '../../files/failure.ts';
import { jsonObject } from '../../http/json-object.ts';
import { pointerIn } from '../../site/checked-pointer.ts';
import { readTable } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';
import { buildLedger, ledgerFile } from '../../units/ledger-file.ts';
import { firstDifference } from '../field-difference.ts';

/** An answer of a site, and where it comes from. */
export type AddressReport = ReturnType<typeof inspectAddress>;

/**
 * Reads where an answer of a site comes from. `unit`: what made it; null if an earlier publication did, or if the
 * ledger is missing. Its `isKept`: whether the last build kept what an earlier one made. Throws a Failure when there is
 * no site, or no such address in it.
 */
export function inspectAddress(folder: string, address: string) {
  const storage = new Storage(folder);
  const { sequence, routes } = pointerIn(storage, folder).pointer;
  const route = readTable(storage, routes).routes.get(address);
  if (!route) throw new Failure('wrong_value', `${folder} has no ${address} (try /v1/metadata)`);
  const file = storage.read(ledgerFile);
  const ledger = file && jsonObject(file, buildLedger, `${folder}/${ledgerFile}`);
  const units = ledger?.table === routes.sha256 ? Object.entries(ledger.units) : [];
  const [name, entry] = units.find(([, { paths }]) => paths.includes(address)) ?? [];
  if (name === undefined || entry === undefined) return { folder, sequence, route, unit: null };
  const { paths: _, ...unit } = entry;
  return { folder, sequence, route, unit: { name, ...unit, isKept: unit.made < sequence } };
}

/** The first input, and the first field of the answer, in which two sites differ; null if they are equal. */
export function firstDifferences(one: AddressReport, other: AddressReport) {
  const sides = [one, other] as const;
  const [inputs, otherInputs] = sides.map(({ unit }) => unit?.inputs ?? {});
  const [value, otherValue] = sides.map(readAnswer);
  return {
    input: firstDifference(inputs, otherInputs),
    field: one.route.sha256 === other.route.sha256 ? null : firstDifference(value, otherValue),
  };
}

/** The answer at an address: parsed JSON, the lines of an export (those of CSV unparsed), or else the hash. */
function readAnswer({ folder, route }: AddressReport): unknown {
  const bytes = new Storage(folder).read(objectPath(route.sha256));
  if (bytes === null)
    throw new Failure('site_damaged', `${folder}/${objectPath(route.sha256)}: expected an object, got no such file`);
  if (route.encoding === 'gzip')
    return gunzipSync(bytes)
      .toString()
      .split('\n')
      .map((line) => parseJson(line) ?? line);
  return isDownloadType(route.media_type) ? route.sha256 : (parseJson(bytes.toString()) ?? route.sha256);
}
