/*
 * What the page for people may do. The page states its policy in a meta element, and hosts send it as a header: a meta element cannot
 * say who may show the page in a frame, and counts only from where it stands.
 */

/** The id of the element with the requests, as JSON. An element of data is never run, so no policy has to allow it. */
export const firstRequestsElement = 'first-requests';

/**
 * The only script in the page. It runs before any file is there, and asks for what the view in the address needs. Its text is the same
 * in every page, so that hosts know its hash without reading a page.
 */
export const inlineScript = [
  `const views=JSON.parse(document.getElementById('${firstRequestsElement}').textContent)`,
  'const [,view]=/^#?\\/?([^/?]*)/.exec(location.hash)',
  "for(const [rel,as,href,fetchPriority] of Object.hasOwn(views,view||'home')?views[view||'home']:[])document.head.append(Object.assign(document.createElement('link'),{rel,as,href,fetchPriority,crossOrigin:''}))",
].join(';');

/** The SHA-256 of the script. It is written down because a worker could compute it only by waiting. */
const inlineScriptHash = 'sha256-BVGzb6QoySqwSawI9qRTV4gfV+90zAhr7wj2V8LSBAI=';

/**
 * What the page may load: its own files and the site's documents, and the script in it. Styles of elements are set by charts, so they
 * are allowed.
 */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' '${inlineScriptHash}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Headers of the page alone. Documents are for every origin and have none of them. A Cross-Origin-Resource-Policy is missing because
 * the page is public too.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `${pagePolicy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
