import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { readDatabase } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { readPrivateKey, readPublicKey } from '../../generator/trust/keys.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { runCommand } from '../support/command-line.ts';
import { LoopDisk } from '../support/loop-disk.ts';
import { SmallSites } from '../support/small-sites.ts';
import { digestState, readState } from './disk-state.ts';

const sites = SmallSites.use(2);
const imports = 'fixtures/imports/csv';

test('what six commands reported is on a real file system when the power fails right after', async ({ skip }) => {
  using disk = LoopDisk.make(96 * 1024 * 1024) ?? skip('this user may not mount a disk');
  await using host = await StaticHost.start(sites.at('dist-1'));
  /** Runs a command, and looks at the disk as it is right after. */
  const afterRun = async (args: readonly string[], look: (at: (name: string) => string) => unknown) => {
    const { code, stderr } = await runCommand(...args);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    using left = disk.afterPowerFailure();
    await look((name) => join(left.path, name));
  };
  const at = (name: string) => join(disk.path, name);
  const sequenceIn = (file: string) => readDatabase(file, latestPublication)?.sequence;
  const isWhole = async (site: string) => expect((await verifySite(site)).faults).toEqual([]);

  for (const [index, snapshot] of fixtureFolders().slice(0, 2).entries()) {
    await afterRun(['publish', snapshot, '--db', at('db.sqlite')], (left) =>
      expect(sequenceIn(left('db.sqlite'))).toBe(index + 1),
    );
  }
  await afterRun(['build', '--db', sites.at('1.sqlite'), '--out', at('site'), '--no-explorer'], (left) =>
    isWhole(left('site')),
  );
  for (const number of [1, 2]) {
    host.folder = sites.at(`dist-${number}`);
    await afterRun(['mirror', host.url, at('mirror')], async (left) => {
      expect(JSON.parse(readFileSync(left('mirror/current.json'), 'utf8')).sequence).toBe(number);
      await isWhole(left('mirror'));
    });
  }
  const files = ['catalog.csv', 'stores.csv', 'inventory.csv'].map((name) => join(imports, name));
  const args = ['--out', at('snapshot'), '--published-at', '2025-03-03T22:00:00Z'];
  await afterRun(['import', join(imports, 'recipe.json'), ...files, ...args], (left) =>
    expect(digestState(readState(left('snapshot')))).toEqual(digestState(readState(at('snapshot')))),
  );
  await afterRun(['bundle', sites.at('dist-1'), at('site.zip')], (left) =>
    expect(readFileSync(left('site.zip')).equals(readFileSync(at('site.zip')))).toBe(true),
  );
  await afterRun(['keygen', at('site.key')], (left) => {
    expect(existsSync(left('site.key.pub'))).toBe(true);
    expect(readPrivateKey(left('site.key')).fingerprint).toBe(readPublicKey(left('site.key.pub')).fingerprint);
  });
}, 300_000);
