import { createPublicKey, generateKeyPairSync, hash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPrivateKey, readPublicKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../units/fixture-series.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const at = (name: string) => join(folder.path, name);

test('a pair is PKCS #8 and SPKI in PEM, the private one for its owner alone', () => {
  const { fingerprint } = writeKeyPair(at('site.key'));
  expect(readFileSync(at('site.key'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect(readFileSync(at('site.key.pub'), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  expect(statSync(at('site.key')).mode & 0o777).toBe(0o600);
  const der = createPublicKey(readFileSync(at('site.key.pub'))).export({ type: 'spki', format: 'der' });
  expect(fingerprint).toBe(hash('sha256', der));
  expect(readPrivateKey(at('site.key')).fingerprint).toBe(fingerprint);
  expect(readPublicKey(at('site.key.pub')).fingerprint).toBe(fingerprint);
});

test.each(['taken.key', 'taken.key.pub'])('nothing is written if %s exists', (standing) => {
  const own = temporaryFolder();
  writeFileSync(join(own.path, standing), 'precious');
  expect(() => writeKeyPair(join(own.path, 'taken.key'))).toThrow(
    `${standing}: expected no file of that name, got one`,
  );
  expect(readdirSync(own.path)).toEqual([standing]);
  expect(readFileSync(join(own.path, standing), 'utf8')).toBe('precious');
  own.remove();
});

test('the public key of a pair is made again where a run was interrupted before it', () => {
  const { fingerprint } = writeKeyPair(at('half.key'));
  const publicKey = readFileSync(at('half.key.pub'));
  rmSync(at('half.key.pub'));
  expect(writeKeyPair(at('half.key'))).toMatchObject({ fingerprint, isNew: false });
  expect(readFileSync(at('half.key.pub'))).toEqual(publicKey);
});

test('a full disk leaves no file of either', ({ skip }) => {
  using disk = SmallDisk.mount(8192);
  if (!disk) return skip('this user may not mount');
  writeFileSync(join(disk.path, 'filling'), Buffer.alloc(8192));
  expect(() => writeKeyPair(join(disk.path, 'site.key'))).toThrow('ENOSPC (the disk is full)');
  rmSync(join(disk.path, 'filling'));
  writeFileSync(join(disk.path, 'half'), Buffer.alloc(4096));
  expect(() => writeKeyPair(join(disk.path, 'site.key'))).toThrow('ENOSPC (the disk is full)');
  expect(readdirSync(disk.path)).toEqual(['half']);
});

describe('anything but such a key is refused', () => {
  writeFileSync(at('text'), 'not a key');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(at('rsa'), rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('rsa.pub'), rsa.publicKey.export({ type: 'spki', format: 'pem' }));
  writeKeyPair(at('good'));

  test.skipIf(process.platform === 'win32')('a private key that others may read', () => {
    writeFileSync(at('shared'), readFileSync(at('good')));
    chmodSync(at('shared'), 0o644);
    expect(() => readPrivateKey(at('shared'))).toThrow(
      '/shared: expected a file that only its owner may use, got mode 644; chmod 600 it',
    );
  });

  test.each([
    [readPrivateKey, 'text', 'expected an Ed25519 private key in PEM'],
    [readPrivateKey, 'rsa', 'got rsa'],
    [readPrivateKey, 'good.pub', 'expected an Ed25519 private key in PEM'],
    [readPublicKey, 'text', 'expected an Ed25519 public key in PEM'],
    [readPublicKey, 'rsa.pub', 'got rsa'],
    [readPublicKey, 'good', 'expected a public key, got the private one'],
  ])('%o %s', (read, name, message) => {
    expect(() => read(at(name))).toThrow(new RegExp(`/${name}: .*${message}`));
  });
});
