import { hash, sign as signBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite } from '../../client/open-site.ts';
import { type Checkpoint, parseCheckpoint, parseNote, parseSignatureFile } from '../../contract/schemas/checkpoint.ts';
import { buildSite } from '../../generator/assembly/build-site.ts';
import { writeSuccession } from '../../generator/trust/key-succession.ts';
import { readPrivateKey, readPublicKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { signatureFault } from '../../generator/trust/signature-file.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { SmallSites } from '../support/small-sites.ts';
import { temporaryFolder } from '../units/fixture-series.ts';

const sites = SmallSites.use(3);
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
afterAll(folder.remove);

const later = '2999-01-01T00:00:00Z';
const past = '2020-01-01T00:00:00Z';

async function build(
  database: number,
  out: string,
  { key = 'site.key', expires = later as string | null, baseUrl = null as string | null } = {},
) {
  const defaults = { exports: 'retained', keepAll: false, full: false } as const;
  const signing = { key: readPrivateKey(at(key)), expires };
  await buildSite(
    { database: sites.at(`${database}.sqlite`), out: at(out), baseUrl, ...defaults },
    () => undefined,
    signing,
  );
}

function copy(from: string, to: string): void {
  cpSync(at(from), at(to), { recursive: true, verbatimSymlinks: true });
}

function readCheckpoint(site: string): Checkpoint {
  const [line] = parseSignatureFile(readFileSync(join(at(site), 'current.json.sig'), 'utf8')) ?? [];
  const note = line?.format === 'shelfpress-signature' ? parseNote(line.note) : null;
  const checkpoint = note && parseCheckpoint(note.text);
  if (!checkpoint) throw new Error('no checkpoint');
  return checkpoint;
}

/** One host, whose folder changes. It serves addresses under their file names. */
const host = StaticHost.use(at('first'));
function shows(site: string): void {
  host.folder = at(site);
  host.intercept = (request) => {
    if (!host.has(request.url ?? '') && host.has(`site${request.url}`)) request.url = `/site${request.url}`;
    else if (!host.has(request.url ?? '') && host.has(`site${request.url}.json`))
      request.url = `/site${request.url}.json`;
    return false;
  };
}

beforeAll(async () => {
  writeKeyPair(at('site.key'));
  await build(1, 'first');
  copy('first', 'second');
  await build(2, 'second');
  copy('second', 'third');
  await build(3, 'third');
  // Another second publication, which continues the same first one.
  copy('first', 'other');
  await build(2, 'other', { baseUrl: 'https://other.example/v1' });
  copy('second', 'frozen');
  await build(2, 'frozen', { expires: past });
});

describe('the signatures of a site are a chain', () => {
  test('whose checkpoints name the pointer, the one before, and when they expire', () => {
    const [first, second] = [readCheckpoint('first'), readCheckpoint('second')];
    const digest = (site: string) => hash('sha256', readFileSync(join(at(site), 'current.json')));
    const origin = readPublicKey(at('site.key.pub')).fingerprint;
    expect(first).toMatchObject({ origin, number: 1, pointer: digest('first'), before: null, expires: later });
    expect(second).toMatchObject({ origin, number: 2, pointer: digest('second'), before: digest('first') });
    expect(second.chain).toBe(hash('sha256', `${first.chain}\n${second.pointer}\n`));
    expect(readCheckpoint('third').number).toBe(3);
  });

  test('in which a build of the same pointer renews the signature and adds no pointer', () => {
    expect(readCheckpoint('frozen')).toEqual({ ...readCheckpoint('second'), expires: past });
  });

  test('whose notes are C2SP signed notes', () => {
    const [line] = parseSignatureFile(readFileSync(join(at('first'), 'current.json.sig'), 'utf8')) ?? [];
    const note = line?.format === 'shelfpress-signature' ? line.note : '';
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const { key, fingerprint } = readPrivateKey(at('site.key'));
    const raw = Buffer.from(String(readFileSync(at('site.key.pub'))).split('\n')[1] ?? '', 'base64').subarray(-32);
    const keyId = Buffer.from(
      hash('sha256', Buffer.concat([Buffer.from(`${fingerprint}\n\x01`), raw])),
      'hex',
    ).subarray(0, 4);
    const signature = Buffer.concat([keyId, signBytes(null, Buffer.from(text), key)]).toString('base64');
    expect(note).toBe(`${text}\n— ${fingerprint} ${signature}\n`);
  });

  test('that does not start over at a damaged file', async () => {
    copy('second', 'damaged');
    writeFileSync(join(at('damaged'), 'current.json.sig'), '{');
    await expect(build(3, 'damaged')).rejects.toThrow(
      'expected signatures of the previous pointer, got something else',
    );
  });
});

/**
 * The readers. Each returns what it says about a site, which it has seen before or not; null when it trusts the site.
 */
const readers: Readonly<Record<string, (name: string) => Promise<string | null>>> = {
  async mirror(name) {
    const { code, stderr } = await runInProcess('mirror', host.url, at(`mirror-${name}`), '--key', at('site.key.pub'));
    return code === 0 ? null : stderr;
  },
  async follow(name) {
    const files = ['--state', at(`state-${name}`), '--output', at(`events-${name}`)];
    const { code, stderr } = await runInProcess('follow', host.url, '--once', ...files, '--key', at('site.key.pub'));
    return code === 0 ? null : stderr;
  },
  async status(name) {
    const trust = [
      '--key',
      at('site.key.pub'),
      '--seen',
      at(`seen-${name}`),
      '--bytes',
      '--allow-warning',
      'FIXTURE_DATA',
    ];
    const { stdout } = await runInProcess('status', host.url, ...trust);
    return /freeze|fork|rollback|expected a signature/.test(stdout) ? stdout : null;
  },
  async client(name) {
    const file = at(`memory-${name}`);
    const memory = {
      read: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
      write: (text: string) => writeFileSync(file, text),
    };
    try {
      await openSite(host.url, { key: readFileSync(at('site.key.pub'), 'utf8'), memory });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  },
};

describe.each(Object.keys(readers))('%s', (reader) => {
  const look = (site: string, name: string) => {
    shows(site);
    return (readers[reader] as (typeof readers)[string])(name);
  };

  test('trusts the next publications, also after some that it has not seen', async () => {
    for (const site of ['first', 'third']) expect(await look(site, 'next')).toBeNull();
  });

  test('refuses an older pointer', async () => {
    expect(await look('second', 'rollback')).toBeNull();
    expect(await look('first', 'rollback')).toMatch(/rollback|older publication/);
    expect(await look('third', 'rollback')).toBeNull();
  });

  test('refuses another pointer of the same number, and what follows it', async () => {
    expect(await look('second', 'fork')).toBeNull();
    expect(await look('other', 'fork')).toMatch(/fork: expected a checkpoint that continues/);
    copy('other', `after-${reader}`);
    await build(3, `after-${reader}`);
    expect(await look(`after-${reader}`, 'fork')).toMatch(/fork/);
  });

  test('refuses a signature that has expired, also where nothing is new', async () => {
    expect(await look('frozen', 'new')).toMatch(/freeze: expected a signature that has not expired/);
    expect(await look('second', 'freeze')).toBeNull();
    expect(await look('frozen', 'freeze')).toMatch(/freeze/);
  });

  test('trusts a key that follows the one it knows', async () => {
    if (!existsSync(at('next.key'))) {
      writeKeyPair(at('next.key'));
      writeSuccession(at('next.key'), readPrivateKey(at('site.key')));
      writeKeyPair(at('stranger.key'));
    }
    copy('second', `rotated-${reader}`);
    await build(3, `rotated-${reader}`, { key: 'next.key' });
    expect(await look('second', 'rotated')).toBeNull();
    expect(await look(`rotated-${reader}`, 'rotated')).toBeNull();
    copy('second', `stranger-${reader}`);
    rmSync(at(`stranger-${reader}/current.json.sig`));
    await build(3, `stranger-${reader}`, { key: 'stranger.key' });
    expect(await look(`stranger-${reader}`, 'rotated')).toMatch(/expected a signature of key|pointer/);
  });
});

test('a line with a key that the one before did not sign is not a succession', async () => {
  copy('second', 'forged');
  rmSync(at('forged/current.json.sig'));
  await build(3, 'forged', { key: 'stranger.key' });
  const file = join(at('forged'), 'current.json.sig');
  const [line] = readFileSync(at('next.key.succession'), 'utf8').trimEnd().split('\n');
  const stranger = readPublicKey(at('stranger.key.pub'));
  const der = stranger.key.export({ type: 'spki', format: 'der' }).toString('base64');
  const forged = { ...JSON.parse(line ?? ''), key: stranger.fingerprint, public_key: der };
  writeFileSync(file, `${readFileSync(file, 'utf8')}${JSON.stringify(forged)}\n`);
  const pointer = readFileSync(join(at('forged'), 'current.json'));
  expect(signatureFault(pointer, readFileSync(file), readPublicKey(at('site.key.pub')))?.reason).toBe('wrong');
  rmSync(file);
});

test('a witness signs what continues the history that it saw, and nothing else', async () => {
  writeKeyPair(at('witness.key'));
  const { fingerprint } = readPublicKey(at('witness.key.pub'));
  const keys = ['--key', at('site.key.pub'), '--sign', at('witness.key')];
  const witness = async (site: string) => {
    shows(site);
    return runInProcess('witness', host.url, ...keys, '--seen', at('witnessed'), '--out', at('witness'));
  };
  expect((await witness('first')).code).toBe(0);
  copy('second', 'witnessed-second');
  const verify = async () => {
    const { code, stdout } = await runInProcess('verify', at('witnessed-second'), '--witness', at('witness.key.pub'));
    return code === 0 ? null : stdout;
  };
  const file = join(at('witnessed-second'), `current.json.${fingerprint}.sig`);
  expect(await verify()).toMatch(new RegExp(`current\\.json\\.${fingerprint}\\.sig: .*got none`));
  cpSync(join(at('witness'), `current.json.${fingerprint}.sig`), file);
  expect(await verify()).toContain('expected a signature of the pointer with SHA-256');
  expect((await witness('second')).stdout).toContain('checkpoint 2, ');
  cpSync(join(at('witness'), `current.json.${fingerprint}.sig`), file);
  expect(await verify()).toBeNull();
  for (const [site, word] of [
    ['other', 'fork'],
    ['first', 'rollback'],
    ['frozen', 'freeze'],
  ] as const) {
    const { code, stderr } = await witness(site);
    expect([code, stderr]).toEqual([1, expect.stringContaining(word)]);
  }
});
