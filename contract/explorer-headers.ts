/*
 * These headers limit what the explorer may do. The page also states its policy in a meta element. Hosts send it as a
 * header too, because a meta element cannot say who may show the page in a frame, and applies only to what comes after
 * it.
 */

/** The id of the element that has the requests as JSON. It is data and never runs, so no policy has to allow it. */
export const firstRequestsElement = 'first-requests';

/**
 * The only script in the page itself. It runs before any file has arrived, and requests what the view in the address
 * needs. Its text is always the same, so that hosts know its hash without reading a page.
 */
export const inlineScript = [
  `const views=JSON.parse(document.getElementById('${firstRequestsElement}').textContent)`,
  'const [,view]=/^#?\\/?([^/?]*)/.exec(location.hash)',
  "for(const [rel,as,href,fetchPriority] of Object.hasOwn(views,view||'home')?views[view||'home']:[])document.head.append(Object.assign(document.createElement('link'),{rel,as,href,fetchPriority,crossOrigin:''}))",
].join(';');

/** The SHA-256 of the script. It is a constant because a worker can only compute it asynchronously. */
const inlineScriptHash = 'sha256-BVGzb6QoySqwSawI9qRTV4gfV+90zAhr7wj2V8LSBAI=';

/**
 * Allows the explorer's own files, the documents of the site, and the inline script. Inline styles are allowed because
 * charts set the styles of elements.
 */
export const explorerPolicy = [
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
 * The headers of the explorer. Documents do not have them, because every origin may read documents. Other origins may
 * also load the explorer's files, but not show its page in a frame.
 */
export const explorerHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `${explorerPolicy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
