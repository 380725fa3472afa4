import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PointerSignature, parseSignatureFile } from '../../contract/schemas/checkpoint.ts';
import { buildSite } from '../../generator/assembly/build-site.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { writeSuccession } from '../../generator/trust/key-succession.ts';
import { readPrivateKey, readPublicKey, type SigningKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { type Signing, signatureFault } from '../../generator/trust/signature-file.ts';
import { verifyLive } from '../../generator/verify/live-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { SmallSites } from '../support/small-sites.ts';
import { build, temporaryFolder } from '../units/fixture-series.ts';

const sites = SmallSites.use(2);
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
afterAll(folder.remove);

let signer: SigningKey;
let trusted: SigningKey;
let stranger: SigningKey;
beforeAll(async () => {
  for (const name of ['site.key', 'other.key']) writeKeyPair(at(name));
  signer = readPrivateKey(at('site.key'));
  trusted = readPublicKey(at('site.key.pub'));
  stranger = readPublicKey(at('other.key.pub'));
  await sign(sites.at('1.sqlite'), at('first'));
  cpSync(at('first'), at('second'), { recursive: true, verbatimSymlinks: true });
  await sign(sites.at('2.sqlite'), at('second'));
  await build(sites.at('1.sqlite'), at('unsigned'));
});

function sign(database: string, out: string, by: SigningKey | Signing | null = signer) {
  const defaults = { baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
  const signing = by && ('expires' in by ? by : { key: by, expires: null });
  return buildSite({ database, out, ...defaults }, () => undefined, signing);
}

/** The signatures of a site. */
function readLines(site: string): PointerSignature[] {
  const lines = parseSignatureFile(readFileSync(join(site, 'current.json.sig'), 'utf8')) ?? [];
  return lines.filter((line) => line.format === 'shelfpress-signature');
}

function readBytes(site: string): { pointer: Buffer; signature: Buffer } {
  return {
    pointer: readFileSync(join(site, 'current.json')),
    signature: readFileSync(join(site, 'current.json.sig')),
  };
}

async function faultsIn(site: string, key: SigningKey | null): Promise<string[]> {
  const { faults } = await verifySite(site, { key });
  return faults.map(({ code, path, expected, got }) => `${code} ${path}: expected ${expected}, got ${got}`);
}

let copies = 0;

/** A changed copy of a signed site. */
function changed(site: string, change: (folder: string) => void): string {
  const copy = join(folder.path, `copy-${++copies}`);
  cpSync(at(site), copy, { recursive: true, verbatimSymlinks: true });
  change(copy);
  return copy;
}

test('a signed site is sound to whoever has the key, and to whoever has none', async () => {
  expect(await faultsIn(at('second'), trusted)).toEqual([]);
  expect(await faultsIn(at('second'), null)).toEqual([]);
});

test('the line of the pointer before stays, so that the signature matches both at every moment of the switch', () => {
  const [before, after] = [readBytes(at('first')), readBytes(at('second'))];
  expect(readLines(at('first'))).toHaveLength(1);
  expect(readLines(at('second'))).toHaveLength(2);
  expect(signatureFault(before.pointer, after.signature, trusted)).toBeNull();
  expect(signatureFault(after.pointer, after.signature, trusted)).toBeNull();
  expect(signatureFault(after.pointer, before.signature, trusted)?.reason).toBe('other_pointer');
});

test('building again writes the same signature; another key is refused unless the old one names it', async () => {
  const site = changed('second', () => undefined);
  const { signature } = readBytes(site);
  await sign(sites.at('2.sqlite'), site);
  expect(readBytes(site).signature.equals(signature)).toBe(true);
  const other = readPrivateKey(at('other.key'));
  await expect(sign(sites.at('2.sqlite'), site, other)).rejects.toThrow(
    `is signed by key ${signer.fingerprint}: expected that key, or one that follows it, got ${other.fingerprint}`,
  );
  expect(readBytes(site).signature.equals(signature)).toBe(true);
  writeKeyPair(at('next.key'));
  writeSuccession(at('next.key'), signer);
  await sign(sites.at('2.sqlite'), site, readPrivateKey(at('next.key')));
  expect(await faultsIn(site, trusted)).toEqual([]);
  // The old key does not follow the new one.
  await expect(sign(sites.at('2.sqlite'), site)).rejects.toThrow('or one that follows it');
  rmSync(join(site, 'current.json.sig'));
  await sign(sites.at('2.sqlite'), site, other);
  expect(await faultsIn(site, stranger)).toEqual([]);
  expect((await faultsIn(site, trusted))[0]).toContain('signature_mismatch');
});

describe('a clock that is behind', () => {
  let publishedAt: number;
  beforeAll(() => {
    publishedAt = Date.parse(JSON.parse(readBytes(at('first')).pointer.toString()).published_at);
  });
  const hour = 3_600_000;
  const signing = (clock: number | null, hours: number) => {
    const expires = new Date((clock ?? publishedAt) + hours * hour).toISOString().replace('.000Z', 'Z');
    return { key: signer, expires, clock };
  };

  test('signs nothing that expires, unless that is meant', async () => {
    const site = at('clock');
    const early = signing(publishedAt - 25 * hour, 24);
    await expect(sign(sites.at('1.sqlite'), site, early)).rejects.toThrow(
      /^the clock says .+: expected a time after .+, a day before the publication of .+, because the signature would expire at .+; set the clock, or pass --any-clock to build$/,
    );
    await sign(sites.at('1.sqlite'), site, signing(Date.now() + hour, 24));
    const { signature } = readBytes(site);
    await expect(sign(sites.at('1.sqlite'), site, signing(Date.now() - 6 * 60_000, 24))).rejects.toThrow(
      /expected a time after .+, the last signature/,
    );
    expect(readBytes(site).signature.equals(signature)).toBe(true);
    await sign(sites.at('1.sqlite'), site, signing(null, 24));
  });

  test('verify says that a signature has expired, to whoever relies on its key', async () => {
    const site = at('expired');
    await sign(sites.at('1.sqlite'), site, signing(null, 24));
    const { expires } = signing(null, 24);
    expect(await faultsIn(site, trusted)).toEqual([
      `signature_expired current.json.sig: expected a signature that has not expired, got one that expired at ${expires}`,
    ]);
    expect(await faultsIn(site, null)).toEqual([]);
    await using server = await RunningServer.start([site, '--port', '0']);
    const live = { key: trusted, bytesOnly: false, sample: 1, url: `http://${server.host}:${server.port}` };
    const { faults } = await verifyLive(live, () => undefined);
    expect(faults.map(({ code }) => code)).toEqual(['signature_expired']);
  });
});

test('a build without a key refuses a signed site, and changes nothing', async () => {
  const site = changed('first', () => undefined);
  const before = readBytes(site);
  await expect(sign(sites.at('2.sqlite'), site, null)).rejects.toThrow(
    'is signed: expected a key to sign with (--sign)',
  );
  expect(readBytes(site)).toEqual(before);
  rmSync(join(site, 'current.json.sig'));
  await sign(sites.at('2.sqlite'), site, null);
  expect(await faultsIn(site, null)).toEqual([]);
});

describe('what does not match is a fault', () => {
  test('no signature, and another key', async () => {
    expect(await faultsIn(at('unsigned'), null)).toEqual([]);
    const wanted = 'current.json.sig: expected a signature of key';
    expect(await faultsIn(at('unsigned'), trusted)).toEqual([
      `signature_missing ${wanted} ${trusted.fingerprint}, got none`,
    ]);
    expect(await faultsIn(at('first'), stranger)).toEqual([
      `signature_mismatch ${wanted} ${stranger.fingerprint}, got one of ${trusted.fingerprint}`,
    ]);
  });

  test('a tampered pointer, also for whoever has no key', async () => {
    const site = changed('first', (copy) => cpSync(at('second/current.json'), join(copy, 'current.json')));
    for (const key of [trusted, null]) expect((await faultsIn(site, key)).join('\n')).toContain('signature_mismatch');
    // A signature edited to name it.
    const forged = { ...readLines(site)[0], pointer_sha256: readLines(at('second'))[0]?.pointer_sha256 };
    writeFileSync(join(site, 'current.json.sig'), `${JSON.stringify(forged)}\n`);
    expect(await faultsIn(site, trusted)).toContain(
      'signature_mismatch current.json.sig: expected a signed checkpoint of that pointer, got something else',
    );
  });

  test.each(['', 'x', '{}\n'])('a file of %j', async (text) => {
    const site = changed('first', (copy) => writeFileSync(join(copy, 'current.json.sig'), text));
    expect((await faultsIn(site, null))[0]).toContain('expected a line of JSON of version 2');
  });
});

test('a build that fails at the pointer leaves a matching pair, and the next one continues', async () => {
  const site = changed('first', (copy) => mkdirSync(join(copy, 'current.json.tmp')));
  await expect(sign(sites.at('2.sqlite'), site)).rejects.toThrow('current.json.tmp');
  expect(readLines(site)).toHaveLength(2);
  const { pointer, signature } = readBytes(site);
  expect(JSON.parse(pointer.toString()).sequence).toBe(1);
  expect(signatureFault(pointer, signature, trusted)).toBeNull();
  rmSync(join(site, 'current.json.tmp'), { recursive: true });
  await sign(sites.at('2.sqlite'), site);
  expect(await faultsIn(site, trusted)).toEqual([]);
});
