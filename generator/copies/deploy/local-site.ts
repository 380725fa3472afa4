import { pointerFile, signatureFile } from '../../../contract/paths.ts';
import { documentedPublications, type Route } from '../../../contract/schemas/site-files.ts';
import { Failure } from '../../files/failure.ts';
import { objectLedger, SiteFiles } from '../../site/checked-files.ts';
import { soundPointer } from '../../site/checked-pointer.ts';
import { checkTable } from '../../site/checked-table.ts';
import { FaultList } from '../../site/fault.ts';
import { refusePart } from '../../site/mirror-holding.ts';
import { objectsOfTable } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';
import { signatureFault } from '../../trust/signature-file.ts';
import { documentUpload, objectUpload, type Upload } from './upload.ts';

/** A site in a folder. `uploads`: all files to upload except the signature and the pointer, by key. */
export type LocalSite = ReturnType<typeof readLocalSite>;

/** The most bytes that S3 takes in one part. An object of several parts does not have its MD5 as its ETag. */
const largestPart = 5 * 1024 ** 3;

/**
 * Reads pointer, signature and route tables with the checks of `verify`; does not read other objects yet. Throws a
 * Failure that names the first fault, or if there is no whole site.
 */
export function readLocalSite(directory: string, withDocuments: boolean) {
  const storage = new Storage(directory);
  const bytes = storage.read(pointerFile);
  if (bytes === null)
    throw new Failure('site_missing', `${directory}: expected a built site or a mirror, got no ${pointerFile}`);
  const pointer = soundPointer(bytes, `${directory}/`);
  const signature = storage.read(signatureFile);
  const fault = signatureFault(bytes, signature, null);
  if (fault)
    throw new Failure('signature', `${directory}/${signatureFile}: expected ${fault.expected}, got ${fault.got}`);
  refusePart(directory, storage, bytes);

  const uploads = new Map<string, Upload>();
  const faults = new FaultList();
  const ledger = objectLedger(new SiteFiles(directory), faults);
  let current: ReadonlyMap<string, Route> = new Map();
  for (const publication of documentedPublications(pointer)) {
    const { revision, routes: root } = publication;
    const table = checkTable({ ledger, faults }, publication);
    faults.refuseFirst(`${directory}/`);
    for (const sha256 of objectsOfTable(storage, root)) {
      const sound = ledger.check(sha256, 'the route table');
      if (sound === null) throw new Error(`a part of a route table was sound and no longer is: ${sha256}`);
      add(uploads, objectUpload({ ...sound, sha256 }, sha256 === root.sha256 ? 'root' : 'shard'));
    }
    const routes = table?.routes ?? new Map<string, Route>();
    for (const route of routes.values()) {
      for (const { sha256, size, etag } of [route, ...(route.variants ?? [])]) {
        add(uploads, objectUpload({ sha256, size, md5: etag.slice(1, -1) }, 'object'));
      }
    }
    if (revision === pointer.revision) current = routes;
  }
  if (withDocuments) for (const route of current.values()) add(uploads, documentUpload(route, pointer.revision));
  return { directory, storage, pointer, bytes, signature, uploads, routes: current };
}

function add(uploads: Map<string, Upload>, upload: Upload): void {
  if (uploads.has(upload.name)) return;
  if (upload.size > largestPart) {
    throw new Failure(
      'bucket',
      `${upload.name}: expected at most ${largestPart} bytes, the most that S3 takes in one part, got ${upload.size}`,
    );
  }
  uploads.set(upload.name, upload);
}
