import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lab } from '../lab.ts';
import { startService } from './servers.ts';

/**
 * How many publications a site is switched between. The service keeps the search indexes of two, so with a third each
 * switch is to a publication that it must prepare.
 */
const publications = 3;
const switches = 20;
const pauseMs = 150;
const readers = 8;

export type SwitchingFigure = {
  readonly switches: number;
  readonly answers: number;
  /** Answers with a status other than 200. */
  readonly failed: number;
  /** Answers that differ from what the revision in their header answers. */
  readonly mixed: number;
};

/**
 * Switches a site between publications while readers request documents, lists and comparisons.
 * Compares every answer with what its publication answers when nothing is switched.
 */
export async function switchingBenchmark(lab: Lab): Promise<SwitchingFigure> {
  const dist = lab.workspace.path('switching');
  const pointers = await buildSwitched(lab, dist);
  const service = await startService(lab.program, dist, lab.workspace.path('switching-service'));
  try {
    const paths = await pathsOf(service.url);
    const expected = new Map<string, string>();
    for (const pointer of pointers) {
      turnTo(dist, pointer);
      await untilServed(service.url, pointer);
      for (const path of paths) {
        const { revision, body } = await ask(service.url + path);
        expected.set(`${revision} ${path}`, digest(body));
      }
    }
    lab.say(`switching ${switches} times under load`);
    const counts = { answers: 0, failed: 0, mixed: 0 };
    let isOver = false;
    const read = async (start: number) => {
      for (let n = start; !isOver; n += 1) {
        const path = paths[n % paths.length] as string;
        const { status, revision, body } = await ask(service.url + path);
        counts.answers += 1;
        if (status !== 200) counts.failed += 1;
        else if (expected.get(`${revision} ${path}`) !== digest(body)) counts.mixed += 1;
      }
    };
    const reading = Array.from({ length: readers }, (_, index) => read(index));
    for (let n = 0; n < switches; n += 1) {
      turnTo(dist, pointers[n % pointers.length] as Buffer);
      await wait(pauseMs);
    }
    isOver = true;
    await Promise.all(reading);
    return { switches, ...counts };
  } finally {
    await service.stop();
  }
}

/** Builds the last publications into one site, oldest first. Returns the pointer of each. */
export async function buildSwitched(lab: Lab, dist: string): Promise<Buffer[]> {
  lab.say(`building ${publications} publications to switch between`);
  const pointers: Buffer[] = [];
  for (const database of await lab.databases(publications)) {
    await lab.build(database, dist, 'current');
    pointers.push(readFileSync(join(dist, 'current.json')));
  }
  return pointers;
}

/** Switches the pointer as a build does: writes a file beside it, then renames the file. */
export function turnTo(dist: string, pointer: Buffer): void {
  writeFileSync(join(dist, 'next.json'), pointer);
  renameSync(join(dist, 'next.json'), join(dist, 'current.json'));
}

/** Waits until a service serves a publication. */
export async function untilServed(url: string, pointer: Buffer): Promise<void> {
  const { revision } = JSON.parse(pointer.toString()) as { revision: string };
  while ((await ask(`${url}/v1`)).revision !== revision) await wait(pauseMs);
}

async function pathsOf(url: string): Promise<string[]> {
  const search = JSON.parse((await ask(`${url}/v1/search/index.json`)).body);
  const skus: string[] = search.entries.flatMap(({ hit }: { hit: { agency_sku?: string } }) => hit.agency_sku ?? []);
  const stores = JSON.parse((await ask(`${url}/v1/availability/stores.json`)).body).stores;
  const { latitude, longitude } = stores.find(({ location }: { location: unknown }) => location !== null).location;
  return [
    '/v1',
    '/v1/metadata',
    '/v1/changes',
    '/v1/changes?limit=10&types=price_changed',
    '/v1/brands?sort=-name',
    '/v1/products',
    `/v1/products/by-sku/${skus[0]}`,
    `/v1/search?q=${skus[1]}`,
    `/v1/availability/comparison?skus=${skus.slice(0, 5).join()}&lat=${latitude}&lng=${longitude}`,
  ];
}

async function ask(url: string): Promise<{ status: number; revision: string; body: string }> {
  const answer = await fetch(url);
  return {
    status: answer.status,
    revision: answer.headers.get('x-publication-revision') ?? '',
    body: await answer.text(),
  };
}

function digest(body: string): string {
  return hash('sha256', settledBody(body));
}

/**
 * A body without its cursors, which are signed again every minute. Everything else in it depends only on its
 * publication.
 */
export function settledBody(body: string): string {
  return body.replace(/"(?:next_cursor|cursor_expires_at|next)":"[^"]*"/g, '');
}
