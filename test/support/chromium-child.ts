import chromium from '@sparticuz/chromium';

/*
 * Unpacks Chromium into the folder for temporary files. It has its own process, because the package changes its
 * environment.
 */
await chromium.executablePath();
