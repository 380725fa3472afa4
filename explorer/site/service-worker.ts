import { copyAnswer, explorerCache, isMetadata, siteCaches } from './kept-documents.ts';
import { Documents, isFresh } from './offline-documents.ts';
import { type RequestEvent, scope } from './worker-scope.ts';

/*
 * The service worker: keeps what was loaded for use offline. With a connection the host answers as it would without a
 * worker, except for the explorer's files, whose names are hashes. Everything else is left to the browser.
 */

const { version, files, needed } = scope.shelfpress;
/** The site's URL: the worker's folder, perhaps below a path. */
const root = new URL('.', scope.location.href);
const ownCache = explorerCache(root, version);
const documents = new Documents(root);
let hasEnded = false;

scope.addEventListener('install', (event) => event.waitUntil(keepExplorer()));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  if (answer !== null) event.respondWith(answer);
});

function answerTo(event: RequestEvent): Promise<Response> | null {
  if (hasEnded) return null;
  const { method, url, mode, headers } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== root.origin || !pathname.startsWith(root.pathname)) return null;
  const path = pathname.slice(root.pathname.length);
  if (mode === 'navigate') return path === '' || path === 'index.html' ? navigate(event) : null;
  if (files.some((name) => path === `explorer/${name}`)) return file(event);
  if (path === 'current.json' || (isMetadata(url) && isFresh(event.request))) return documents.proof(event);
  const isOther = !/^v1(\/|$)/.test(path) || path.startsWith('v1/exports/') || headers.has('Range');
  return isOther ? null : documents.answer(event);
}

/** The document from the host, or the stored copy if there is no connection. */
async function navigate(event: RequestEvent): Promise<Response> {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(judge(answer.clone()).catch(() => {}));
    return answer;
  } catch (error) {
    const copy = await caches.match(root.href, { cacheName: ownCache });
    if (copy === undefined) throw error;
    return copy;
  }
}

async function file(event: RequestEvent): Promise<Response> {
  const { request } = event;
  const copy = await caches.match(request.url, { cacheName: ownCache });
  if (copy !== undefined) return copy;
  const answer = await fetch(request);
  if (answer.status === 200) event.waitUntil(keep(request.url, answer.clone()).catch(() => {}));
  return answer;
}

/** Keeps the current document. If it names no worker any more, or is gone, this worker ends. */
async function judge(answer: Response): Promise<void> {
  if (answer.status === 404 || answer.status === 410) return end();
  if (answer.status !== 200) return;
  const named = workerNamedIn(await answer.clone().text());
  if (named === null) return end();
  if (named === version) await keep(root.href, answer);
}

/** Ends the worker. Every open tab goes on without it. */
async function end(): Promise<void> {
  hasEnded = true;
  documents.end();
  await scope.registration.unregister();
  for (const { name } of await siteCaches(root)) await caches.delete(name);
}

/**
 * Keeps the document and its files. Rejects unless all of them belong to this version; the browser then keeps the
 * previous worker.
 */
async function keepExplorer(): Promise<void> {
  const answer = await fetch(root, { cache: 'no-cache' });
  const named = workerNamedIn(await answer.clone().text());
  if (answer.status !== 200 || named !== version)
    throw new Error(`expected the explorer to name worker ${version}, got ${answer.status} and ${named}`);
  const wanted = scope.navigator.connection?.saveData ? needed : files;
  await Promise.all(wanted.map((name) => keepFile(new URL(`explorer/${name}`, root).href)));
  await keep(root.href, answer);
  await scope.skipWaiting();
}

async function keepFile(url: string): Promise<void> {
  if (await caches.match(url, { cacheName: ownCache })) return;
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url}: expected a file of the explorer, got ${answer.status}`);
  await keep(url, answer);
}

async function keep(url: string, answer: Response): Promise<void> {
  const cache = await caches.open(ownCache);
  await cache.put(url, copyAnswer(answer, await answer.arrayBuffer()));
}

/** Replaces the previous worker, whose files are no longer needed. */
async function takeOver(): Promise<void> {
  for (const { name, revision } of await siteCaches(root)) {
    if (revision === null && name !== ownCache) await caches.delete(name);
  }
  await scope.clients.claim();
}

/** The worker version that a document names; null for none. */
function workerNamedIn(html: string): string | null {
  return /<meta name="shelfpress-worker" content="([0-9a-f]+)">/.exec(html)?.[1] ?? null;
}
